"""NVIDIA DLLogger: its text form with the older ones, and its JSON form, a line an object."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from collector.logs.lines import MAX_STEP, NUMBER, Log, Mark, Summary, number, seconds, stated, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from collector.logs.lines import Line, Unit

RANK = 3

_TEXT = re.compile(r"\bDLL (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?) - (.*)")
_JSON = re.compile(r"DLLL (\{.*\})")
_EPOCH = re.compile(r"\bEpoch: ?(\d{1,9})\b")
_STEP = re.compile(r"\bIteration: ?(\d{1,12})\b")
_FIELD = re.compile(rf"(?<![\w.])([\w.]{{1,80}}) : ({NUMBER})(?:\s|$)", re.IGNORECASE)
_SETTING = re.compile(r"(?<!\w)(\w{1,80}) : (\S*)")
_BAR = re.compile(r"\|\s*(\d{1,9})/\d{1,9} \[")
_TABLE = re.compile(r"(?<!\S)\d{1,9} *\| *(\d{1,12}(?:\.\d{1,9})?) *\|\s*$")
RATES: dict[str, Unit] = {
    "train.ips": "images/s",
    "train.total_ips": "images/s",
    "train_throughput": "samples/s",
    "throughput_train": "samples/s",
    "total_ips": "images/s",
    "ips": "samples/s",
    "throughput": "samples/s",
    "imgs_per_sec": "images/s",
    "images_per_second": "images/s",
    "training_sequences_per_second": "sequences/s",
    "sequences_per_second": "sequences/s",
}
UNITS: dict[str, Unit] = {"i": "images/s", "se": "sequences/s", "sa": "samples/s"}
LOSSES = ("train.loss", "step_loss", "final_loss", "train_loss", "total_loss", "loss")

STEP = 2  # parts of a place: epoch and iteration; an epoch alone is its end, none at all the end of the run

# Line, time, place (None for parameters), values, text (empty for JSON).
Record = tuple[int, float | None, tuple[int, ...] | None, dict[str, Any], str]


def recognises(lines: Sequence[Line]) -> bool:
    """Say whether any line is DLLogger's."""
    return any(_TEXT.search(line.text) or _JSON.search(line.text) for line in lines)


def parse(lines: Sequence[Line]) -> Log:
    """Read steps, summary and parameters; a progress bar between two steps shows the micro-batches of one."""
    records = [record for line in lines if (record := _record(line)) is not None]
    marks = [mark for record in records if (mark := _mark(record)) is not None]
    rates = list(dict.fromkeys(name for record in records for name in record[3] if name in RATES))
    units = {name: _unit(name, records) for name in rates}
    summaries = [found for record in records if record[2] == () for found in _summaries(record, units)]
    settings = next((_settings(record) for record in records if record[2] is None), {})
    return Log(
        line=records[0][0] if records else 1,
        marks=tuple(marks),
        summaries=(*summaries, *_table(lines, units)),
        facts=_mode(records) | _facts(settings) | stated({"accumulation": _micro_batches(lines, marks)}),
        unit=units[rates[0]] if rates else "samples/s",
        started=records[0][1] if records else None,
    )


def _record(line: Line) -> Record | None:
    found = _JSON.search(line.text)
    if found:
        return _json_record(line.number, found[1])
    found = _TEXT.search(line.text)
    if found is None:
        return None
    body = found[2]
    values = {name: number(value) for name, value in _FIELD.findall(body)}
    epoch, iteration = (match and int(match[1]) for match in (_EPOCH.search(body), _STEP.search(body)))
    step = None if body.startswith("PARAMETER") else _place(epoch, iteration)
    return line.number, seconds(found[1]), step, values, body


def _place(epoch: int | None, iteration: int | None) -> tuple[int, ...]:
    if iteration is not None:
        return (epoch or 0, iteration)
    return () if epoch is None else (epoch,)


def _json_record(place: int, text: str) -> Record | None:
    try:
        entry = json.loads(text)
        stamp, step, values = entry.get("datetime"), entry.get("step"), entry.get("data")
    except (ValueError, AttributeError, RecursionError):  # cut off, or another object
        return None
    if entry.get("type") != "LOG" or not isinstance(values, dict):
        return None
    at = seconds(stamp) if isinstance(stamp, str) else number(str(entry.get("timestamp")))
    if step == "PARAMETER":
        return place, at, None, values, ""
    steps = [0, step] if isinstance(step, int) else step if isinstance(step, list) else []
    if not all(isinstance(part, int) and 0 <= part < MAX_STEP for part in steps):
        return None
    return place, at, tuple(steps), values, ""


