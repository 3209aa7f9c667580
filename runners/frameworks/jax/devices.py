"""Which devices JAX computes on, with how many threads, in which precision."""

import os

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from runners.worker import process
from runners.worker.contract import Unsupported, Unusable

PRODUCTS = {"tf32": "tensorfloat32", "amp-bf16": "default", "fp32": "highest"}


def choose(request):
    """Return the devices of all processes, one each, and join the processes of the job; before anything is computed."""
    if request["device"] == "cpu":
        jax.config.update("jax_platforms", "cpu")
    if request["threads"] is not None:
        os.environ["NPROC"] = str(request["threads"])  # what XLA asks for the size of its pool on a CPU
    place = request["process"]
    if place["count"] == 1:
        devices = _devices()[:1]
    else:
        coordinator = process.addresses(request["scale"])[0]
        local = None if request["device"] == "cpu" else [place["local_rank"]]
        jax.distributed.initialize(coordinator, place["count"], place["rank"], local_device_ids=local)
        devices = _devices()
    if request["device"] == "gpu" and devices[0].platform != "gpu":
        raise Unusable(
            f"JAX {jax.__version__} finds no GPU here. Check the driver and CUDA_VISIBLE_DEVICES, or measure the CPU."
        )
    return devices


def _devices():
    try:
        return jax.devices()
    except RuntimeError as error:
        raise Unusable(
            f"JAX {jax.__version__} finds no device: {error}. Check JAX_PLATFORMS and the driver."
        ) from error


def set_precision(precision, device):
    """Choose how products are computed, and see that it is so: by default GPUs may use TF32 for float32."""
    if precision == "tf32" and (device.platform != "gpu" or float(device.compute_capability) < 8):
        raise Unsupported("TF32 is a format of NVIDIA GPUs from Ampere on; this device has none.", "never")
    jax.config.update("jax_default_matmul_precision", PRODUCTS[precision])
    rounded = rounds_to_tf32() if device.platform == "gpu" and precision != "amp-bf16" else None
    if rounded is not None and rounded != (precision == "tf32"):
        raise Unusable(
            f"The GPU's products are {'' if rounded else 'not '}rounded to TF32 although {precision} is set."
            " Unset NVIDIA_TF32_OVERRIDE and XLA_FLAGS."
        )


def rounds_to_tf32():
    """Tell whether matrix products or convolutions lose the last bits: 1 + 2^-12 is exact in FP32 and becomes 1 in TF32."""
    ones, fine = jnp.ones((1024, 1024)), jnp.full((1024, 1024), 1 + 2**-12)
    product = (fine @ ones)[0, 0]
    pixels, kernel = fine.reshape(16, 8, 8, 1024), ones.reshape(1, 1, 1024, 1024)
    layout = ("NHWC", "HWIO", "NHWC")
    convolution = jax.lax.conv_general_dilated(pixels, kernel, (1, 1), "SAME", dimension_numbers=layout)[0, 0, 0, 0]
    return 1024 in (float(product), float(convolution))


def shardings(devices):
    """Return how a batch is shared out among the devices, and how anything lies on all of them."""
    mesh = Mesh(devices, ("data",))
    return NamedSharding(mesh, PartitionSpec("data")), NamedSharding(mesh, PartitionSpec())
