"""The canonical JSON of a submission, its id, which is the hash of that, and short hashes of what is compared."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collector.schema import Submission


def document(submission: Submission) -> dict[str, Any]:
    """Return the submission as plain JSON values, keys as in the file; `locator` only where there is one."""
    plain = submission.model_dump(mode="json", by_alias=True)
    for result in plain["results"]:
        if result["locator"] is None:
            del result["locator"]
    return plain


def identity(submission: Submission) -> str:
    """Return the submission's id: SHA-256 of its canonical JSON, 64 hex digits."""
    return hashlib.sha256(canonical(submission)).hexdigest()


def canonical(submission: Submission) -> bytes:
    """Return the canonical JSON of a submission: sorted keys, no white space, UTF-8, numbers as Python writes them."""
    # orjson writes numbers that need an exponent in another way.
    return json.dumps(document(submission), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def short_hash(what: str | bytes) -> str:
    """Return 32 hex digits that stand for a text of any characters, or for bytes."""
    content = what if isinstance(what, bytes) else what.encode("utf-8", "backslashreplace")
    return hashlib.sha256(content).hexdigest()[:32]