def _mark(record: Record) -> Mark | None:
    place, at, step, values, _text = record
    if step is None or len(step) < STEP or at is None:
        return None
    rate = next((_figure(values[name]) for name in RATES if name in values), None)
    loss = next((_figure(values[name]) for name in LOSSES if name in values), None)
    if rate is None and loss is None:
        return None
    return Mark(place, step[0], step[1], at, rate, loss)


def _figure(value: object) -> float | None:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number(str(value)) if usable else None


def _summaries(record: Record, units: Mapping[str, Unit]) -> Iterator[Summary]:
    for name, unit in units.items():
        value = _figure(record[3].get(name))
        if value is not None:
            yield Summary("throughput", f"summary of the log, {name}", value, unit, f"{name} : {record[3][name]}")


def _table(lines: Sequence[Line], units: Mapping[str, Unit]) -> Iterator[Summary]:
    """Yield the figure of the table that NVIDIA's benchmark script draws: devices down, batch across."""
    for title, _batch, _ruler, row in zip(lines, lines[1:], lines[2:], lines[3:], strict=False):
        found, name = _TABLE.search(row.text), title.text.rpartition(" ")[2].strip()
        if name in units and found and (value := number(found[1])) is not None:
            yield Summary("throughput", f"table of the log, {name}", value, units[name], found[0].strip())


def _unit(name: str, records: Sequence[Record]) -> Unit:
    """Return the unit that stands behind a rate, or the one that its name has."""
    behind = re.compile(rf"(?<![\w.]){re.escape(name)} : \S+ (i|se|sa)\w*/s")
    said = next((found[1] for record in records if (found := behind.search(record[4]))), None)
    return UNITS[said] if said else RATES[name]


def _settings(record: Record) -> Mapping[str, Any]:
    return record[3] if not record[4] else dict(_SETTING.findall(record[4]))


def _mode(records: Sequence[Record]) -> dict[str, str | int]:
    """Return the mode where the names of values tell it."""
    names = {name for record in records for name in record[3]}
    return {"mode": "training"} if any(name.startswith(("train.", "train_", "training_")) for name in names) else {}


def _facts(settings: Mapping[str, Any]) -> dict[str, str | int]:
    """Return what parameters state whose meaning their script settles; PyTorch's and MXNet's ResNet of NVIDIA."""
    text = {name: str(value) for name, value in settings.items()}
    facts: dict[str, str | int | None] = {"mode": "training" if text.get("mode") == "train" else None}
    if "optimizer_batch_size" in text and "world_size" in text:
        facts |= {
            "framework": "pytorch",
            "devices": whole(text["world_size"]),
            "batch": whole(text.get("batch_size", "")),
        }
        if text["optimizer_batch_size"] == "-1":
            facts["accumulation"] = 1
    elif "kv_store" in text:
        facts |= {"framework": "mxnet", "global": whole(text.get("batch_size", ""))}
    if text.get("data_backend", "").startswith(("dali", "pytorch")):
        facts["data_kind"] = "real"
    if (seed := whole(text.get("seed", ""))) is not None:
        facts["seed"] = seed
    return stated(facts)


def _micro_batches(lines: Sequence[Line], marks: Sequence[Mark]) -> int | None:
    """Return the progress between two steps, if it is always the same."""
    places, bar, counts = {mark.line: mark.step for mark in marks}, None, []
    shown: list[tuple[int, int]] = []
    for line in lines:
        found = _BAR.search(line.text)
        bar = int(found[1]) if found else bar
        if line.number in places and bar is not None and _TEXT.search(line.text):
            shown.append((places[line.number], bar))
    for (step, before), (following, after) in pairwise(shown):
        counts.append((after - before) / (following - step) if following > step else 0)
    alike = set(counts)
    return int(alike.pop()) if len(alike) == 1 and min(counts) >= 1 and float(counts[0]).is_integer() else None
