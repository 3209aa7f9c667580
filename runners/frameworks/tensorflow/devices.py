"""Which device TensorFlow uses, and how exactly it multiplies there."""

import tensorflow as tf

from runners.worker.contract import Unsupported, Unusable


def choose(wanted, local_rank):
    """Return the GPU for "auto", "cpu" or "gpu", and None for the CPU; each process of a node has a GPU of its own."""
    gpus = tf.config.list_physical_devices("GPU")
    if wanted == "cpu" or (wanted == "auto" and not gpus):
        tf.config.set_visible_devices([], "GPU")
        return None
    if local_rank >= len(gpus):
        raise Unusable(
            f"TensorFlow {tf.__version__} finds {len(gpus)} CUDA devices here, and process {local_rank} of this node needs"
            " one of its own. Check the driver and CUDA_VISIBLE_DEVICES, or measure the CPU."
        )
    tf.config.set_visible_devices(gpus[local_rank], "GPU")
    return gpus[local_rank]


def set_precision(precision, gpu):
    """Turn TF32, which is on by default, off for everything but `tf32`."""
    capability = tf.config.experimental.get_device_details(gpu).get("compute_capability", (0, 0)) if gpu else (0, 0)
    if precision == "tf32" and capability < (8, 0):
        raise Unsupported("TF32 is a format of NVIDIA GPUs from Ampere on; this device has none.", "never")
    tf.config.experimental.enable_tensor_float_32_execution(precision == "tf32")


def prove_precision(precision, place):
    """See that the GPU does what it was told: NVIDIA's libraries have an override of their own."""
    rounded = rounds_to_tf32(place)
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
    with tf.device(place):
        ones, fine = tf.ones((1024, 1024)), tf.fill((1024, 1024), 1 + 2**-12)
        images = tf.reshape(fine, (16, 8, 8, 1024))
        sums = {
            "matrix products": tf.matmul(fine, ones)[0, 0],
            "convolutions": tf.nn.conv2d(images, tf.reshape(ones, (1, 1, 1024, 1024)), 1, "VALID")[0, 0, 0, 0],
        }
    return [name for name, total in sums.items() if total == 1024]
