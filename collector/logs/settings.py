"""What a log states and what its importer was told, put together: contradictions and gaps are named all at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.logs.window import MOST_SAMPLES, NEAR, samples_seen
from collector.rules.privacy import KINDS
from collector.transcribe import ImporterError
from collector.vocabulary import near_misses
from collector.wording import did_you_mean, quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collector.logs.lines import Log, Scope
    from collector.vocabulary import Vocabulary

    Settings = Mapping[str, str | int]

NOT_STATED = "not-stated"
LONGEST_NAME = 200
NEEDED = ("framework", "workload", "mode", "precision", "device", "devices", "batch")
SETTLED = {
    "framework",
    "mode",
    "device",
    "devices",
    "nodes",
    "batch",
    "data_kind",
}  # texts may say the same in other words
CITED = ("title", "url", "commit", "licence", "path", "retrieved_on")


@dataclass(frozen=True)
class Batch:
    """Samples a device takes at once, micro-batches a step, samples of a step over all devices; whose rates are printed."""

    per_device: int
    accumulation: int
    total: int
    scope: Scope
    note: str | None = None


def settle(log: Log, system: Settings, told: Settings, words: Vocabulary) -> Settings:
    """Return every setting that is known; raises ImporterError with all contradictions, or with all options missing."""
    facts = _impersonal({**system, **log.facts})
    framework = words.canonical_framework(str(facts.pop("framework", "")))
    stated = facts | ({"framework": framework} if framework else {})
    told = dict(told) | _canonical(told, words)
    wrong = [
        f"the log says {quote(stated[name])} where {option(name)} says {quote(value)}"
        for name, value in told.items()
        if name in SETTLED and stated.get(name, value) != value and not _same_device(name, value, stated, words)
    ]
    if wrong:
        raise ImporterError(
            f"{'; '.join(wrong)[:1].upper()}{'; '.join(wrong)[1:]}. Leave the option out, or take the log that it belongs to."
        )
    settings = stated | told
    missing = [name for name in (*NEEDED, *CITED, *_further(log, settings, words)) if name not in settings]
    if missing:
        raise ImporterError(f"The log doesn't say everything; add {', '.join(map(option, missing))}.")
    return settings


def batch(log: Log, settings: Settings) -> Batch:
    """Return the batch of a step; raises ImporterError where the log's own figures contradict what is said of it."""
    per_device, devices = int(settings["batch"]), int(settings["devices"])
    unit = per_device * devices
    total, seen = settings.get("global"), samples_seen(log)
    accumulation = (
        settings.get("accumulation")
        or (_ratio(int(total), unit) if total else None)
        or _derived(log, seen, per_device, devices)
    )
    if accumulation is None or (total and int(total) != unit * int(accumulation)):
        shown = f"a global batch of {total}" if total else f"about {seen:.4g} samples a step"
        raise ImporterError(
            f"The log shows {shown}, which isn't --batch {per_device} x --devices {devices} with any --accumulation;"
            " correct these options."
        )
    whole = unit * int(accumulation)
    if whole > MOST_SAMPLES:
        raise ImporterError(f"A step would work on {whole} samples; correct --batch, --devices or --accumulation.")
    note = None
    if log.facts.get("accumulation", accumulation) != accumulation:
        note = f"The progress bars show {log.facts['accumulation']} micro-batches a step; --accumulation says {accumulation}."
    return Batch(per_device, int(accumulation), whole, _scope(log, settings, seen, whole, devices), note)


def option(name: str) -> str:
    """Return a setting's option as it is typed."""
    return f"--{name.replace('_', '-')}"


def _canonical(told: Settings, words: Vocabulary) -> dict[str, str]:
    """Return framework and workload by their ids; raises ImporterError for an unknown one."""
    found = {}
    if "framework" in told:
        framework = words.canonical_framework(str(told["framework"]))
        found["framework"] = framework or _unknown("framework", told, words.frameworks)
    if "workload" in told:
        workload = str(told["workload"])
        found["workload"] = workload if workload in words.workloads else _unknown("workload", told, words.workloads)
    return found


def _unknown(name: str, told: Settings, known: Mapping[str, object]) -> str:
    offer = did_you_mean(near_misses(str(told[name]), known)) or f"known: {', '.join(known)}"
    raise ImporterError(f"There is no {name} {quote(told[name])}; {offer}")


def _same_device(name: str, value: str | int, stated: Mapping[str, str | int], words: Vocabulary) -> bool:
    if name != "device":
        return False
    known = words.canonical_hardware(str(value))
    return known is not None and known == words.canonical_hardware(str(stated[name]))


def _further(log: Log, settings: Settings, words: Vocabulary) -> list[str]:
    """Return the options that only some logs need."""
    needed = []
    if "device" in settings and words.canonical_hardware(str(settings["device"])) is None:
        needed.append("device_kind")
    if log.started is not None and not log.utc:
        needed.append("utc_offset")
    seen = samples_seen(log)
    if log.marks and seen is None and "global" not in settings:
        needed.append("accumulation")
    if (
        log.marks
        and seen is None
        and log.scope is None
        and settings.get("devices") != 1
        and all(mark.seconds is None for mark in log.marks)
    ):
        needed.append("rates")
    return needed


def _impersonal(facts: Settings) -> dict[str, str | int]:
    """Return the facts without those that point at a person or can't be shown; versions may look like an IP address."""
    kinds = [pattern for kind, pattern in KINDS.items() if kind != "an IP address"]
    return {
        name: value
        for name, value in facts.items()
        if not isinstance(value, str) or (_shown(value) and not any(pattern.search(value) for pattern in kinds))
    }


def _shown(text: str) -> bool:
    return text.isprintable() and 0 < len(text.strip()) <= LONGEST_NAME


def _ratio(whole: float, part: float) -> int | None:
    """Return how many times a part goes into the whole, or None where that is no whole number."""
    times = round(whole / part)
    return times if times >= 1 and abs(whole / (times * part) - 1) <= NEAR else None


def _derived(log: Log, seen: float | None, per_device: int, devices: int) -> int | None:
    if seen is None:
        return 1 if not log.marks else None
    return (_ratio(seen, per_device * devices) if log.scope != "device" else None) or (
        _ratio(seen, per_device) if log.scope != "global" else None
    )


def _scope(log: Log, settings: Settings, seen: float | None, total: int, devices: int) -> Scope:
    """Return whose rates the log prints; raises ImporterError where they fit neither one device nor all."""
    if seen is None or log.scope:
        return log.scope or ("device" if settings.get("rates") == "device" else "global")
    if abs(seen / total - 1) <= NEAR:
        return "global"
    if abs(seen / (total / devices) - 1) <= NEAR:
        return "device"
    raise ImporterError(
        f"Rates and times of the log show about {seen:.4g} samples a step, the options {total} for all devices;"
        " correct --batch, --devices or --accumulation."
    )
