"""Every frozen valid sample goes all the way to boards and files."""

from __future__ import annotations

import json

import pytest
from pandas.testing import assert_frame_equal

from collector import store
from collector.boards import boards
from collector.read import read
from collector.serialise import read_csv, records, table_csv, table_json
from collector.tabulate import tabulate

SAMPLES = sorted((store.ROOT / "tests/samples/valid").rglob("*.json"))


def test_there_are_samples():
    assert SAMPLES


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_valid_sample_has_a_row_a_result_and_a_value_only_when_ok(path, figures, vocabulary):
    submission = read(path.read_bytes(), path.name).submission
    found = figures(submission)
    assert {figure.cell.position for figure in found} == set(range(len(submission.results)))
    assert all((figure.estimate is not None) == (figure.outcome == "ok") for figure in found)
    table = tabulate(found, vocabulary)
    assert_frame_equal(read_csv(b"".join(table_csv(table)).decode()), table)
    assert json.loads(b"".join(table_json(table, "")))["results"]
    rows = [row for board in boards(records(table), vocabulary) for row in board.rows]
    assert all(row.estimate is not None or row.reason for row in rows)
