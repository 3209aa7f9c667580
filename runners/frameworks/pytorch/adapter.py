"""PyTorch in eager mode, on CPUs or CUDA devices. A workload's own part is the module named after it."""

import contextlib
import importlib
import itertools
import os

import numpy as np
import torch
from torch.nn.parallel import DistributedDataParallel

from runners.frameworks.pytorch.devices import allow_tf32, choose_device, prove_precision
from runners.worker import process, synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import python_stack

AUTOCAST = {"amp-bf16": torch.bfloat16, "amp-fp16": torch.float16}


class Adapter(Contract):
    supports = {
        "cifar10-cnn": {
            "precisions": ("fp32", "tf32", "amp-bf16", "amp-fp16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "gru-imdb": {
            "precisions": ("fp32", "tf32", "amp-bf16", "amp-fp16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "resnet50": {
            "precisions": ("fp32", "tf32", "amp-bf16", "amp-fp16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "resnet50-features": {
            "precisions": ("fp32", "tf32", "amp-bf16", "amp-fp16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "vgg16": {
            "precisions": ("fp32", "tf32", "amp-bf16", "amp-fp16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "densenet121-chestxray": {
            "precisions": ("fp32", "tf32", "amp-bf16", "amp-fp16"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "bert-base": {
            "precisions": ("fp32", "tf32", "amp-bf16", "amp-fp16"),
            "data": ("synthetic-device", "synthetic-host"),
        },
    }
    launchers = ("torchrun", "mpiexec", "srun")

    def __init__(self, request):
        super().__init__(request)
        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.pytorch.{module}")
        self.place = choose_device(request["device"], self.process["local_rank"])
        if request["threads"] is not None:
            torch.set_num_threads(request["threads"])
        prove_precision(request["precision"], self.place)

    def prepare(self):
        if self.process["count"] > 1:
            self.join()
        torch.manual_seed(self.request["seed"])
        if self.place.type == "cuda":
            torch.cuda.reset_peak_memory_stats()
        precision = self.request["precision"]
        self.network = self.job.network(self.workload).to(self.place)
        self.autocast = contextlib.nullcontext()
        if precision in AUTOCAST:
            self.autocast = torch.autocast(self.place.type, AUTOCAST[precision])
        if self.workload["mode"] == "training":
            self.replica = DistributedDataParallel(self.network) if self.process["count"] > 1 else self.network
            self.optimizer = self.job.optimizer(self.network, self.workload)
            self.scaler = torch.amp.GradScaler(self.place.type, enabled=precision == "amp-fp16")
        torch.manual_seed(self.request["seed"] + self.process["rank"])  # dropout and cropping are each process's own
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
            self.loaded_by, batches = self.job.real_batches(self.request, self.place)
            return itertools.chain([next(batches)], batches)  # starting what loads is not timed
        ring = [self.reachable(tensors(arrays)) for arrays in synthetic.ring(self.request, self.process)]
        if kind == "synthetic-device":
            ring = [self.copied(batch) for batch in ring]
        return itertools.cycle(ring)

    def reachable(self, batch):
        """Pin a batch in the host's memory, so that a GPU fetches it while the host goes on."""
        return [part.pin_memory() for part in batch] if self.place.type == "cuda" else batch

    def copied(self, batch):
        return [part.to(self.place, non_blocking=True) for part in batch]

    def parameters(self):
        return sum(parameter.numel() for parameter in self.network.parameters() if parameter.requires_grad)

    def probe(self):
        if self.workload["mode"] == "inference":
            return None
        without_dropout(self.network)
        with torch.no_grad(), self.autocast:
            loss = self.loss(self.network, self.copied(tensors(synthetic.probe(self.workload))))
        self.network.train()
        return loss.item()

    def logits(self, weights, inputs):
        allow_tf32(False)
        network = self.job.network(self.workload).eval().to(self.place)
        with torch.no_grad():
            for parameter, value in zip(network.parameters(), weights.values(), strict=True):
                assert parameter.shape == value.shape
                parameter.copy_(torch.from_numpy(value))
            outputs = network(*self.copied(tensors(inputs)))
        allow_tf32(self.request["precision"] == "tf32")
        return [part.cpu().numpy() for part in (outputs if isinstance(outputs, tuple) else [outputs])]

    def loss(self, network, batch):
        smoothing = {key: value for key, value in self.workload["optimizer"].items() if key == "label_smoothing"}
        return self.job.loss(network, *batch, **smoothing)

    def step(self):
        batch = self.copied(next(self.batches))
        self.kept.append(self.train(batch) if self.workload["mode"] == "training" else self.infer(batch))

    # step: train
    def train(self, batch):
        self.optimizer.zero_grad()
        with self.autocast:
            loss = self.loss(self.replica, batch)
        self.scaler.scale(loss).backward()
        if "clip_norm" in self.workload["optimizer"]:
            self.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.workload["optimizer"]["clip_norm"])
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()

    def infer(self, batch):
        with self.autocast:
            self.features, mean = self.job.infer(self.network, *batch)
        return mean

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

    def loader(self):
        return self.loaded_by if self.request["data"]["kind"] == "real" else super().loader()

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
    """Put a network into evaluation mode, but for batch normalisation, which goes on to use the batch's statistics."""
    network.eval()
    for layer in network.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.train()
