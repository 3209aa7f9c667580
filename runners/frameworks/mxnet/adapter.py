"""MXNet's Gluon API, hybridised, on CPUs or CUDA devices. A workload's own part is the module named after it."""

import importlib
import itertools

import mxnet as mx
import numpy as np
from mxnet import autograd

from runners.frameworks.mxnet import servers
from runners.worker import synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import Unusable, python_stack


class Adapter(Contract):
    supports = {
        "cifar10-cnn": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host", "real")},
        "gru-imdb": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host", "real")},
        "resnet50": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host", "real")},
        "resnet50-features": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host", "real")},
        "vgg16": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host", "real")},
        "densenet121-chestxray": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host", "real")},
        "bert-base": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host")},
    }
    launchers = ("mpiexec", "srun")

    def __init__(self, request):
        super().__init__(request)
        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.mxnet.{module}")
        self.place = choose_device(request["device"], self.process["local_rank"])
        if request["threads"] is not None:
            servers.native("MXSetNumOMPThreads", request["threads"])
        self.store = self.servers = None

    def prepare(self):
        self.batches = self.batches_of(self.request["data"]["kind"])
        if self.process["count"] > 1:
            self.servers = servers.start(self.request["scale"], self.process)
            self.store = servers.join()
        mx.random.seed(self.request["seed"])
        self.network = self.job.network(self.workload, self.place)
        self.forward(self.copied(arrays(synthetic.probe(self.workload, 1))))  # Gluon learns the shapes from data
        mx.random.seed(self.request["seed"] + self.process["rank"])  # each process has dropout of its own
        self.trains = self.workload["mode"] == "training"
        if self.trains:
            self.trainer = self.job.optimizer(self.network, self.workload, self.store)
        self.samples = self.request["batch_per_device"] * self.process["count"]
        self.kept = []

    # step: data
    def batches_of(self, kind):
        """Return an endless iterator over batches, each a list of arrays."""
        if kind == "real":
            self.loaded_by, batches = self.job.real_batches(self.request)
            return itertools.chain([next(batches)], batches)  # starting what loads is not timed
        ring = [arrays(batch) for batch in synthetic.ring(self.request, self.process)]
        if kind == "synthetic-device":
            ring = [self.copied(batch) for batch in ring]
        return itertools.cycle(ring)

    def copied(self, batch):
        return [part.as_in_context(self.place) for part in batch]

    def forward(self, batch):
        """Return the loss of each sample, or the network's output for inference."""
        return self.loss(batch) if self.workload["mode"] == "training" else self.network(*batch)

    def loss(self, batch):
        smoothing = {key: value for key, value in self.workload["optimizer"].items() if key == "label_smoothing"}
        return self.job.loss(self.network, *batch, **smoothing)

    def parameters(self):
        return sum(parameter.data().size for parameter in trainable(self.network))

    def probe(self):
        if not self.trains:
            return None
        # No network here has dropout and batch normalisation; prediction leaves out the first, training has the second.
        with autograd.train_mode() if has_batch_normalisation(self.network) else autograd.predict_mode():
            return self.forward(self.copied(arrays(synthetic.probe(self.workload)))).mean().asscalar().item()

    def logits(self, weights, inputs):
        network = self.job.network(self.workload, self.place)
        parameters = trainable(network)
        if len(parameters) != len(weights):
            raise ValueError(f"the network has {len(parameters)} trainable arrays, the reference {len(weights)}")
        for parameter, value in zip(parameters, weights.values()):
            parameter.set_data(mx.nd.array(value))
        outputs = network(*self.copied(arrays(inputs)))
        return [output.asnumpy() for output in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]

    # step: train
    def step(self):
        batch = self.copied(next(self.batches))
        if not self.trains:
            # The host has all features then; their mean is what is kept, since a long window would fill the memory.
            self.kept.append(self.network(*batch).as_in_context(mx.cpu()).mean())
            return
        with autograd.record():
            loss = self.loss(batch)
        loss.backward()
        self.trainer.step(self.samples)
        self.kept.append(loss.mean())

    # step: synchronise
    def synchronise(self):
        mx.nd.waitall()

    def barrier(self):
        if self.store:
            servers.barrier(self.store)

    def losses(self):
        return [float(loss) for loss in mx.nd.concat(*self.kept, dim=0).asnumpy()]

    def evaluate(self):
        return self.job.quality(self.network, self.request, self.place)

    def loader(self):
        return self.loaded_by if self.request["data"]["kind"] == "real" else super().loader()

    def checksum(self):
        return sum(float(parameter.data().asnumpy().sum(dtype="float64")) for parameter in trainable(self.network))

    def release(self):
        if self.store:
            servers.stop(self.store, self.servers)

    def stack(self):
        features = mx.runtime.Features()
        blas = {"BLAS_OPEN": "openblas", "BLAS_MKL": "mkl"}
        return python_stack(
            mx.__version__,
            "gluon",
            blas=next((name for feature, name in blas.items() if features.is_enabled(feature)), None),
            packages={"mxnet": mx.__version__, "numpy": np.__version__},
        )

    def device(self):
        if self.place.device_type == "cpu":
            return super().device()
        total = mx.context.gpu_memory_info(self.place.device_id)[1]
        return {"name": None, "kind": "gpu", "memory_bytes": total, "tf32": False}

    def out_of_memory(self, error):
        told = ("out of memory", "Failed to allocate CPU Memory")
        return (
            isinstance(error, mx.MXNetError) and any(words in str(error) for words in told)
        ) or super().out_of_memory(error)


def arrays(batch):
    return [mx.nd.array(part, dtype=part.dtype) for part in batch]


def trainable(network):
    """List a network's parameters in the order in which it uses them, without running statistics."""
    return [parameter for parameter in network.collect_params().values() if parameter.grad_req != "null"]


def has_batch_normalisation(network):
    return len(trainable(network)) < len(network.collect_params().keys())


def choose_device(wanted, local_rank):
    """Return the context for "auto", "cpu" or "gpu"; each process of a node has a GPU of its own."""
    if wanted != "cpu" and mx.context.num_gpus():
        return mx.gpu(local_rank)
    if wanted == "gpu":
        raise Unusable(
            f"MXNet {mx.__version__} finds no CUDA device here. Check that mxnet-cu112 is installed and what"
            " CUDA_VISIBLE_DEVICES says, or measure the CPU."
        )
    return mx.cpu()
