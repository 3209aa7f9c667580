"""OneFlow in eager mode, or with the option `graph` as an nn.Graph. A workload's own part is the module named after it."""

import importlib
import itertools
import os

import numpy as np

from runners.worker import process, synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import Unsupported, Unusable, python_stack

flow = None  # imported by the constructor, see `tell`


class Adapter(Contract):
    supports = {
        "cifar10-cnn": {"precisions": ("fp32", "tf32"), "data": ("synthetic-device", "synthetic-host", "real")},
        "gru-imdb": {"precisions": ("fp32", "tf32"), "data": ("synthetic-device", "synthetic-host", "real")},
        "resnet50": {"precisions": ("fp32", "tf32"), "data": ("synthetic-device", "synthetic-host", "real")},
        "resnet50-features": {"precisions": ("fp32", "tf32"), "data": ("synthetic-device", "synthetic-host", "real")},
        "vgg16": {"precisions": ("fp32", "tf32"), "data": ("synthetic-device", "synthetic-host", "real")},
        "densenet121-chestxray": {
            "precisions": ("fp32", "tf32"),
            "data": ("synthetic-device", "synthetic-host", "real"),
        },
        "bert-base": {"precisions": ("fp32", "tf32"), "data": ("synthetic-device", "synthetic-host")},
    }
    launchers = ("oneflow.distributed.launch", "mpiexec", "srun")
    options = ("graph",)

    def __init__(self, request):
        super().__init__(request)
        self.training = self.workload["mode"] == "training"
        self.clip_norm = self.workload["optimizer"].get("clip_norm") if self.training else None
        self.as_graph = bool(request["options"].get("graph"))
        if self.as_graph:
            self.refuse_what_a_graph_cannot()
        tell(request, self.process)
        global flow  # noqa: PLW0603 - the whole module reads as if it were imported at the top
        import oneflow as flow

        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.oneflow.{module}")
        if request["threads"] is not None:
            flow.set_num_threads(request["threads"])
        self.place = choose_device(request["device"], self.process["local_rank"])
        check_precision(request["precision"], self.place)

    def refuse_what_a_graph_cannot(self):
        if not self.training or self.process["count"] > 1:
            raise Unsupported("This adapter's graph is one of training on one device.", "ours")
        if self.clip_norm:
            raise Unsupported(
                "An nn.Graph clips the gradients of each group of parameters by themselves, not by their global norm.",
                "upstream",
            )

    def prepare(self):
        flow.manual_seed(self.request["seed"])
        self.network = self.job.network(self.workload).to(self.place)
        if self.process["count"] > 1:
            self.network = flow.nn.parallel.DistributedDataParallel(self.network)
        self.last = list(self.network.parameters())[-1]
        if self.training:
            self.optimizer = self.job.optimizer(self.network, self.workload)
            self.last = self.optimizer.param_groups[-1].parameters[-1]
        if self.as_graph:
            self.graph = graph(self.network, self.job.loss, self.optimizer)
        flow.manual_seed(self.request["seed"] + self.process["rank"])  # dropout and cropping are each process's own
        self.batches = self.batches_of(self.request["data"]["kind"])
        self.kept = []

    # step: data
    def batches_of(self, kind):
        """Return an endless iterator over batches, each a list of tensors."""
        if kind == "real":
            batches = self.job.real_batches(self.request)
            return itertools.chain([next(batches)], batches)  # starting what loads is not timed
        ring = [tensors(arrays) for arrays in synthetic.ring(self.request, self.process)]
        if kind == "synthetic-device":
            ring = [self.copied(batch) for batch in ring]
        return itertools.cycle(ring)

    def copied(self, batch):
        return [part.to(self.place) for part in batch]

    def parameters(self):
        return sum(parameter.numel() for parameter in self.network.parameters() if parameter.requires_grad)

    def probe(self):
        if not self.training:
            return None
        without_dropout(self.network)
        with flow.no_grad():
            loss = self.job.loss(self.network, *self.copied(tensors(synthetic.probe(self.workload))))
        self.network.train()
        return loss.item()

    def logits(self, weights, inputs):
        network = self.job.network(self.workload).eval().to(self.place)
        with flow.no_grad():
            for parameter, value in zip(network.parameters(), weights.values()):
                assert tuple(parameter.shape) == value.shape
                parameter.copy_(flow.from_numpy(value))
            outputs = network(*self.copied(tensors(inputs)))
        return [output.numpy() for output in (outputs if isinstance(outputs, tuple) else (outputs,))]

    # step: train
    def step(self):
        batch = self.copied(next(self.batches))
        if self.as_graph:
            self.kept.append(self.graph(*batch))
            return
        if not self.training:
            self.kept.append(self.job.extract(self.network, *batch))
            return
        self.optimizer.zero_grad()
        loss = self.job.loss(self.network, *batch)
        loss.backward()
        if self.clip_norm:
            flow.nn.utils.clip_grad_norm_(self.network.parameters(), self.clip_norm)
        self.optimizer.step()
        self.kept.append(loss.detach())

    # step: synchronise
    def synchronise(self):
        """Wait; on CPUs too OneFlow queues its work, and reading the last thing that it changes waits for all of it."""
        if self.place.type == "cuda":
            flow.cuda.synchronize()
        for tensor in (self.last, *self.kept[-1:]):
            tensor.numpy()

    def barrier(self):
        if self.process["count"] > 1:
            flow.comm.barrier()

    def losses(self):
        return [loss.item() for loss in self.kept]

    def loader(self):
        if self.request["data"]["kind"] != "real":
            return super().loader()
        if hasattr(self.job, "loader"):
            return self.job.loader(self.request)
        return {"loader": "tensors in memory", "workers": 0, "cache": "warm"}

    def evaluate(self):
        # A network of its own: the data-parallel one exchanges its buffers with processes that do not evaluate.
        trained = self.job.network(self.workload).eval().to(self.place)
        trained.load_state_dict(self.network.state_dict())
        with flow.no_grad():
            return self.job.quality(trained, self.request, self.place)

    def checksum(self):
        return sum(parameter.numpy().sum(dtype="float64").item() for parameter in self.network.parameters())

    def stack(self):
        return python_stack(
            flow.__version__,
            "graph" if self.as_graph else "eager",
            packages={"numpy": np.__version__, "oneflow": flow.__version__},
        )

    def device(self):
        if self.place.type == "cpu":
            return super().device()
        properties = flow.cuda.get_device_properties(self.place)
        tf32 = self.request["precision"] == "tf32"
        return {"name": properties.name, "kind": "gpu", "memory_bytes": properties.total_memory, "tf32": tf32}

    def out_of_memory(self, error):
        return "out of memory" in str(error).lower() or super().out_of_memory(error)


