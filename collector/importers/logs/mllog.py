"""MLPerf's compliance log: `:::MLL seconds key: {...}` (v0.6) and `:::MLLOG {...}` (v0.7 on), with its system file.

Its own figure is the time from run_start to run_stop; of names and addresses in it nothing is taken.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from collector.logs.lines import Log, Summary, number, stated, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from collector.logs.lines import Line

RANK = 4
LATEST = 4e12  # ms from 1970, the year 2096

_OLD = re.compile(r":::MLL ([1-3]?\d{9}\.\d{1,9}) (\w{1,80}): (\{.*)")
_NEW = re.compile(r":::MLLOG (\{.*)")
_ENTRY = re.compile(r"^(?:submission_)?entry: (\{.*)", re.MULTILINE)
_FRAMEWORK = re.compile(r"^([A-Za-z]+)")
_GIB = re.compile(r"^(\d{1,9}(?:\.\d+)?) ?Gi?B?$", re.IGNORECASE)


@dataclass(frozen=True)
class Event:
    """A key with its value at a time, seconds from 1970."""

    line: int
    at: float
    key: str
    value: object
    metadata: Mapping[str, Any]


def recognises(lines: Sequence[Line]) -> bool:
    """Say whether any line is MLPerf's."""
    return any(_OLD.search(line.text) or _NEW.search(line.text) for line in lines)


def parse(lines: Sequence[Line]) -> Log:
    """Read epochs, the time to the target, the last accuracy, and what is stated of system and batch."""
    events = [event for line in lines if (event := _event(line)) is not None]
    start, stop = _first(events, "run_start"), _first(events, "run_stop")
    entry = next((event.value for event in events if event.key == "submission_entry"), None)
    return Log(
        line=start.line if start else events[0].line if events else 1,
        summaries=tuple(_summaries(events, start, stop)),
        facts=_system(entry if isinstance(entry, str) else "") | _settings(events),
        started=start.at if start else None,
        utc=True,
        epochs=tuple(_epochs(events)),
        failure=_failure(start, stop),
    )


def system(text: str) -> dict[str, str | int]:
    """Return what a system file states: that of v0.6, which is a log without its marks, or the JSON of later rounds."""
    found = _ENTRY.search(text)
    if found:
        value = _object(found[1]).get("value")
        return _system(value if isinstance(value, str) else "")
    return _from_description(_object(text))


def _event(line: Line) -> Event | None:
    old, new = _OLD.search(line.text), _NEW.search(line.text)
    entry = _object(old[3] if old else new[1] if new else "")
    metadata = entry.get("metadata")
    if old and entry:
        return Event(
            line.number, float(old[1]), old[2], entry.get("value"), metadata if isinstance(metadata, dict) else {}
        )
    at, key = entry.get("time_ms"), entry.get("key")
    if not isinstance(at, (int, float)) or not isinstance(key, str) or not 0 < at < LATEST:
        return None
    return Event(line.number, at / 1000, key, entry.get("value"), metadata if isinstance(metadata, dict) else {})


def _object(text: str) -> dict[str, Any]:
    """Return a JSON object, empty if it is cut off or something else."""
    try:
        value = json.JSONDecoder().raw_decode(text.strip())[0]
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _first(events: Sequence[Event], key: str) -> Event | None:
    return next((event for event in events if event.key == key), None)


def _summaries(events: Sequence[Event], start: Event | None, stop: Event | None) -> Iterator[Summary]:
    if start and stop and stop.at > start.at:
        minutes = (stop.at - start.at) / 60
        yield Summary("minutes-to-target", "run_start to run_stop", minutes, "min", f"{start.at:.3f} to {stop.at:.3f}")
    reached = [event for event in events if event.key == "eval_accuracy"]
    accuracy = number(str(reached[-1].value)) if reached else None
    if accuracy is not None and 0 <= accuracy <= 1:
        yield Summary("accuracy", "last eval_accuracy", accuracy, "fraction", str(reached[-1].value))


def _failure(start: Event | None, stop: Event | None) -> str | None:
    if start is None or stop is None:
        return f"The log has no {'run_start' if start is None else 'run_stop'}, so the time to the target isn't known."
    status = stop.metadata.get("status")
    if status != "success":
        return f"The run stopped after {(stop.at - start.at) / 60:.2f} minutes with the status {status if str(status).isalpha() else 'unknown'}, short of its target."
    return None


def _epochs(events: Sequence[Event]) -> Iterator[float]:
    """Yield the seconds of each epoch that begins and ends; several processes may print the same."""
    begun: dict[object, float] = {}
    for event in events:
        epoch = event.metadata.get("epoch_num")
        if event.key == "epoch_start" and isinstance(epoch, int):
            begun.setdefault(epoch, event.at)
        elif event.key == "epoch_stop" and isinstance(epoch, int) and begun.get(epoch, event.at) < event.at:
            yield event.at - begun[epoch]
            begun[epoch] = event.at


def _settings(events: Sequence[Event]) -> dict[str, str | int]:
    values = {event.key: event.value for event in reversed(events)}
    names = {"global": "global_batch_size", "accumulation": "gradient_accumulation_steps", "seed": "seed"}
    return {"mode": "training"} | stated({name: whole(str(values.get(key, ""))) for name, key in names.items()})


def _system(text: str) -> dict[str, str | int]:
    """Return the facts of an entry of v0.6: a Python literal with Python literals in it."""
    entry = _literal(text)
    node, libraries = _literal(entry.get("nodes", "")), _literal(entry.get("libraries", ""))
    nodes, per_node = whole(node.get("num_nodes", "")), whole(node.get("num_accelerators", ""))
    memory = _GIB.match(node.get("sys_mem_size", ""))
    return _facts(
        entry.get("framework"),
        nodes,
        per_node,
        device=node.get("accelerator"),
        cpu=node.get("cpu"),
        memory_bytes=round(float(memory[1]) * 2**30) if memory else None,
        os=entry.get("os"),
        interconnect=entry.get("interconnect"),
        driver=libraries.get("cuda_driver_version"),
        cuda=libraries.get("cuda_version"),
        cudnn=libraries.get("cudnn_version"),
        nccl=libraries.get("nccl_version"),
    )


def _literal(text: str) -> dict[str, str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in it
            value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return {}
    return (
        {key: said.strip() for key, said in value.items() if isinstance(said, str) and said.strip() not in ("", "N/A")}
        if isinstance(value, dict)
        else {}
    )


def _from_description(entry: Mapping[str, Any]) -> dict[str, str | int]:
    """Return the facts of a system description of the later rounds."""
    text = {
        key: str(value).strip() for key, value in entry.items() if isinstance(value, (str, int)) and str(value).strip()
    }
    nodes, per_node = whole(text.get("number_of_nodes", "")), whole(text.get("accelerators_per_node", ""))
    return _facts(
        text.get("framework"),
        nodes,
        per_node,
        device=text.get("accelerator_model_name"),
        cpu=text.get("host_processor_model_name"),
        os=text.get("operating_system"),
        interconnect=text.get("accelerator_interconnect"),
    )


def _facts(
    framework: str | None, nodes: int | None, per_node: int | None, **others: str | int | None
) -> dict[str, str | int]:
    """Return the facts of a system, in whichever form it was described."""
    known = _FRAMEWORK.match(framework or "")
    return stated(
        {
            "framework": known[1].casefold() if known else None,
            "variant": framework,
            "nodes": nodes,
            "per_node": per_node,
            "devices": nodes * per_node if nodes and per_node else None,
            **others,
        }
    )
