"""PyTorch in eager mode, on CPUs or CUDA devices. A workload's own part is the module named after it."""

import contextlib
import importlib
import itertools
import os

import numpy as np
import torch
from torch.nn.parallel import DistributedDataParallel

from runners.worker import process, synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import Unsupported, Unusable, python_stack

AUTOCAST = {"amp-bf16": torch.bfloat16, "amp-fp16": torch.float16}


class Adapter(Contract):
    supports = {
        "cifar10-cnn": {
            "precisions": ("fp32", "tf32", "amp-bf16", "amp-fp16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        }
    }
    launchers = ("torchrun", "mpiexec", "srun")

    def __init__(self, request):
        super().__init__(request)
        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.pytorch.{module}")
        self.place = choose_device(request["device"], self.process["local_rank"])
        if request["threads"] is not None:
            torch.set_num_threads(request["threads"])
        set_precision(request["precision"], self.place)

    def prepare(self):
        if self.process["count"] > 1:
            self.join()
        torch.manual_seed(self.request["seed"])
        if self.place.type == "cuda":
            torch.cuda.reset_peak_memory_stats()
        precision = self.request["precision"]
        self.network = self.job.network(self.workload).to(self.place)
        self.replica = DistributedDataParallel(self.network) if self.process["count"] > 1 else self.network
        self.optimizer = self.job.optimizer(self.network, self.workload)
        self.scaler = torch.amp.GradScaler(self.place.type, enabled=precision == "amp-fp16")
        self.autocast = contextlib.nullcontext()
        if precision in AUTOCAST:
            self.autocast = torch.autocast(self.place.type, AUTOCAST[precision])
        self.batches = self.batches_of(self.request["data"]["kind"])
        self.kept = []

    def join(self):
        """Meet the other processes of the job, over NCCL between GPUs and Gloo between CPUs."""
        host, port = process.addresses(self.request["scale"])[0].rsplit(":", 1)
        os.environ.setdefault("MASTER_ADDR", host)  # torchrun has set both, and serves there itself
        os.environ.setdefault("MASTER_PORT", port)
        torch.distributed.init_process_group(
            "nccl" if self.place.type == "cuda" else "gloo",
            rank=self.process["rank"],
            world_size=self.process["count"],
        )

    # step: data
    def batches_of(self, kind):
        """Return an endless iterator over batches, each a tuple of tensors."""
        if kind == "real":
            return self.job.real_batches(self.request)
        ring = [tensors(arrays) for arrays in synthetic.ring(self.request, self.process)]
        if kind == "synthetic-device":
            ring = [self.copied(batch) for batch in ring]
        return itertools.cycle(ring)

    def copied(self, batch):
        return [part.to(self.place) for part in batch]

    def parameters(self):
        return sum(parameter.numel() for parameter in self.network.parameters() if parameter.requires_grad)

    def probe(self):
        without_dropout(self.network)
        with torch.no_grad(), self.autocast:
            loss = self.job.loss(self.network, *self.copied(tensors(synthetic.probe(self.workload))))
        self.network.train()
        return loss.item()

    def logits(self, weights, inputs):
        network = self.job.network(self.workload).eval().to(self.place)
        with torch.no_grad():
            for parameter, value in zip(network.parameters(), weights.values(), strict=True):
                parameter.copy_(torch.from_numpy(value))
            outputs = network(*self.copied(tensors(inputs)))
        return [outputs.cpu().numpy()]

    # step: train
    def step(self):
        batch = self.copied(next(self.batches))
        self.optimizer.zero_grad()
        with self.autocast:
            loss = self.job.loss(self.replica, *batch)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.kept.append(loss.detach())

    # step: synchronise
    def synchronise(self):
        if self.place.type == "cuda":
            torch.cuda.synchronize()

    def barrier(self):
        if self.process["count"] > 1:
            torch.distributed.barrier()

    def losses(self):
        return torch.stack(self.kept).tolist()

    def evaluate(self):
        self.network.eval()
        with torch.inference_mode(), self.autocast:
            return self.job.quality(self.network, self.request, self.place)

    def checksum(self):
        return sum(parameter.double().sum().item() for parameter in self.network.parameters())

    def release(self):
        if self.process["count"] > 1:
            torch.distributed.destroy_process_group()

    def stack(self):
        cudnn = torch.backends.cudnn.version() if torch.version.cuda else None  # such as 91002 for 9.10.2
        return python_stack(
            torch.__version__,
            "eager",
            cuda=torch.version.cuda,
            cudnn=f"{cudnn // 10000}.{cudnn // 100 % 100}.{cudnn % 100}" if cudnn else None,
            nccl=".".join(map(str, torch.cuda.nccl.version())) if torch.distributed.is_nccl_available() else None,
            blas="mkl" if torch.backends.mkl.is_available() else None,
            packages={"numpy": np.__version__, "torch": torch.__version__},
        )

    def device(self):
        if self.place.type == "cpu":
            return super().device()
        properties = torch.cuda.get_device_properties(self.place)
        tf32 = self.request["precision"] == "tf32"
        return {"name": properties.name, "kind": "gpu", "memory_bytes": properties.total_memory, "tf32": tf32}

    def peak_memory(self):
        return torch.cuda.max_memory_allocated() if self.place.type == "cuda" else None

    def out_of_memory(self, error):
        on_cpu = isinstance(error, RuntimeError) and "DefaultCPUAllocator" in str(error)
        return on_cpu or isinstance(error, torch.OutOfMemoryError) or super().out_of_memory(error)


def tensors(arrays):
    return [torch.from_numpy(array) for array in arrays]


def without_dropout(network):
    """Put a network into training mode, but for its dropout."""
    network.train()
    for layer in network.modules():
        if isinstance(layer, torch.nn.Dropout):
            layer.eval()


def choose_device(wanted, local_rank):
    """Return the device for "auto", "cpu" or "gpu"; each process of a node has a GPU of its own."""
    if wanted != "cpu" and torch.cuda.is_available():
        torch.cuda.set_device(local_rank)
        return torch.device("cuda", local_rank)
    if wanted == "gpu":
        raise Unusable(
            f"PyTorch {torch.__version__} finds no CUDA device here. Check the driver and CUDA_VISIBLE_DEVICES, or measure the CPU."
        )
    return torch.device("cpu")


def set_precision(precision, place):
    """Turn TF32 on for `tf32` and off for everything else, and see that it is so: by default convolutions have it on."""
    has_tf32 = place.type == "cuda" and torch.cuda.get_device_capability() >= (8, 0)
    if precision == "tf32" and not has_tf32:
        raise Unsupported("TF32 is a format of NVIDIA GPUs from Ampere on; this device has none.", "never")
    torch.backends.fp32_precision = "tf32" if precision == "tf32" else "ieee"
    rounded = rounds_to_tf32(place) if place.type == "cuda" else []
    if precision == "tf32" and "matrix products" not in rounded:
        raise Unusable(
            "The GPU's matrix products are not rounded to TF32 although tf32 is set. Unset NVIDIA_TF32_OVERRIDE."
        )
    if precision != "tf32" and rounded:
        raise Unusable(
            f"The GPU's {' and '.join(rounded)} are rounded to TF32 although {precision} is set. Unset NVIDIA_TF32_OVERRIDE."
        )


def rounds_to_tf32(place):
    """Name the operations that lose the last bits: 1 + 2^-12 is exact in FP32 and becomes 1 in TF32."""
    ones, fine = torch.ones(1024, 1024, device=place), torch.full((1024, 1024), 1 + 2**-12, device=place)
    sums = {
        "matrix products": (fine @ ones)[0, 0],
        "convolutions": torch.conv2d(fine.view(16, 1024, 8, 8), ones.view(1024, 1024, 1, 1))[0, 0, 0, 0],
    }
    return [name for name, total in sums.items() if total == 1024]
