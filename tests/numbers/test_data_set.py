"""The published files: loading, exact round trips, and the same bytes everywhere."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from collector import store
from collector.schema import Submission
from collector.serialise import read_csv, records, submission_json, table_csv, table_json
from collector.tabulate import COLUMNS, frame, tabulate

VALUES = {
    "string": st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    | st.sampled_from(["=1+1", "+1", "-1", "@a", "'", "''x", "\t=1", "\r", "a\r\nb", 'say "x"', "a,b", "李", "µArch"]),
    "Int64": st.integers(-(2**53), 2**53),
    "Float64": st.floats(allow_nan=False, allow_infinity=False),
    "boolean": st.booleans(),
}
row = st.fixed_dictionaries({column.name: st.none() | VALUES[column.dtype] for column in COLUMNS})


@pytest.fixture
def filled(data, measured, result, tmp_path):
    """Make a data folder with two submissions and a local one; return both folders."""
    local = tmp_path / "mine" / "submissions"
    store.write_submission(data / "submissions/jane/a.json", measured(result()))
    store.write_submission(data / "submissions/jane/b.json", measured(result((8.0, 9.0, 11.0)), framework="jax"))
    store.write_submission(local / "local/c.json", measured(result((8.5,)), submitter="local"))
    return data, local


@settings(max_examples=30, deadline=None)
@given(st.lists(row, max_size=2))
def test_any_table_comes_back_from_csv_exactly(rows):
    table = frame(rows)
    assert_frame_equal(read_csv(b"".join(table_csv(table)).decode()), table)


def test_csv_keeps_holes_in_their_columns(filled):
    text = b"".join(table_csv(store.load(*filled).table)).decode()
    lines = list(csv.reader(io.StringIO(text, newline="")))
    assert {len(line) for line in lines} == {len(COLUMNS)}
    assert lines[0] == [column.name for column in COLUMNS]


def test_no_text_in_csv_is_a_formula_for_a_spreadsheet(data, measured, result, tmp_path):
    for position, name in enumerate(["=cmd()", "+1", "-1", "@sum"]):
        store.write_submission(data / f"submissions/x/{position}.json", measured(result(), submitter=name))
    table = store.load(data, tmp_path).table
    lines = list(csv.DictReader(io.StringIO(b"".join(table_csv(table)).decode(), newline="")))
    assert [line["submitter"] for line in lines] == ["'=cmd()", "'+1", "'-1", "'@sum"]
    assert list(read_csv(b"".join(table_csv(table)).decode())["submitter"]) == ["=cmd()", "+1", "-1", "@sum"]


def test_the_table_has_the_declared_columns_and_types_even_without_rows(vocabulary):
    table = tabulate([], vocabulary)
    assert {name: str(dtype) for name, dtype in table.dtypes.items()} == {
        column.name: column.dtype for column in COLUMNS
    }
    assert_frame_equal(read_csv(b"".join(table_csv(table)).decode()), table)


def test_json_records_hold_null_for_what_is_missing(filled):
    table = store.load(*filled).table
    plain = json.loads(b"".join(table_json(table, "1a2b")))
    assert plain["version"] == "1a2b"
    assert [record["value"] for record in plain["results"]] == list(table["value"])
    assert plain["results"][2]["low"] is None


def test_parquet_holds_the_same_table(filled, tmp_path):
    dataset = store.load(*filled)
    store.write_dataset(dataset, tmp_path / "out")
    read = pd.read_parquet(tmp_path / "out/results.parquet", dtype_backend="numpy_nullable")
    assert_frame_equal(read.astype(dict(dataset.table.dtypes)), dataset.table)


def test_the_index_leads_to_every_row_of_every_workload(filled, tmp_path):
    dataset = store.load(*filled)
    store.write_dataset(dataset, tmp_path / "out")
    index = json.loads((tmp_path / "out/index.json").read_text("utf-8"))
    assert (index["version"], index["results"]) == (dataset.version, len(dataset.table))
    found = []
    for name, workload in index["workloads"].items():
        part = json.loads((tmp_path / "out" / workload["file"]).read_text("utf-8"))
        assert (part["workload"], len(part["rows"])) == (name, workload["results"])
        found += [dict(zip(part["columns"], row, strict=True)) for row in part["rows"]]
    whole = list(records(dataset.table))
    stated = [{key: value for key, value in record.items() if value is not None} for record in whole]
    parts = [{key: value for key, value in record.items() if value is not None} for record in found]
    assert sorted(map(json.dumps, parts)) == sorted(map(json.dumps, stated))


def test_every_column_is_explained(filled, tmp_path):
    dataset = store.load(*filled)
    store.write_dataset(dataset, tmp_path / "out")
    explained = json.loads((tmp_path / "out/columns.json").read_text("utf-8"))
    assert [column["name"] for column in explained["columns"]] == list(dataset.table.columns)
    assert all(column["meaning"] for column in explained["columns"])


def test_every_column_has_a_value_somewhere(figures, vocabulary, measured, result, run, tmp_path):
    """A column that is never filled is a name without a getter."""
    quality = {"metric": "accuracy", "value": 0.77}
    four = {"nodes": 1, "devices": 4, "launcher": None}
    gpu = measured(result(), result(scale=four, options={"a": 1}, **{"class": "tuned"}), device="H200 SXM", kind="gpu")
    real = measured(
        result(variant="a build", runs=[run(9.0, epoch_seconds=[0.9] * 10, quality=quality)], window="epochs")
    )
    gap = measured(result(outcome="unsupported", reason="No GRU.", limit="upstream", runs=[]))
    table = pd.concat([tabulate(figures(gpu, real, gap), vocabulary), store.load(local=tmp_path).table])
    assert [name for name in table.columns if table[name].isna().all()] == []


BUILD = """
import sys
from pathlib import Path
from collector import store
data, local, out = map(Path, sys.argv[1:])
store.write_dataset(store.load(data, local), out)
"""


@pytest.mark.parametrize(
    "environ",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "UTC", "PYTHONHASHSEED": "1"},
        {"LC_ALL": "C.UTF-8", "TZ": "Asia/Kolkata", "PYTHONHASHSEED": "2"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "TZ": "America/St_Johns", "PYTHONHASHSEED": "3"},
    ],
    ids=["C", "India", "Newfoundland"],
)
def test_files_are_the_same_bytes_in_any_locale_time_zone_and_hash_order(filled, measured, result, tmp_path, environ):
    data, local = filled
    store.write_submission(data / "submissions/Šárka 李/µ.json", measured(result((7.0,)), submitter="Šárka 李"))
    store.write_dataset(store.load(data, local), tmp_path / "here")
    command = [sys.executable, "-c", BUILD, data, local, tmp_path / "dört"]
    subprocess.run(command, check=True, cwd=store.ROOT, env={"PATH": os.environ["PATH"], **environ})
    here, there = (
        {p.relative_to(tmp_path / name): p.read_bytes() for p in (tmp_path / name).rglob("*") if p.is_file()}
        for name in ("here", "dört")
    )
    assert here == there


def test_the_order_in_which_files_were_written_changes_nothing(data, measured, result, tmp_path):
    submissions = [(f"{name}.json", measured(result(), submitter=name)) for name in "abcdef"]
    versions = set()
    for seed in range(3):
        random.Random(seed).shuffle(submissions)
        for name, submission in submissions:
            (data / "submissions" / name).unlink(missing_ok=True)
            store.write_submission(data / "submissions" / name, submission)
        versions.add(store.load(data, tmp_path).version)
    assert len(versions) == 1


def test_a_submission_comes_back_from_its_file_unchanged(data, measured, result):
    submission = measured(result(), submitter="Šárka 李 \U0001f600")
    path = data / "submissions/new/folder/a.json"
    store.write_submission(path, submission)
    assert Submission.model_validate_json(path.read_bytes()) == submission
    assert [entry.name for entry in path.parent.iterdir()] == ["a.json"]


def test_numbers_of_a_run_stand_on_one_line(measured, result):
    lines = submission_json(measured(result((10.0,)))).splitlines()
    (steps,) = [line for line in lines if '"step_seconds"' in line]
    assert steps.count("0.1") == 100
    assert lines[0] == "{"
    assert lines[-1] == "}"


def test_local_runs_that_are_public_under_another_name_count_once(data, measured, result, run, tmp_path):
    mine = result(runs=[run(8.5, log_sha256=letter * 64) for letter in "abc"])
    store.write_submission(tmp_path / "mine/local/c.json", measured(mine, submitter="local"))
    store.write_submission(data / "submissions/jane/c.json", measured(mine, submitter="Jane"))
    assert list(store.load(data, tmp_path / "mine").table["submitter"]) == ["Jane"]


def test_local_results_are_marked_and_counted_once_when_submitted(filled):
    data, local = filled
    table = store.load(data, local).table
    assert list(table["yours"]) == [False, False, True]
    assert list(table["file"]) == [
        "data/submissions/jane/a.json",
        "data/submissions/jane/b.json",
        "mine/submissions/local/c.json",
    ]
    (data / "submissions/local").mkdir()
    (data / "submissions/local/c.json").write_bytes((local / "local/c.json").read_bytes())
    assert list(store.load(data, local).table["yours"]) == [False, False, False]


def test_a_broken_file_in_data_stops_the_build_and_is_named(filled):
    data, local = filled
    (data / "submissions/jane/broken.json").write_text('{"schema_version": 1,', "utf-8")
    with pytest.raises(store.DataError, match=r"data/submissions/jane/broken\.json has errors") as caught:
        store.load(data, local)
    assert {problem.file for problem in caught.value.problems} == {"data/submissions/jane/broken.json"}


def test_a_link_to_nothing_in_data_stops_the_build(filled):
    data, local = filled
    (data / "submissions/jane/gone.json").symlink_to("nowhere.json")
    with pytest.raises(store.DataError, match=r"gone\.json has errors"):
        store.load(data, local)


def test_a_file_that_ends_the_build_names_all_of_its_faults(filled):
    data, local = filled
    plain = json.loads((data / "submissions/jane/a.json").read_text("utf-8"))
    plain["results"][0]["runs"][0]["window_seconds"] = -1
    plain["results"][0]["precision"] = "fp8"
    (data / "submissions/jane/b.json").write_text(json.dumps(plain) + "\n", "utf-8")
    with pytest.raises(store.DataError) as caught:
        store.load(data, local)
    assert {"unknown-value", "non-positive-time"} <= {problem.code for problem in caught.value.problems}


def test_a_broken_file_is_left_out_and_listed_when_told_to_go_on(filled):
    data, local = filled
    (data / "submissions/jane/broken.json").write_text('{"schema_version": 1,', "utf-8")
    dataset = store.load(data, local, keep_going=True)
    assert dataset.left_out == ("data/submissions/jane/broken.json",)
    assert [entry.file for entry in dataset.submissions if "broken" in entry.file] == []
    assert len(dataset.table) == 3


def test_the_same_submission_under_two_names_stops_the_build_and_counts_once(filled):
    data, local = filled
    first = data / "submissions/jane/a.json"
    plain = json.loads(first.read_text("utf-8"))
    reordered = json.dumps(dict(reversed(plain.items())))
    (data / "submissions/jane/z.json").write_text(reordered + "\n", "utf-8")
    with pytest.raises(store.DataError, match=r"z\.json has errors"):
        store.load(data, local)
    assert len(store.load(data, local, keep_going=True).table) == 3


def test_a_broken_local_file_never_stops_a_build(filled):
    data, local = filled
    (local / "half.json").write_text("{", "utf-8")
    assert store.load(data, local).left_out == ("mine/submissions/half.json",)


def test_the_date_of_the_data_is_the_newest_day_in_it(filled):
    assert store.load(*filled).date == "2026-11-30"


def test_no_data_make_an_empty_data_set(data, tmp_path):
    dataset = store.load(data, tmp_path / "none")
    assert (len(dataset.table), dataset.boards, dataset.date) == (0, (), None)
    store.write_dataset(dataset, tmp_path / "out")
    assert json.loads((tmp_path / "out/results.json").read_text("utf-8"))["results"] == []
