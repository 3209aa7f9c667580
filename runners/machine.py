"""What this host and its devices are, and how they are doing; facts only, None where the system can't tell."""

from __future__ import annotations

import math
import os
import platform
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from collector import schema
from runners import gpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from collector.fields import Scalar

_CGROUPS = Path("/sys/fs/cgroup")
_RESERVE = 16  # a sixteenth of the memory stays for everybody else


def describe(kind: str) -> schema.Machine:
    """Return the facts of this machine, its devices being those of one kind: "cpu" or "gpu"."""
    processor = cpu()
    devices = gpu_devices() if kind == "gpu" else [_cpu_device(processor)]
    return schema.Machine(
        name=name(processor, devices),
        nodes=1,
        cpu=processor,
        memory_bytes=psutil.virtual_memory().total,
        os=operating_system(),
        kernel=platform.release() or None,
        devices=devices,
        interconnect=None,
        storage=None,
        container=container(),
    )


def default_kind() -> str:
    """Return the kind of device that a job uses when nobody says: a GPU that CUDA shows, else the CPU."""
    return "gpu" if _visible_gpus() else "cpu"


def gpu_devices() -> list[schema.Device]:
    """Return the visible NVIDIA cards, one entry a kind of card."""
    found = gpus.find()
    shown = Counter(_kind(found[index]) for index in _visible_gpus())
    kinds = Counter(_kind(gpu) for gpu in found)
    first = {_kind(gpu): gpu for gpu in reversed(found)}
    return [
        schema.Device(
            name=gpu.name,
            kind="gpu",
            per_node=kinds[kind],
            visible=shown[kind],
            memory_bytes=gpu.memory_bytes,
            driver=gpu.driver,
            power_limit_watts=gpu.power_limit_watts,
            tf32=None,
        )
        for kind, gpu in first.items()
        if shown[kind]
    ]


def cpu() -> schema.Cpu:
    """Return name and size of the processor, and how many threads of it this process may use."""
    text = _read("/proc/cpuinfo")
    sockets = len(set(re.findall(r"^physical id\s*:\s*(\d+)", text, re.MULTILINE)))
    return schema.Cpu(
        name=_cpu_name(text),
        sockets=sockets or None,
        cores=psutil.cpu_count(logical=False),
        threads=psutil.cpu_count(),
        visible_threads=visible_threads(),
    )


def visible_threads() -> int:
    """Return how many hardware threads affinity and the control group's quota leave to this process."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quotas = [math.ceil(quota) for quota in _quotas(_read("/proc/self/cgroup"), _CGROUPS)]
    return max(1, min([allowed, *quotas]))


def free_memory() -> int:
    """Return the bytes that a new process may take: what is available, here and to our control groups, less a reserve."""
    memory = psutil.virtual_memory()
    rooms = [_room(folder) for folder in _groups("memory", _read("/proc/self/cgroup"), _CGROUPS)]
    free = min([memory.available, *(room for room in rooms if room is not None)])
    return max(0, free - memory.total // _RESERVE)


def operating_system() -> str:
    """Return the name and version of the operating system as it calls itself."""
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return f"{platform.system()} {platform.release()}".strip() or "unknown"


def container() -> str | None:
    """Return the kind of container that we run in, or None for none that we can see."""
    variables = os.environ
    signs = {
        "kubernetes": "KUBERNETES_SERVICE_HOST" in variables,
        "apptainer": "APPTAINER_CONTAINER" in variables or "SINGULARITY_CONTAINER" in variables,
        "podman": Path("/run/.containerenv").exists(),
        "docker": Path("/.dockerenv").exists(),
        "lxc": variables.get("container") == "lxc",
    }
    return next((kind for kind, seen in signs.items() if seen), None)


def name(processor: schema.Cpu, devices: list[schema.Device]) -> str:
    """Return a machine's name from what it is made of, such as `1x-nvidia-h200` or `amd-epyc-2-threads`."""
    device = devices[0]
    if device.kind == "cpu":
        return slug(f"{processor.name or 'cpu'} {processor.visible_threads} threads")
    return slug(f"{device.visible}x {device.name}")


def slug(text: str) -> str:
    """Return a text in lower-case ASCII letters, digits and hyphens, trade marks and clock rates left out."""
    plain = re.sub(r"\((r|tm|c)\)|\bcpu\b|@.*?ghz|\bprocessor\b", " ", text.casefold())
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "machine"


def telemetry(kind: str) -> Callable[[], dict[str, Scalar]]:
    """Return a function that tells the momentary state of the device that a job on one device uses."""
    if kind == "gpu":
        first = next(iter(_visible_gpus()), 0)  # found out now, not inside the window
        return lambda: dict(gpus.telemetry(first))
    return _cpu_state


def _cpu_state() -> dict[str, Scalar]:
    frequency = _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq").strip()
    return {
        "load_average_1min": round(os.getloadavg()[0], 2),
        "frequency_mhz": int(frequency) // 1000 if frequency.isdecimal() else _current_mhz(),
        "governor": _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or None,
    }


def _kind(gpu: gpus.Gpu) -> tuple[str, int | None]:
    return (gpu.name, gpu.memory_bytes)


def _visible_gpus() -> list[int]:
    return gpus.visible(gpus.find(), os.environ.get("CUDA_VISIBLE_DEVICES"))


def _cpu_device(processor: schema.Cpu) -> schema.Device:
    return schema.Device(
        name=processor.name,
        kind="cpu",
        per_node=1,
        visible=1,
        memory_bytes=None,
        driver=None,
        power_limit_watts=None,
        tf32=None,
    )


def _cpu_name(cpuinfo_text: str) -> str | None:
    if found := re.search(r"^model name\s*:\s*(.+)$", cpuinfo_text, re.MULTILINE):
        return " ".join(found[1].split())
    import cpuinfo  # slow: it runs programs to find out

    return cpuinfo.get_cpu_info().get("brand_raw") or platform.processor() or None


def _current_mhz() -> int | None:
    found = re.search(r"^cpu MHz\s*:\s*([\d.]+)", _read("/proc/cpuinfo"), re.MULTILINE)
    return round(float(found[1])) if found else None


def _quotas(membership: str, root: Path) -> Iterator[float]:
    """Yield the CPU quotas, in processors, of a process's control groups and their parents."""
    for folder in _groups("cpu", membership, root):
        yield from _quota(folder)


def _groups(controller: str, membership: str, root: Path) -> Iterator[Path]:
    """Yield the folders of a process's control groups and their parents (versions 2 and 1)."""
    for line in membership.splitlines():
        _number, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        base = root / controllers if controllers else root
        here = base / path.lstrip("/")
        yield from (folder for folder in [here, *here.parents] if folder.is_relative_to(base))


def _room(folder: Path) -> int | None:
    """Return the bytes that a control group may still take, None without a limit."""
    for limit, usage in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
        fields = [_read(folder / name).strip() for name in (limit, usage)]
        if all(field.isdecimal() for field in fields):
            return max(0, int(fields[0]) - int(fields[1]))
    return None


def _quota(folder: Path) -> Iterator[float]:
    fields = _read(folder / "cpu.max").split() or [
        _read(folder / "cpu.cfs_quota_us").strip(),
        _read(folder / "cpu.cfs_period_us").strip(),
    ]
    if all(field.isdecimal() for field in fields):  # "max" and -1 mean no limit
        yield int(fields[0]) / int(fields[1])


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
