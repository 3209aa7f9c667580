"""NVIDIA GPUs through NVML: what they are, which of them a job may use, and how they are doing."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Gpu:
    """One card; `uuid` serves to read CUDA_VISIBLE_DEVICES and goes nowhere else."""

    name: str
    uuid: str
    memory_bytes: int | None
    driver: str | None
    power_limit_watts: float | None


def find() -> list[Gpu]:
    """Return all cards of this machine in PCI order; none where there is no driver."""
    with _nvml() as nvml:
        if nvml is None:
            return []
        driver = _ask(nvml, nvml.nvmlSystemGetDriverVersion)
        return [_gpu(nvml, index, driver) for index in range(nvml.nvmlDeviceGetCount())]


def visible(gpus: Sequence[Gpu], setting: str | None) -> list[int]:
    """Return the positions of the cards that CUDA shows under a value of CUDA_VISIBLE_DEVICES (None: not set).

    As CUDA does it, the list ends at the first entry that names no card.
    """
    if setting is None:
        return list(range(len(gpus)))
    chosen: list[int] = []
    for entry in (part.strip() for part in setting.split(",")):
        index = _position(gpus, entry)
        if index is None or index in chosen:
            break
        chosen.append(index)
    return chosen


def telemetry(index: int) -> dict[str, str | int | float | bool | None]:
    """Return clocks, temperature, power, throttle reasons, ECC and MIG of one card; null where the card can't tell."""
    with _nvml() as nvml:
        if nvml is None:
            return {}
        card = nvml.nvmlDeviceGetHandleByIndex(index)
        throttle = _ask(nvml, nvml.nvmlDeviceGetCurrentClocksEventReasons, card)
        power = _ask(nvml, nvml.nvmlDeviceGetPowerUsage, card)
        ecc = _ask(nvml, nvml.nvmlDeviceGetEccMode, card)
        mig = _ask(nvml, nvml.nvmlDeviceGetMigMode, card)
        return {
            "sm_clock_mhz": _ask(nvml, nvml.nvmlDeviceGetClockInfo, card, nvml.NVML_CLOCK_SM),
            "memory_clock_mhz": _ask(nvml, nvml.nvmlDeviceGetClockInfo, card, nvml.NVML_CLOCK_MEM),
            "temperature_celsius": _ask(nvml, nvml.nvmlDeviceGetTemperature, card, nvml.NVML_TEMPERATURE_GPU),
            "power_watts": None if power is None else power / 1000,
            "throttle_reasons": None if throttle is None else _throttle_names(nvml, throttle),
            "ecc": None if ecc is None else bool(ecc[0]),
            "mig": None if mig is None else bool(mig[0]),
        }


def _gpu(nvml: ModuleType, index: int, driver: str | None) -> Gpu:
    card = nvml.nvmlDeviceGetHandleByIndex(index)
    memory = _ask(nvml, nvml.nvmlDeviceGetMemoryInfo, card)
    limit = _ask(nvml, nvml.nvmlDeviceGetEnforcedPowerLimit, card)
    return Gpu(
        name=nvml.nvmlDeviceGetName(card),
        uuid=nvml.nvmlDeviceGetUUID(card),
        memory_bytes=memory and int(memory.total),
        driver=driver,
        power_limit_watts=limit / 1000 if limit else None,
    )


def _position(gpus: Sequence[Gpu], entry: str) -> int | None:
    if entry.isdecimal():
        return int(entry) if int(entry) < len(gpus) else None
    if not entry.startswith("GPU-"):
        return None
    return next((index for index, gpu in enumerate(gpus) if gpu.uuid.startswith(entry)), None)


def _throttle_names(nvml: ModuleType, bits: int) -> str:
    """Return the reasons of a bit mask by NVML's own names, "none" for no bit."""
    prefix = "nvmlClocksEventReason"
    names = {
        name.removeprefix(prefix): value
        for name, value in vars(nvml).items()
        if name.startswith(prefix) and isinstance(value, int) and value
    }
    return ", ".join(sorted(name for name, value in names.items() if bits & value and name != "All")) or "none"


def _ask(nvml: ModuleType, question: Callable[..., _Value], *arguments: object) -> _Value | None:
    """Return an answer of NVML, or None: laptops, MIG slices and old cards lack some of them."""
    try:
        return question(*arguments)
    except nvml.NVMLError:
        return None


@contextlib.contextmanager
def _nvml() -> Iterator[ModuleType | None]:
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        yield None
        return
    try:
        yield pynvml
    finally:
        pynvml.nvmlShutdown()
