"""What can still be judged of a document whose shape is wrong, so that every problem of a file comes at once.

What is broken is made "not stated"; the places are known, and findings about them, or that follow from them, are dropped.
"""

from __future__ import annotations

import copy
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from collector.json_schema import at, json_schema, nullable
from collector.schema import Submission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from collector.findings import Finding
    from collector.json_schema import Schema

    Steps = tuple[str | int, ...]

STAND_IN = "unreadable"  # for a name that may not be null
# What may follow elsewhere in the file from a place that was made "not stated": by code, the last keys of such places;
# from any place at all where none is named.
CONSEQUENCES: dict[str, tuple[str, ...]] = {
    "implausible-throughput": (),
    "near-peak": (),
    "not-comparable": (),
    "over-peak": (),
    "raw-text-missing": (),
    "step-count": ("window",),  # whole epochs need no list of steps
    "unknown-machine": (),
    "unknown-stack": (),
    "unused-machine": (),
    "unused-stack": (),
}


def salvage(document: dict[str, Any], broken: Iterable[Steps]) -> Submission | None:
    """Return the submission without what is broken, or None where too little is left."""
    schema, whole = json_schema(), copy.deepcopy(document)
    for steps in broken:
        with suppress(LookupError, TypeError):  # what holds the place may have been mended as a whole
            _mend(whole, steps, schema)
    try:
        return Submission.model_validate_json(json.dumps(whole, ensure_ascii=False).encode(errors="replace"))
    except ValidationError:
        return None


def sound(findings: Iterable[Finding], broken: Iterable[str]) -> Iterator[Finding]:
    """Yield the findings that have nothing to do with the broken places, given as paths."""
    places = list(broken)
    for finding in findings:
        if not _follows(finding.code, places) and not any(_related(finding.path, place) for place in places):
            yield finding


def _follows(code: str, places: Iterable[str]) -> bool:
    """Say whether a finding of this code may be a consequence of a broken place."""
    causes = CONSEQUENCES.get(code)
    return causes is not None and (not causes or any(place.rpartition(".")[2] in causes for place in places))


def _mend(document: Any, steps: Steps, schema: Schema) -> None:  # noqa: ANN401 - any JSON value
    """Remove an unknown key; make a place null, else a stand-in, else an empty list, else do so with what holds it."""
    parent = document
    for step in steps[:-1]:
        parent = parent[step]
    what, last = at(schema, steps), steps[-1]
    if not what:
        del parent[last]
    elif nullable(schema, steps):
        parent[last] = None
    elif what.get("type") == "string" and "enum" not in what and re.search(what.get("pattern", ""), STAND_IN):
        parent[last] = STAND_IN
    elif what.get("type") == "array":
        parent[last] = []
    else:
        _mend(document, steps[:-1], schema)


def _related(path: str, other: str) -> bool:
    """Say whether one place is the other or holds it."""
    return any(
        long == short or long.startswith((short + ".", short + "[")) for long, short in ((path, other), (other, path))
    )
