"""Chainer on CPUs, with iDeep where it helps, or on CUDA devices with CuPy. A workload's own part is the module named after it."""

import importlib
import itertools
import os
import sys

import chainer
import numpy as np
import threadpoolctl
from chainer import functions as F
from chainer.backends import cuda, intel64

from runners.worker import synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import Unusable, python_stack

HOST = chainer.get_device("@numpy")


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
        self.job = importlib.import_module(f"runners.frameworks.chainer.{module}")
        if request["threads"] is not None:
            threadpoolctl.threadpool_limits(request["threads"])  # of OpenBLAS and of iDeep's OpenMP
        chainer.global_config.use_ideep = getattr(self.job, "USE_IDEEP", "auto")
        self.place = choose_device(request["device"], self.process["local_rank"])
        self.place.use()
        refuse_tf32(self.place)

    def prepare(self):
        seed = self.request["seed"] + self.process["rank"]  # chance of its own in dropout; weights come from the first
        self.place.xp.random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002 - Chainer draws from the global generator
        self.network = self.job.network(self.workload)
        self.network.to_device(self.place)
        self.training = self.workload["mode"] == "training"
        self.optimizer = self.job.optimizer(self.network, self.workload) if self.training else None
        if self.process["count"] > 1:
            self.join()
        self.batches = self.batches_of(self.request["data"]["kind"])
        self.kept = []

    def join(self):
        """Meet the other processes of the job in ChainerMN, over NCCL between GPUs and MPI between CPUs."""
        chainermn = multi_node()
        self.communicator = chainermn.create_communicator("pure_nccl" if self.on_gpu() else "naive")
        if self.training:
            self.optimizer = chainermn.create_multi_node_optimizer(self.optimizer, self.communicator)
            self.optimizer.update()  # ChainerMN's first update only hands out the first process's weights
        else:
            self.communicator.bcast_data(self.network)

    # step: data
    def batches_of(self, kind):
        """Return an endless iterator over batches, each a tuple of arrays."""
        if kind == "real":
            batches, self.loaded_by = self.job.real_batches(self.request)
            return itertools.chain([next(batches)], batches)  # starting what loads is not timed
        ring = synthetic.ring(self.request, self.process)
        if kind == "synthetic-device":
            ring = [self.place.send(batch) for batch in ring]
        return itertools.cycle(ring)

    def on_gpu(self):
        return self.place.xp is not np

    def parameters(self):
        return sum(parameter.size for parameter in self.network.params())

    def probe(self):
        if not self.training:
            return None
        batch = self.place.send(synthetic.probe(self.workload))
        # One switch is for dropout and batch normalisation alike; no network here has both.
        normalises = "batch_norm_epsilon" in self.workload["network"]
        with chainer.using_config("train", normalises), chainer.no_backprop_mode():
            return float(self.job.loss(self.network, *batch).array)

    def logits(self, weights, inputs):
        network = self.job.network(self.workload)
        fill(network, weights.values())
        network.to_device(self.place)
        with chainer.using_config("train", False), chainer.no_backprop_mode():
            outputs = network(*self.place.send(inputs))
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        return [HOST.send(output.array) for output in outputs]

    # step: train
    def step(self):
        batch = self.place.send(next(self.batches))
        if not self.training:
            self.kept.append(self.job.features(self.network, *batch).mean())
            return
        loss = self.job.loss(self.network, *batch)
        self.network.cleargrads()
        loss.backward()
        self.optimizer.update()
        self.kept.append(loss.array)

    # step: synchronise
    def synchronise(self):
        if self.on_gpu():
            cuda.Stream.null.synchronize()

    def barrier(self):
        if self.process["count"] > 1:
            self.communicator.mpi_comm.Barrier()

    def losses(self):
        return [float(loss) for loss in self.kept]

    def evaluate(self):
        with chainer.using_config("train", False), chainer.no_backprop_mode():
            return self.job.quality(self.network, self.request, self.place)

    def loader(self):
        return self.loaded_by if self.request["data"]["kind"] == "real" else super().loader()

    def checksum(self):
        return sum(float(HOST.send(parameter.array).sum(dtype="float64")) for parameter in self.network.params())

    def release(self):
        if self.process["count"] > 1:
            importlib.import_module("mpi4py.MPI").Finalize()

    def stack(self):
        used = {"@intel64": "ideep4py", "@numpy": "numpy"}.get(self.place.name, "cupy")
        known = {"packages": {name: sys.modules[name].__version__ for name in ("numpy", "chainer", used)}}
        if not self.on_gpu():
            return python_stack(chainer.__version__, "define-by-run", blas="openblas", **known)
        libraries = cuda.cupy.cuda
        toolkit = libraries.runtime.runtimeGetVersion()  # such as 11000 for 11.0
        return python_stack(
            chainer.__version__,
            "define-by-run",
            cuda=f"{toolkit // 1000}.{toolkit % 1000 // 10}",
            cudnn=dotted(libraries.cudnn.getVersion()) if cuda.cudnn_enabled else None,
            nccl=dotted(libraries.nccl.get_version()) if libraries.nccl_enabled else None,
            **known,
        )

    def device(self):
        if not self.on_gpu():
            return super().device()
        memory = self.place.device.mem_info[1]
        return {"name": None, "kind": "gpu", "memory_bytes": memory, "tf32": False}

    def peak_memory(self):
        """Return what CuPy's pool holds: it grows to the peak and gives nothing back."""
        return cuda.memory_pool.total_bytes() if self.on_gpu() else None

    def out_of_memory(self, error):
        on_gpu = self.on_gpu() and isinstance(error, cuda.cupy.cuda.memory.OutOfMemoryError)
        return on_gpu or super().out_of_memory(error)


