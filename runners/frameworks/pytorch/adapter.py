"""PyTorch in eager mode, on the CPU or one CUDA device. A workload's own part is the module named after it."""

import contextlib
import importlib

import numpy as np
import torch

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

    def __init__(self, request):
        super().__init__(request)
        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.pytorch.{module}")
        self.place = choose_device(request["device"])
        if request["threads"] is not None:
            torch.set_num_threads(request["threads"])
        set_precision(request["precision"], self.place)

    def prepare(self):
        torch.manual_seed(self.request["seed"])
        if self.place.type == "cuda":
            torch.cuda.reset_peak_memory_stats()
        precision = self.request["precision"]
        self.network = self.job.network(self.workload).to(self.place)
        self.loss = self.job.loss()
        self.optimizer = self.job.optimizer(self.network.parameters(), self.workload)
        self.scaler = torch.amp.GradScaler(self.place.type, enabled=precision == "amp-fp16")
        self.autocast = contextlib.nullcontext()
        if precision in AUTOCAST:
            self.autocast = torch.autocast(self.place.type, AUTOCAST[precision])
        self.batches = self.job.batches(self.request, self.place)
        self.kept = []

    def parameters(self):
        return sum(parameter.numel() for parameter in self.network.parameters() if parameter.requires_grad)

    def probe(self):
        """In evaluation mode: without dropout the loss of a fresh network is nearer to what theory expects."""
        images, labels = self.job.synthetic_batch(np.random.RandomState(0), 64, self.workload)
        self.network.eval()
        with torch.no_grad(), self.autocast:
            loss = self.loss(self.network(images.to(self.place)), labels.to(self.place))
        self.network.train()
        return loss.item()

    # step: train
    def step(self):
        images, labels = next(self.batches)
        images, labels = images.to(self.place), labels.to(self.place)
        self.optimizer.zero_grad()
        with self.autocast:
            loss = self.loss(self.network(images), labels)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.kept.append(loss.detach())

    # step: synchronise
    def synchronise(self):
        if self.place.type == "cuda":
            torch.cuda.synchronize()

    def losses(self):
        return torch.stack(self.kept).tolist()

    def evaluate(self):
        self.network.eval()
        with torch.inference_mode(), self.autocast:
            return self.job.accuracy(self.network, self.request, self.place)

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


def choose_device(wanted):
    """Return the device for "auto", "cpu" or "gpu"."""
    if wanted != "cpu" and torch.cuda.is_available():
        return torch.device("cuda")
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
