"""Submission files as large and as wrong as they may come; run as `python sizes.py NAME`: reads and checks one.

The memory of that process is limited, so that what would eat a machine's ends with an error.
"""

from __future__ import annotations

import copy
import json
import resource
import sys
from datetime import date
from pathlib import Path

MEASURED = Path(__file__).resolve().parents[1] / "samples" / "valid" / "measured-ok.json"
SIZE = 4_900_000  # bytes, just below what is read at all
LIMIT = 2 * 1024**3
WHOLE = json.loads(MEASURED.read_text("utf-8"))
RUN = ("results", 0, "runs", 0)
NOTES = ("results", 0, "notes")


def put(steps, value):
    """Return the text of a submission with another value at a place."""
    document = copy.deepcopy(WHOLE)
    here = document
    for step in steps[:-1]:
        here = here[step]
    here[steps[-1]] = value
    return json.dumps(document)


def steps_as(token):
    """Return a submission whose steps begin with very many of a token."""
    return json.dumps(WHOLE).replace('"step_seconds": [', '"step_seconds": [' + f"{token}," * (SIZE // 8), 1)


CASES = {
    "nested lists": lambda: "[" * (SIZE // 2) + "]" * (SIZE // 2),
    "nested objects": lambda: '{"a":' * (SIZE // 6) + "1" + "}" * (SIZE // 6),
    "only opened": lambda: "[" * SIZE,
    "one text": lambda: json.dumps("x" * SIZE),
    "one number": lambda: "9" * SIZE,
    "repeated keys": lambda: "{" + ",".join(['"a":1'] * (SIZE // 6)) + "}",
    "empty objects": lambda: "[" + ",".join(["{}"] * (SIZE // 3)) + "]",
    "unknown keys": lambda: json.dumps(WHOLE | {f"k{number}": 1 for number in range(SIZE // 14)}),
    "steps of text": lambda: steps_as('"x"'),
    "steps of null": lambda: steps_as("null"),
    "steps of NaN": lambda: steps_as("NaN"),
    "steps too large": lambda: steps_as("1e999"),
    "steps below zero": lambda: steps_as("-1.5"),
    "results of nothing": lambda: put(("results",), [{}] * (SIZE // 4)),
    "runs of nothing": lambda: put(RUN[:-1], [{}] * (SIZE // 4)),
    "a long name": lambda: put(("submitter", "name"), "n" * (SIZE - 200_000)),
    "a long device": lambda: put(("machines", "m1", "devices", 0, "name"), "8x " * (SIZE // 4)),
    "a long workload": lambda: put(("results", 0, "workload"), "a-" * (SIZE // 3) + "a"),
    "nearly addresses": lambda: put(NOTES, ["a." * 4_900] * 450),
    "nearly numbers": lambda: put(NOTES, ["1." * 4_900] * 450),
    "control characters": lambda: put(NOTES, ["\x01"] * (SIZE // 10)),
    "machines": lambda: put(("machines",), {f"m{number}": WHOLE["machines"]["m1"] for number in range(6_000)}),
}


def main(name):
    """Read and check a case, and print the codes of its problems."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    from collector import store
    from collector.digest import digest
    from collector.read import read

    content = (CASES[name]() + "\n").encode()
    made = digest(read(content, "f.json"), "f.json", store.load_vocabulary(), yours=False, today=date(2026, 12, 1))
    sys.stdout.write(json.dumps([problem.code for problem in made.header.problems]))


if __name__ == "__main__":
    main(sys.argv[1])
