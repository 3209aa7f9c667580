"""What all workloads share; a workload's own part is the module named after it. Import the framework at the top."""

import importlib
import itertools

from runners.worker import synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import Unsupported, python_stack


class Adapter(Contract):
    supports = {"cifar10-cnn": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host")}}

    def __init__(self, request):
        super().__init__(request)
        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.{request['framework']}.{module}")
        to_write("__init__", "choose the device of request['device'], the threads of request['threads'], the precision")

    def prepare(self):
        to_write("prepare", "set the seed of request['seed']")
        self.network = self.job.network(self.workload)
        self.optimizer = self.job.optimizer(self.network, self.workload)
        self.batches = self.batches_of(self.request["data"]["kind"])
        self.kept = []

    # step: data
    def batches_of(self, kind):
        """Return an endless iterator over batches."""
        ring = synthetic.ring(self.request, self.process)
        if kind == "synthetic-device":
            ring = [self.copied(batch) for batch in ring]
        return itertools.cycle(ring)

    def copied(self, batch):
        """Return a batch as the framework's arrays on the device, in its layout; those that are there already as they are."""
        to_write("copied", "NumPy arrays become the framework's")

    def parameters(self):
        to_write("parameters", "count the trainable parameters")

    def probe(self):
        self.copied(synthetic.probe(self.workload))
        to_write("probe", "the loss on this batch, without dropout and without changing a weight")

    def logits(self, weights, inputs):
        self.job.network(self.workload)
        self.copied(inputs)
        to_write("logits", "give the new network the weights by their order, and return its outputs in evaluation mode")

    # step: train
    def step(self):
        batch = self.copied(next(self.batches))
        loss = self.job.loss(self.network, *batch)
        self.kept.append(loss)
        to_write("step", "differentiate the loss and update the weights; wait for nothing")

    # step: synchronise
    def synchronise(self):
        to_write("synchronise", "wait until the last update is done")

    def losses(self):
        return [float(loss) for loss in self.kept]

    def stack(self):
        return python_stack("the installed version", None)


def to_write(method, what):
    """End the run with a sentence: whoever finishes this template has removed every call of it."""
    raise Unsupported(f"This adapter is not finished. Write {method}: {what}.", "ours")
