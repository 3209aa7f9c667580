"""The name of a file below data/submissions tells what it holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from collector.findings import Context, Finding
from collector.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Submission

SLUG = r"[a-z0-9]+(?:[.-][a-z0-9]+)*"
MEASURED = re.compile(rf"{SLUG}/\d{{4}}-\d\d-\d\d-{SLUG}-(?P<head>[0-9a-f]{{6}})\.json")
TRANSCRIBED = re.compile(rf"published/{SLUG}/{SLUG}\.json")


def name_of_the_file(submission: Submission, context: Context) -> Iterator[Finding]:
    """A file below data/submissions is named by the scheme of its origin."""
    _folder, below, name = context.file.replace("\\", "/").rpartition("data/submissions/")
    if not below:
        return
    if submission.origin != "measured":
        if not TRANSCRIBED.fullmatch(name):
            yield Finding("file-name", "$", quote(name), "published/<source>/<part>.json")
        return
    match, head = MEASURED.fullmatch(name), context.id[:6] if context.id else "<head of its id>"
    if match is None or name.startswith("published/"):
        yield Finding("file-name", "$", quote(name), f"<submitter>/<date>-<device>-{head}.json")
    elif context.id and match["head"] != head:
        remedy = "if the change is meant, rename it"
        yield Finding("file-name", "$", quote(name), f"{head} at its end, the head of the id", remedy)
