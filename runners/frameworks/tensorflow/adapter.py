"""TensorFlow, on CPUs or CUDA devices. A workload's own part is the module named after it.

The training step is a function that TensorFlow traces into a graph, with Keras' layers and optimizers inside it.
"""

import importlib
import importlib.metadata
import itertools
import json
import os

import numpy as np
import tensorflow as tf

from runners.frameworks.tensorflow import devices, layouts
from runners.worker import process, synthetic
from runners.worker.contract import Adapter as Contract
from runners.worker.contract import Unsupported, python_stack

POLICIES = {"amp-bf16": "mixed_bfloat16", "amp-fp16": "mixed_float16"}


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
    launchers = ("mpiexec", "srun")

    def __init__(self, request):
        super().__init__(request)
        module = self.workload["id"].replace("-", "_")
        self.job = importlib.import_module(f"runners.frameworks.tensorflow.{module}")
        self.trains = self.workload["mode"] == "training"
        self.gpu = devices.choose(request["device"], self.process["local_rank"])
        self.place = "GPU:0" if self.gpu else "CPU:0"
        if request["threads"] is not None:
            tf.config.threading.set_intra_op_parallelism_threads(request["threads"])
            tf.config.threading.set_inter_op_parallelism_threads(request["threads"])
        devices.set_precision(request["precision"], self.gpu)
        if self.trains and self.process["count"] > 1 and request["precision"] == "amp-fp16":
            raise Unsupported(
                "Keras' LossScaleOptimizer looks for overflows before the gradients are summed: with several devices"
                " some would skip a step that the others do. Measure amp-bf16.",
                "upstream",
            )

    def prepare(self):
        self.strategy = self.join() if self.process["count"] > 1 else tf.distribute.get_strategy()
        tf.keras.utils.set_random_seed(self.request["seed"])
        precision = self.request["precision"]
        if self.gpu:
            devices.prove_precision(precision, self.place)
            tf.config.experimental.reset_memory_stats(self.place)
        tf.keras.mixed_precision.set_global_policy(POLICIES.get(precision, "float32"))
        with self.strategy.scope():
            self.network = self.job.network(self.workload)
            if self.trains:
                self.optimizer = self.job.optimizer(self.workload)
                if precision == "amp-fp16":
                    self.optimizer = tf.keras.mixed_precision.LossScaleOptimizer(self.optimizer)
                self.optimizer.build(self.network.trainable_variables)
        self.batches = self.batches_of(self.request["data"]["kind"])
        self.kept = []

    def join(self):
        """Meet the other processes of the job; gradients go over NCCL between GPUs and over gRPC between CPUs."""
        cluster = {"worker": process.addresses(self.request["scale"])}
        task = {"type": "worker", "index": self.process["rank"]}
        os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": task})
        return tf.distribute.MultiWorkerMirroredStrategy()

    # step: data
    def batches_of(self, kind):
        """Return an endless iterator over batches, each a tuple of tensors."""
        if kind == "real":
            batches = self.job.real_batches(self.request)
            return itertools.chain([next(batches)], batches)  # starting what loads is not timed
        ring = [layouts.channels_last(arrays) for arrays in synthetic.ring(self.request, self.process)]
        if kind == "synthetic-device":
            with tf.device(self.place):
                return itertools.cycle([tuple(map(tf.constant, batch)) for batch in ring])
        with tf.device("CPU:0"):
            dataset = tf.data.Dataset.from_tensor_slices(tuple(map(np.stack, zip(*ring))))
        return iter(dataset.repeat().prefetch(tf.data.AUTOTUNE))

    def parameters(self):
        return sum(int(np.prod(variable.shape)) for variable in self.network.trainable_variables)

    def probe(self):
        if not self.trains:
            return None
        # Training mode is for batch normalisation here: no network that has it has dropout too.
        training = any(variable.name == "moving_mean" for variable in self.network.non_trainable_variables)
        batch = layouts.channels_last(synthetic.probe(self.workload))
        # A graph gives up what it has used; run layer by layer, DenseNet would need all of the memory.
        return float(tf.function(self.job.loss)(self.network, *batch, training=training))

    def logits(self, weights, inputs):
        tf.keras.mixed_precision.set_global_policy("float32")
        network = self.job.network(self.workload)
        layouts.assign(network, list(weights.values()))
        outputs = network(*layouts.channels_last(inputs), training=False)
        return [output.numpy() for output in tf.nest.flatten(outputs)]

    # step: train
    def step(self):
        batch = next(self.batches)
        if self.trains:
            self.kept.append(self.update(batch))
        else:
            self.kept.append(self.features(batch).numpy().mean())

    # step: train
    @tf.function
    def update(self, batch):
        loss, gradients = self.strategy.run(self.averaged_gradients, args=(batch,))
        self.optimizer.apply(gradients, self.network.trainable_variables)
        return loss

    # step: train
    def averaged_gradients(self, batch):
        with tf.GradientTape() as tape:
            loss = self.job.loss(self.network, *batch, training=True)
            objective = self.optimizer.scale_loss(loss + sum(self.network.losses))
        gradients = tape.gradient(objective, self.network.trainable_variables)
        return loss, tf.distribute.get_replica_context().all_reduce("MEAN", gradients)

    @tf.function
    def features(self, batch):
        return self.network(*batch, training=False)

    # step: synchronise
    def synchronise(self):
        # As tf.test.experimental.sync_devices, which asks the other processes' devices too and fails there.
        with tf.device(self.place):
            tf.raw_ops.SyncDevice()

    def barrier(self):
        if self.process["count"] > 1:
            self.meet().numpy()

    @tf.function
    def meet(self):
        return self.strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("SUM", tf.constant(1.0)))

    def losses(self):
        return [float(loss) for loss in self.kept]

    def evaluate(self):
        return self.job.quality(self.network, self.request)

    def checksum(self):
        return sum(float(tf.reduce_sum(tf.cast(variable, "float64"))) for variable in self.network.trainable_variables)

    def loader(self):
        if self.request["data"]["kind"] != "real":
            return super().loader()
        return {"loader": "tf.data", "workers": self.request["loader_workers"], "cache": None}

    def stack(self):
        build = tf.sysconfig.get_build_info()
        return python_stack(
            tf.__version__,
            "function",
            cuda=build.get("cuda_version"),
            cudnn=installed("nvidia-cudnn-cu12") or build.get("cudnn_version"),
            nccl=installed("nvidia-nccl-cu12"),
            packages={"keras": tf.keras.__version__, "numpy": np.__version__, "tensorflow": tf.__version__},
        )

    def device(self):
        if not self.gpu:
            return super().device()
        name = tf.config.experimental.get_device_details(self.gpu).get("device_name")
        return {"name": name, "kind": "gpu", "memory_bytes": None, "tf32": self.request["precision"] == "tf32"}

    def peak_memory(self):
        return tf.config.experimental.get_memory_info(self.place)["peak"] if self.gpu else None

    def out_of_memory(self, error):
        return isinstance(error, tf.errors.ResourceExhaustedError) or super().out_of_memory(error)


def installed(package):
    """Return the release of a package that pip installed; None where CUDA's libraries come from elsewhere."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
