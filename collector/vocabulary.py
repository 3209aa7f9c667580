"""Canonical names of frameworks, hardware, metrics and workloads, and the facts that belong to them.

Lookup is exact over names and aliases, without regard to case, and for devices to how a name is written (`spelling`);
near misses are offered, never applied.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from collector import spelling
from collector.fields import LONGEST_NAME
from collector.schema import DeviceKind, Mode

Titles = Mapping[str, str]  # language -> text


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


Known = TypeVar("Known", bound=_Entry)


class Framework(_Entry):
    name: str
    aliases: tuple[str, ...]
    url: str


class Hardware(_Entry):
    """Figures are nominal: `peak` is dense FLOP/s by precision; `source` says which of the vendor's documents gives them.

    An entry without `variant_stated` equals no device, not even itself. `compute_capability` is NVIDIA's.
    """

    kind: DeviceKind
    vendor: str
    aliases: tuple[str, ...]
    variant_stated: bool = True
    form_factor: str | None = None
    memory_bytes: int | None = None
    bandwidth_bytes_per_second: float | None = None
    tdp_watts: float | None = None
    compute_capability: float | None = None
    peak: Mapping[str, float] = {}
    source: str | None = None


class Metric(_Entry):
    """`other_units` are those that a source may report in, each with its factor to `unit`."""

    unit: str
    other_units: Mapping[str, float] = {}
    better: Literal["higher", "lower"]
    title: Titles


class Accuracy(_Entry):
    """The spread of final quality that public runs show; below `low` - 0.01 a run is invalid."""

    metric: str
    low: float
    high: float


class RealData(_Entry):
    epochs: int
    train_samples: int
    test_samples: int


class Workload(_Entry):
    """A network, its task and its data shapes. Counts are per sample, forward; `expected_loss` in nats."""

    version: int
    title: Titles
    task: Titles
    item: Titles
    mode: Mode
    metric: str
    fixed_metric: str | None = None
    parameters: tuple[int, ...]
    expected_loss: float | None = None
    logits: bool = False  # the proof of equality includes logits
    multiply_adds: int
    accuracy: Accuracy | None = None
    board: bool = True
    batch: Mapping[str, int]
    network: Mapping[str, Any] = {}
    optimizer: Mapping[str, Any] = {}
    real: RealData | None = None


class ForeignWorkload(_Entry):
    """A job that we don't run, known from what others published; nothing is compared with it."""

    title: Titles
    item: Titles


@dataclass(frozen=True)
class Vocabulary:
    """All canonical names; each mapping is ordered by name. No workload is both ours and `foreign`."""

    frameworks: Mapping[str, Framework]
    hardware: Mapping[str, Hardware]
    metrics: Mapping[str, Metric]
    workloads: Mapping[str, Workload]
    foreign: Mapping[str, ForeignWorkload]

    def named_workload(self, workload: str) -> Workload | ForeignWorkload | None:
        """Return what a workload is called, whoever's it is, or None."""
        return self.workloads.get(workload) or self.foreign.get(workload)

    def canonical_hardware(self, name: str) -> str | None:
        """Return the canonical device for a name as submitted, or None; a count or a note beside the name may stand."""
        if name not in self._looked_up:
            keys = map(spelling.key, spelling.forms(name))
            self._looked_up[name] = next((self._devices[key] for key in keys if key in self._devices), None)
        return self._looked_up[name]

    def devices_like(self, name: str) -> list[str]:
        """Return at most three devices, as the vocabulary writes them, that look like a name that it doesn't know."""
        return near_misses(spelling.spelled(name).name, dict.fromkeys(written for written, _name in self._written()))

    @cached_property
    def _looked_up(self) -> dict[str, str | None]:
        """Devices by the name as submitted, remembered: evening out a name takes long, and few names stand often."""
        return {}

    @cached_property
    def _frameworks(self) -> Mapping[str, str]:
        written = ((spelled, key) for key, entry in self.frameworks.items() for spelled in (entry.name, *entry.aliases))
        return {spelled.casefold(): key for spelled, key in (*written, *((key, key) for key in self.frameworks))}

    @cached_property
    def _devices(self) -> Mapping[str, str]:
        return {spelling.key(written): name for written, name in self._written()}

    def _written(self) -> Iterator[tuple[str, str]]:
        return ((written, name) for name, entry in self.hardware.items() for written in (name, *entry.aliases))

    def canonical_framework(self, name: str) -> str | None:
        """Return the id of a framework for a name as a source writes it, or None."""
        return self._frameworks.get(name.strip().casefold())


def near_misses(name: str, known: Mapping[str, Any]) -> list[str]:
    """Return at most three known names that look like `name`, the likeliest first; none of a name beyond all measure."""
    if len(name) > LONGEST_NAME:
        return []
    folded = {candidate.casefold(): candidate for candidate in known}
    return [folded[match] for match in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)]


def build(tables: Mapping[str, Mapping[str, Any]], workloads: Mapping[str, Mapping[str, Any]]) -> Vocabulary:
    """Build the vocabulary from parsed TOML: `tables` by file stem, `workloads` by id.

    Raises ValueError that names the entry and its field.
    """
    return Vocabulary(
        frameworks=_entries(Framework, "vocabulary/frameworks.toml", dict(sorted(tables["frameworks"].items()))),
        hardware=_entries(Hardware, "vocabulary/hardware", dict(sorted(tables["hardware"].items()))),
        metrics=_entries(Metric, "vocabulary/metrics.toml", tables["metrics"]),
        workloads=_entries(Workload, "workloads", dict(sorted(workloads.items()))),
        foreign=_entries(ForeignWorkload, "vocabulary/workloads.toml", _foreign(tables, workloads)),
    )


def _foreign(tables: Mapping[str, Mapping[str, Any]], ours: Mapping[str, Any]) -> dict[str, Any]:
    entries = dict(sorted(tables.get("workloads", {}).items()))
    for key in entries.keys() & ours.keys():
        raise ValueError(f"vocabulary/workloads.toml, entry {key!r}: it is specified in workloads/{key}.toml already.")
    return entries


def _entries(kind: type[Known], file: str, entries: Mapping[str, Any]) -> dict[str, Known]:
    found = {}
    for key, entry in entries.items():
        try:
            found[key] = kind.model_validate(entry)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise ValueError(f"{file}, entry {key!r}, field {field!r}: {first['msg']}.") from error
    return found
