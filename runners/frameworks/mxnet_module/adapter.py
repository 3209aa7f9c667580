"""MXNet's Module API, on a CPU or a CUDA device. A workload's own part is the module named after it."""

import importlib
import itertools

import mxnet as mx
import numpy as np

from runners.worker import synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import Unusable, python_stack


class Adapter(Contract):
    supports = {
        "cifar10-cnn": {"precisions": ("fp32",), "data": ("synthetic-device", "synthetic-host", "real")},
    }

    def __init__(self, request):
        super().__init__(request)
        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.mxnet_module.{module}")
        self.place = choose_device(request["device"])
        if request["threads"] is not None:
            mx.base.check_call(mx.base._LIB.MXSetNumOMPThreads(request["threads"]))  # noqa: SLF001 - C interface alone

    def prepare(self):
        self.batches = self.batches_of(self.request["data"]["kind"])
        mx.random.seed(self.request["seed"])
        size = self.request["batch_per_device"]
        self.module = mx.mod.Module(self.job.network(self.workload), context=self.place)
        self.module.bind([("data", (size, *self.workload["network"]["input"]))], [("softmax_label", (size,))])
        self.module.init_params(self.job.INITIAL)
        self.job.optimizer(self.module, self.workload)
        self.kept = []

    # step: data
    def batches_of(self, kind):
        """Return an endless iterator over batches; the module copies each into the arrays it is bound to."""
        if kind == "real":
            return self.job.real_batches(self.request)
        place = self.place if kind == "synthetic-device" else mx.cpu()
        return itertools.cycle([batch(arrays, place) for arrays in synthetic.ring(self.request, self.process)])

    def parameters(self):
        return sum(parameter.size for parameter in self.module.get_params()[0].values())

    def probe(self):
        self.module.forward(batch(synthetic.probe(self.workload), self.place), is_train=False)
        return self.module.get_outputs()[1].mean().asscalar().item()

    def logits(self, weights, inputs):
        module = mx.mod.Module(self.job.scores(self.workload), label_names=None, context=self.place)
        (images,) = inputs
        module.bind([("data", images.shape)], for_training=False)
        names = module.symbol.list_arguments()[1:]  # the first is "data"
        if len(names) != len(weights):
            raise ValueError(f"the network has {len(names)} trainable arrays, the reference {len(weights)}")
        module.set_params({name: mx.nd.array(value) for name, value in zip(names, weights.values())}, {})
        module.forward(mx.io.DataBatch([mx.nd.array(images)]), is_train=False)
        return [module.get_outputs()[0].asnumpy()]

    # step: train
    def step(self):
        self.module.forward(next(self.batches), is_train=True)
        self.module.backward()
        self.module.update()
        self.kept.append(self.module.get_outputs()[1].mean())

    # step: synchronise
    def synchronise(self):
        mx.nd.waitall()

    def losses(self):
        return [float(loss) for loss in mx.nd.concat(*self.kept, dim=0).asnumpy()]

    def evaluate(self):
        return self.job.quality(self.module, self.request)

    def loader(self):
        if self.request["data"]["kind"] == "real":
            return {"loader": "mxnet.io.NDArrayIter", "workers": 0, "cache": "warm"}
        return super().loader()

    def stack(self):
        features = mx.runtime.Features()
        blas = {"BLAS_OPEN": "openblas", "BLAS_MKL": "mkl"}
        return python_stack(
            mx.__version__,
            "module",
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


def batch(arrays, place):
    images, labels = (mx.nd.array(part, ctx=place) for part in arrays)  # the module's labels are float32
    return mx.io.DataBatch([images], [labels])


def choose_device(wanted):
    """Return the context for "auto", "cpu" or "gpu"."""
    if wanted != "cpu" and mx.context.num_gpus():
        return mx.gpu(0)
    if wanted == "gpu":
        raise Unusable(
            f"MXNet {mx.__version__} finds no CUDA device here. Check that mxnet-cu112 is installed and what"
            " CUDA_VISIBLE_DEVICES says, or measure the CPU."
        )
    return mx.cpu()