def tell(request, process_):
    """Set the variables that OneFlow reads when it is imported: its place in the job, and whether to round to TF32."""
    os.environ["NVIDIA_TF32_OVERRIDE"] = "1" if request["precision"] == "tf32" else "0"
    if process_["count"] > 1:
        host, port = process.addresses(request["scale"])[0].rsplit(":", 1)
        names = {"MASTER_ADDR": host, "MASTER_PORT": port}
        names.update(RANK=process_["rank"], WORLD_SIZE=process_["count"], LOCAL_RANK=process_["local_rank"])
        for name, value in names.items():
            os.environ.setdefault(name, str(value))  # OneFlow's own launcher has set them


def graph(network, loss, optimizer):
    """Return the training step of `network` as a static graph."""

    class Training(flow.nn.Graph):
        def __init__(self):
            super().__init__()
            self.network = network
            self.add_optimizer(optimizer)

        def build(self, *batch):
            value = loss(self.network, *batch)
            value.backward()
            return value

    return Training()


def tensors(arrays):
    return [flow.from_numpy(array) for array in arrays]


def without_dropout(network):
    """Put a network into training mode, but for its dropout."""
    network.train()
    for layer in network.modules():
        if isinstance(layer, flow.nn.Dropout):
            layer.eval()


def choose_device(wanted, local_rank):
    """Return the device for "auto", "cpu" or "gpu"; each process of a node has a GPU of its own."""
    if wanted != "cpu" and flow.cuda.is_available():
        flow.cuda.set_device(local_rank)
        return flow.device("cuda", local_rank)
    if wanted == "gpu":
        raise Unusable(
            f"OneFlow {flow.__version__} finds no CUDA device here. Check the driver and CUDA_VISIBLE_DEVICES, or measure the CPU."
        )
    return flow.device("cpu")


def check_precision(precision, place):
    """See that a GPU rounds to TF32 if and only if it should."""
    if precision == "tf32" and (place.type == "cpu" or flow.cuda.get_device_capability(place) < (8, 0)):
        raise Unsupported("TF32 is a format of NVIDIA GPUs from Ampere on; this device has none.", "never")
    rounded = rounds_to_tf32(place) if place.type == "cuda" else []
    if precision == "tf32" and "matrix products" not in rounded:
        raise Unusable("The GPU's matrix products are not rounded to TF32 although tf32 is set.")
    if precision != "tf32" and rounded:
        raise Unusable(f"The GPU's {' and '.join(rounded)} are rounded to TF32 although {precision} is set.")


def rounds_to_tf32(place):
    """Name the operations that lose the last bits: 1 + 2^-12 is exact in FP32 and becomes 1 in TF32."""
    ones, fine = flow.ones(1024, 1024, device=place), flow.full((1024, 1024), 1 + 2**-12, device=place)
    kernels = ones.view(1024, 1024, 1, 1)
    sums = {
        "matrix products": flow.matmul(fine, ones)[0, 0],
        "convolutions": flow.nn.functional.conv2d(fine.view(16, 1024, 8, 8), kernels)[0, 0, 0, 0],
    }
    return [name for name, total in sums.items() if total.item() == 1024]
