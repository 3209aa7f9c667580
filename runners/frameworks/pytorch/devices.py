"""Which device PyTorch computes on, and with how many bits: TF32 is set, and then proved."""

import torch

from runners.worker.contract import Unsupported, Unusable


def choose_device(wanted, local_rank):
    """Return the device for "auto", "cpu" or "gpu"; each process of a node has a GPU of its own."""
    if wanted != "cpu" and torch.cuda.is_available():
        if local_rank >= torch.cuda.device_count():
            raise Unusable(
                f"Process {local_rank} of this node, counted from 0, has no GPU: PyTorch sees {torch.cuda.device_count()}."
                " Each process needs one of its own, and must see them all: check the launcher and CUDA_VISIBLE_DEVICES."
            )
        torch.cuda.set_device(local_rank)
        return torch.device("cuda", local_rank)
    if wanted == "gpu":
        raise Unusable(
            f"PyTorch {torch.__version__} finds no CUDA device here. Check the driver and CUDA_VISIBLE_DEVICES, or measure the CPU."
        )
    return torch.device("cpu")


def prove_precision(precision, place):
    """Turn TF32 on for `tf32` and off for everything else, and see that it is so: by default convolutions have it on."""
    has_tf32 = place.type == "cuda" and torch.cuda.get_device_capability() >= (8, 0)
    if precision == "tf32" and not has_tf32:
        raise Unsupported("TF32 is a format of NVIDIA GPUs from Ampere on; this device has none.", "never")
    if precision == "amp-fp16" and place.type == "cpu" and not computes_in_fp16():
        raise Unsupported("This CPU doesn't compute in half precision: it would have to be emulated.", "never")
    allow_tf32(precision == "tf32")
    rounded = rounds_to_tf32(place) if place.type == "cuda" else []
    if precision == "tf32" and "matrix products" not in rounded:
        raise Unusable(
            "The GPU's matrix products are not rounded to TF32 although tf32 is set. Unset NVIDIA_TF32_OVERRIDE."
        )
    if precision != "tf32" and rounded:
        raise Unusable(
            f"The GPU's {' and '.join(rounded)} are rounded to TF32 although {precision} is set. Unset NVIDIA_TF32_OVERRIDE."
        )


def computes_in_fp16():
    return any(present is True for name, present in torch.cpu.get_capabilities().items() if "fp16" in name)


def allow_tf32(allowed):
    torch.backends.fp32_precision = "tf32" if allowed else "ieee"


def rounds_to_tf32(place):
    """Name the operations that lose the last bits: 1 + 2^-12 is exact in FP32 and becomes 1 in TF32."""
    ones, fine = torch.ones(1024, 1024, device=place), torch.full((1024, 1024), 1 + 2**-12, device=place)
    sums = {
        "matrix products": (fine @ ones)[0, 0],
        "convolutions": torch.conv2d(fine.view(16, 1024, 8, 8), ones.view(1024, 1024, 1, 1))[0, 0, 0, 0],
    }
    return [name for name, total in sums.items() if total == 1024]
