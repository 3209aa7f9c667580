"""Which environment variables a worker gets, and which of them a submission records: white lists, never everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# What a process needs to run at all; says nothing about speed and isn't recorded.
_NEEDED = ("HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "CUDA_HOME", "CUDA_PATH")

# What changes speed or results. Prefixes are narrow on purpose: TF_VAR_… and the like hold other people's secrets.
_MATTER = (
    "CUBLAS_WORKSPACE_CONFIG",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "CUDA_VISIBLE_DEVICES",
    "LD_PRELOAD",
    "NVIDIA_TF32_OVERRIDE",
    "XLA_FLAGS",
)
_MATTER_PREFIXES = (
    "BLIS_",
    "CUDNN_",
    "DNNL_",
    "GLOO_",
    "GOMP_",
    "GOTO_",
    "KMP_",
    "MALLOC_",
    "MKL_",
    "MXNET_",
    "NCCL_",
    "OMP_",
    "ONEDNN_",
    "OPENBLAS_",
    "TF_CUDNN_",
    "TF_ENABLE_",
    "TF_FORCE_",
    "TF_GPU_",
    "TF_NUM_",
    "TF_XLA_",
    "TORCH_ALLOW_",
    "TORCH_CUDNN_",
    "TORCH_NCCL_",
)

# What an engine that starts the processes of a job goes by: the allocation, its settings, the way to other nodes.
_LAUNCHER_PREFIXES = ("OMPI_MCA_", "PMIX_MCA_", "PRTE_MCA_", "SLURM_", "SSH_AUTH_SOCK")

_FIXED = {
    "CUDA_DEVICE_ORDER": "PCI_BUS_ID",  # NVML counts so; then both mean the same device by a number
    "PYTHONFAULTHANDLER": "1",  # a crash leaves a traceback in the log
    "PYTHONHASHSEED": "0",
    "PYTHONIOENCODING": "utf-8:backslashreplace",
    "PYTHONNOUSERSITE": "1",
}


def for_worker(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a worker starts with."""
    kept = {name: value for name, value in variables.items() if name in _NEEDED or _matters(name)}
    return {**kept, **_FIXED}


def for_launcher(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that the launcher of a job needs besides the workers'."""
    return {name: value for name, value in variables.items() if name.startswith(_LAUNCHER_PREFIXES)}


def recorded(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that belong into a submission."""
    return {name: value for name, value in sorted(variables.items()) if _matters(name)}


def for_installation(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for venv and pip: the user's own, less those that would point at another Python."""
    return {name: value for name, value in variables.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def _matters(name: str) -> bool:
    return name in _MATTER or name.startswith(_MATTER_PREFIXES)
