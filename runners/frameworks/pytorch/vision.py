"""torchvision, also beside a PyTorch without CUDA: there PyPI's build, which is one for CUDA, needs help."""

import torch

try:
    import torchvision  # noqa: F401 - whether its import works is the question
except RuntimeError:
    if torch.version.cuda is not None:
        raise
    # Its own kernels didn't load, and it registers shapes for two operators of object detection that they would define.
    # Kept in a variable: the operators go away with the library that defines them.
    detection = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        detection.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

from torchvision import models, transforms

__all__ = ["models", "transforms"]
