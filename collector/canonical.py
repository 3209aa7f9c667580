"""The canonical JSON of a submission, and its id, which is the hash of that."""

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
