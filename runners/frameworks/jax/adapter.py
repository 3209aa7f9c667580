"""JAX, compiled by XLA: networks in Flax NNX, updates by Optax. A workload's own part is the module named after it.

Several processes compute as one, each with its share of one large batch: loss, gradients and the statistics of batch
normalisation are those of the whole batch.
"""

import functools
import importlib
import importlib.metadata
import itertools

import jax
import numpy as np
from flax import nnx
from jax import numpy as jnp
from jax.experimental import multihost_utils

from runners.frameworks.jax import devices, layouts
from runners.worker import synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import python_stack

FLOATS = {"fp32": jnp.float32, "tf32": jnp.float32, "amp-bf16": jnp.bfloat16}  # of layers; parameters are float32


class Adapter(Contract):
    supports = {
        "cifar10-cnn": {
            "precisions": ("fp32", "tf32", "amp-bf16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "gru-imdb": {
            "precisions": ("fp32", "tf32", "amp-bf16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "resnet50": {
            "precisions": ("fp32", "tf32", "amp-bf16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "resnet50-features": {
            "precisions": ("fp32", "tf32", "amp-bf16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "vgg16": {
            "precisions": ("fp32", "tf32", "amp-bf16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "densenet121-chestxray": {
            "precisions": ("fp32", "tf32", "amp-bf16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "bert-base": {
            "precisions": ("fp32", "tf32", "amp-bf16"),
            "data": ("synthetic-device", "synthetic-host"),
        },
    }
    launchers = ("mpiexec", "srun")

    def __init__(self, request):
        super().__init__(request)
        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.jax.{module}")
        self.training = self.workload["mode"] == "training"
        self.devices = devices.choose(request)
        devices.set_precision(request["precision"], self.devices[0])

    def prepare(self):
        self.share, self.everywhere = devices.shardings(self.devices)
        self.loss = functools.partial(self.job.loss, **self.smoothing()) if self.training else None
        self.graph, state = nnx.split(self.built())
        self.state = jax.jit(lambda state: state, out_shardings=self.everywhere)(state)  # of every process the same
        if self.training:
            self.compiled = jax.jit(
                functools.partial(train, self.loss), donate_argnums=1, out_shardings=self.everywhere
            )
        else:
            self.compiled = jax.jit(infer, out_shardings=self.share)
        self.batches = self.batches_of(self.request["data"]["kind"])
        self.kept = []

    def smoothing(self):
        return {key: value for key, value in self.workload["optimizer"].items() if key == "label_smoothing"}

    def built(self):
        """Draw the network and, for training, make its optimizer."""
        network = self.job.network(self.workload, FLOATS[self.request["precision"]], nnx.Rngs(self.request["seed"]))
        if self.training:
            return network, nnx.Optimizer(network, self.job.optimizer(self.workload), wrt=nnx.Param)
        return (evaluating(network),)

    # step: data
    def batches_of(self, kind):
        """Return an endless iterator over batches, each a tuple of arrays."""
        if kind == "real":
            self.source = self.job.real_batches(self.request)
            return itertools.chain(
                [next(self.source)], self.source
            )  # reading, or starting the processes that do, is not timed
        ring = [in_our_layout(arrays) for arrays in synthetic.ring(self.request, self.process)]
        if kind == "synthetic-device":
            ring = [self.copied(batch) for batch in ring]
        return itertools.cycle(ring)

    def copied(self, batch):
        """Copy this process's part of a batch to its device, if it isn't there."""
        if isinstance(batch[0], jax.Array):
            return batch
        return [jax.make_array_from_process_local_data(self.share, part) for part in batch]

    def network(self):
        """Return the network as it is now, on this process's device alone."""
        return nnx.merge(self.graph, jax.tree.map(lambda leaf: leaf.addressable_data(0), self.state))[0]

    def parameters(self):
        return sum(leaf.size for leaf in jax.tree.leaves(nnx.state(self.network(), nnx.Param)))

    def probe(self):
        if not self.training:
            return None
        network = nnx.view(self.network(), deterministic=True, raise_if_not_found=False)
        return nnx.jit(self.loss)(network, *in_our_layout(synthetic.probe(self.workload))).item()

    def logits(self, weights, inputs):
        in_our_order = getattr(self.job, "in_our_order", lambda *arrays: arrays)

        @jax.jit
        def outputs(weights, inputs):
            network = self.job.network(self.workload, jnp.float32, nnx.Rngs(0))
            layouts.adopt(network, in_our_order(*weights))
            return evaluating(network)(*inputs)

        with jax.default_matmul_precision("highest"):
            found = outputs(list(weights.values()), in_our_layout(inputs))
        return [np.asarray(output) for output in jax.tree.leaves(found)]

    # step: train
    def step(self):
        batch = self.copied(next(self.batches))
        if self.training:
            kept, self.state = self.compiled(self.graph, self.state, batch)
        else:
            kept = self.compiled(self.graph, self.state, batch).addressable_data(0)  # of this process's own share
            kept.copy_to_host_async()
        self.kept.append(kept)

    # step: synchronise
    def synchronise(self):
        jax.block_until_ready((self.state, self.kept))
        if not self.training:
            self.kept = [np.asarray(features) for features in self.kept]

    def barrier(self):
        if self.process["count"] > 1:
            multihost_utils.sync_global_devices("rosetta")

    def losses(self):
        return [float(np.mean(kept)) for kept in jax.device_get(self.kept)]

    def evaluate(self):
        return self.job.quality(functools.partial(answer, evaluating(self.network())), self.request)

    def loader(self):
        if self.request["data"]["kind"] != "real":
            return super().loader()
        if hasattr(self.job, "loader"):
            return self.job.loader(self.request)
        return {"loader": "numpy", "workers": 0, "cache": "warm"}  # all of them lie in RAM before the first step

    def checksum(self):
        parameters = jax.tree.leaves(nnx.state(self.network(), nnx.Param))
        return sum(np.asarray(leaf).sum(dtype=np.float64).item() for leaf in parameters)

    def release(self):
        if self.request["data"]["kind"] == "real":
            self.source.close()  # ends the processes that load
        if self.process["count"] > 1:
            jax.distributed.shutdown()

    def stack(self):
        packages = ("jax", "jaxlib", "flax", "optax", "grain", "numpy")
        return python_stack(
            jax.__version__,
            "nnx",
            cuda=installed("nvidia-cuda-runtime"),
            cudnn=installed("nvidia-cudnn-cu13"),
            nccl=installed("nvidia-nccl-cu13"),
            packages={name: installed(name) for name in packages if installed(name)},
        )

    def device(self):
        if self.devices[0].platform == "cpu":
            return super().device()
        tf32 = self.request["precision"] == "tf32"
        return {"name": self.devices[0].device_kind, "kind": "gpu", "memory_bytes": None, "tf32": tf32}

    def peak_memory(self):
        on_cpu = self.devices[0].platform == "cpu"
        return None if on_cpu else jax.local_devices()[0].memory_stats()["peak_bytes_in_use"]

    def out_of_memory(self, error):
        return "RESOURCE_EXHAUSTED" in str(error) or super().out_of_memory(error)


# step: train
def train(loss, graph, state, batch):
    """Return the loss of a batch, and the state after the step; compiled, it takes the place of the state before."""
    network, optimizer = nnx.merge(graph, state)
    value, gradients = nnx.value_and_grad(loss)(network, *batch)
    optimizer.update(network, gradients)
    return value, nnx.state((network, optimizer))


# step: train
def infer(graph, state, batch):
    (network,) = nnx.merge(graph, state)
    return network(*batch)


@nnx.jit
def answer(network, *inputs):
    return network(*inputs)


def evaluating(network):
    """Return the network without dropout and with the running statistics of batch normalisation."""
    return nnx.view(network, deterministic=True, use_running_average=True, raise_if_not_found=False)


def in_our_layout(arrays):
    """Put channels last, and make whole numbers 32 bits wide, as JAX has them."""
    moved = [array.transpose(0, 2, 3, 1) if array.ndim == 4 else array for array in arrays]
    return [np.ascontiguousarray(array, np.int32 if array.dtype.kind == "i" else None) for array in moved]


def installed(name):
    """Return the version of a package, None where it isn't there."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