def fill(network, values):
    """Give the parameters, in their order of use, the values; one value may hold those of several, as a GRU's gates."""
    parameters = in_order(network)
    for value in values:
        rest = value
        while len(rest):
            parameter = next(parameters)
            part, rest = rest[: len(parameter)], rest[len(parameter) :]
            assert part.shape == parameter.shape, f"{part.shape} for {parameter.name} {parameter.shape}"
            parameter.array[...] = part
    assert next(parameters, None) is None, "more parameters than values"


def in_order(link):
    """Yield parameters as they were defined, weights before biases; Chainer's own order is the alphabet's."""
    parts = list(link if isinstance(link, chainer.ChainList) else vars(link).values())
    own = [part for part in parts if isinstance(part, chainer.Parameter)]
    yield from sorted(own, key=lambda parameter: -parameter.ndim)
    for part in parts:
        if isinstance(part, chainer.Link):
            yield from in_order(part)


def dotted(version):
    """Spell the version number of cuDNN, or of NCCL up to 2.8: 8004 is 8.0.4."""
    return f"{version // 1000}.{version // 100 % 10}.{version % 100}"


def choose_device(wanted, local_rank):
    """Return the device for "auto", "cpu" or "gpu"; each process of a node has a GPU of its own."""
    if wanted != "cpu" and cuda.available:
        return chainer.get_device(f"@cupy:{local_rank}")
    if wanted == "gpu":
        raise Unusable(
            f"Chainer {chainer.__version__} finds no CUDA device here. It needs CuPy 7 and a driver for its CUDA:"
            " check both and CUDA_VISIBLE_DEVICES, or measure the CPU."
        )
    if not intel64.is_ideep_available():
        raise Unusable(
            "ideep4py can't be imported, and without it Chainer is several times slower on a CPU. Install"
            " ideep4py 2.0.0.post3 under Python 3.7, or make an environment with `rosetta setup chainer`."
        )
    return HOST if chainer.config.use_ideep == "never" else chainer.get_device("@intel64")


def refuse_tf32(place):
    """See that full precision is kept: cuDNN 8 rounds convolutions to TF32 unless NVIDIA_TF32_OVERRIDE=0 forbids it."""
    rounded = rounds_to_tf32(place) if place.xp is not np else []
    if rounded:
        raise Unusable(
            f"The GPU's {' and '.join(rounded)} are rounded to TF32 although fp32 is set. Set NVIDIA_TF32_OVERRIDE=0."
        )


def rounds_to_tf32(place):
    """Name the operations that lose the last bits: 1 + 2^-12 is exact in FP32 and becomes 1 in TF32."""
    ones, fine = (place.xp.full((1024, 1024), value, "float32") for value in (1, 1 + 2**-12))
    sums = {
        "matrix products": F.matmul(fine, ones).array[0, 0],
        "convolutions": F.convolution_2d(fine.reshape(16, 1024, 8, 8), ones.reshape(1024, 1024, 1, 1)).array[
            0, 0, 0, 0
        ],
    }
    return [name for name, total in sums.items() if float(total) == 1024]


def multi_node():
    """Import ChainerMN, which needs mpi4py, and that a compiler for MPI: neither is wanted for one process."""
    try:
        # Whoever fails must not wait for the others at its exit: `release` says when to finish.
        importlib.import_module("mpi4py").rc.finalize = False
        return importlib.import_module("chainermn")
    except ImportError as error:
        wanted = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements-mpi.txt")
        raise Unusable(
            f"ChainerMN needs mpi4py: {error}. Install an MPI with its compiler (Debian: openmpi-bin libopenmpi-dev)"
            f" and then: {sys.executable} -m pip install -r {wanted}"
        ) from error
