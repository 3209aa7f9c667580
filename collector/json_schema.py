"""The submission format as JSON Schema, and what it says at one place of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collector.schema import SCHEMA_VERSION, Submission

if TYPE_CHECKING:
    from collections.abc import Iterable

Schema = dict[str, Any]


def json_schema() -> Schema:
    """Return the format as JSON Schema 2020-12; what two fields mean together is for `collector.check`."""
    identifier = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:rosetta-bench:submission:{SCHEMA_VERSION}",
    }
    title = {"title": f"Rosetta Bench submission, schema version {SCHEMA_VERSION}"}
    return identifier | Submission.model_json_schema(by_alias=True) | title


def at(schema: Schema, steps: Iterable[str | int]) -> Schema:
    """Return what the schema says at a place; empty where it says nothing."""
    here = schema
    for step in steps:
        branches = [_resolved(schema, branch) for branch in here.get("anyOf", [here])]
        here = next((_resolved(schema, inner) for branch in branches if (inner := _inner(branch, step))), {})
    return here


def known_keys(schema: Schema, steps: Iterable[str | int]) -> list[str]:
    """Return the keys that the object at a place may have."""
    here = at(schema, steps)
    branches = [_resolved(schema, branch) for branch in here.get("anyOf", [here])]
    return [key for branch in branches for key in branch.get("properties", {})]


def nullable(schema: Schema, steps: Iterable[str | int]) -> bool:
    """Say whether null is allowed at a place."""
    return {"type": "null"} in at(schema, steps).get("anyOf", [])


def _resolved(schema: Schema, part: Schema) -> Schema:
    reference: str | None = part.get("$ref")
    return part if reference is None else schema["$defs"][reference.rpartition("/")[2]]


def _inner(branch: Schema, step: str | int) -> Schema | None:
    if isinstance(step, int):
        return branch.get("items")
    return branch.get("properties", {}).get(step) or branch.get("additionalProperties") or None
