"""What is kept between builds: only what changed is read again, and nothing shows that anything was kept."""

from __future__ import annotations

import json
import os
import random
import sqlite3

import pytest
from click.testing import CliRunner

from collector import store
from collector.build_cli import build_command

pytestmark = pytest.mark.usefixtures("kept")

OLD = 1_700_000_000_000_000_000  # ns; a file that has just been written isn't trusted by its time stamp


@pytest.fixture
def kept(data, tmp_path, monkeypatch):
    """Make the data folder one whose index is kept, and return where it lies."""
    monkeypatch.setattr(store, "DATA", data.resolve())
    monkeypatch.setattr(store, "INDEX", tmp_path / "kept" / "index.sqlite")
    return store.INDEX


@pytest.fixture
def load(data, tmp_path):
    return lambda: store.load(data, tmp_path / "local")


@pytest.fixture
def rows_only(data, tmp_path):
    """Write the rows that changed, by the command; return the names of the files that it wrote."""

    def call(*arguments):
        folders = ["--data", data, "--local", tmp_path / "local", "--output", tmp_path / "out", "--rows-only"]
        done = CliRunner().invoke(build_command, [*map(str, folders), *arguments])
        assert done.exit_code == 0, done.output
        *written, _summary = done.stdout.splitlines()
        return sorted(line.rpartition("out/")[2] for line in written)

    return call


def replaced(path, old, new):
    """Change a file, and keep its length and its time stamp."""
    text = path.read_text("utf-8")
    assert (len(old), old in text) == (len(new), True)
    path.write_text(text.replace(old, new), "utf-8")
    os.utime(path, ns=(OLD, OLD))


def values(dataset):
    return list(dataset.table["value"])


def test_a_file_that_has_not_changed_is_not_read_again(data, load, measured, result):
    path = data / "submissions/jane/a.json"
    store.write_submission(path, measured(result((10.0, 10.0, 10.0))))
    os.utime(path, ns=(OLD, OLD))
    assert values(load()) == [640.0]
    replaced(path, '"window_seconds": 10.0', '"window_seconds": 12.5')
    assert values(load()) == [640.0], "it has the size and the time stamp that it had"
    os.utime(path)
    assert values(load()) == [512.0]


def test_a_file_that_has_just_been_written_is_not_trusted_by_its_time_stamp(data, load, measured, result):
    path = data / "submissions/jane/a.json"
    store.write_submission(path, measured(result((10.0, 10.0, 10.0))))
    assert values(load()) == [640.0]
    stamp = path.stat().st_mtime_ns
    path.write_text(path.read_text("utf-8").replace('"window_seconds": 10.0', '"window_seconds": 12.5'), "utf-8")
    os.utime(path, ns=(stamp, stamp))
    assert values(load()) == [512.0]


def test_whatever_changes_the_data_set_is_what_it_would_be_from_nothing(data, load, measured, result, monkeypatch):
    draw = random.Random(7)
    names = [f"{name}.json" for name in "abcdef"]
    for turn in range(12):
        path = data / "submissions/jane" / draw.choice(names)
        if path.exists() and draw.random() < 0.4:
            path.unlink()
        else:
            window = 8.0 + turn / 8
            made = measured(result((window,) * 3), result((9.0 + turn,), precision="tf32"), submitter=path.stem)
            store.write_submission(path, made)
        found = load()
        with monkeypatch.context() as patched:
            patched.setattr(store, "INDEX", None)
            anew = load()
        assert (found.version, found.problems, found.left_out) == (anew.version, anew.problems, anew.left_out)
        assert found.table.equals(anew.table)
        assert found.boards == anew.boards


def test_another_vocabulary_reads_everything_anew(data, load, measured, result):
    store.write_submission(data / "submissions/jane/a.json", measured(result(), device="My Own Device", kind="gpu"))
    assert set(load().table["device"]) == {"My Own Device"}
    text = '["NVIDIA Mine"]\nkind = "gpu"\nvendor = "NVIDIA"\naliases = ["My Own Device"]\n'
    (data / "vocabulary/hardware/mine.toml").write_text(text, "utf-8")
    assert set(load().table["device"]) == {"NVIDIA Mine"}


@pytest.mark.parametrize("damage", ["no database", "cut off", "other tables"])
def test_a_damaged_index_is_made_anew(data, kept, load, measured, result, damage):
    store.write_submission(data / "submissions/jane/a.json", measured(result()))
    whole = load().version
    if damage == "no database":
        kept.write_bytes(b"no database at all, and longer than the head of one " * 40)
    elif damage == "cut off":
        kept.write_bytes(kept.read_bytes()[:5000])
    else:
        kept.unlink()
        with sqlite3.connect(kept) as connection:
            connection.execute("CREATE TABLE files (name TEXT)")
    assert load().version == whole
    assert load().version == whole


def test_an_index_whose_pages_are_damaged_is_named_with_what_to_do(data, kept, load, measured, result):
    for number in range(20):
        made = measured(result((8.0 + number,) * 3), submitter=f"submitter {number}")
        store.write_submission(data / f"submissions/s{number}/a.json", made)
    load()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(store.DataError, match=r"index\.sqlite: .*delete the file") as caught:
        load()
    assert caught.value.problems == ()


def test_an_index_that_can_not_be_written_is_kept_in_memory(data, kept, load, measured, result):
    store.write_submission(data / "submissions/jane/a.json", measured(result()))
    kept.parent.write_text("a file where the folder should be", "utf-8")
    assert values(load()) == [640.0]


def test_only_the_rows_of_a_workload_that_changed_are_written(data, rows_only, measured, result):
    gru = result(workload="gru-imdb", equality=None)
    store.write_submission(data / "submissions/jane/a.json", measured(result()))
    store.write_submission(data / "submissions/jane/b.json", measured(gru, framework="jax"))
    assert rows_only() == ["index.json", "workloads/cifar10-cnn.json", "workloads/gru-imdb.json"]
    assert rows_only() == ["index.json"]
    store.write_submission(data / "submissions/john/c.json", measured(gru, submitter="John Doe", framework="jax"))
    assert rows_only() == ["index.json", "workloads/gru-imdb.json"]


def test_rows_are_written_again_where_they_were_lost_or_changed(data, rows_only, measured, result, tmp_path):
    store.write_submission(data / "submissions/jane/a.json", measured(result()))
    rows_only()
    path = tmp_path / "out/workloads/cifar10-cnn.json"
    whole = path.read_bytes()
    path.write_bytes(b"{}")
    assert rows_only() == ["index.json", "workloads/cifar10-cnn.json"]
    assert path.read_bytes() == whole


def test_rows_alone_are_those_of_a_whole_build(data, load, rows_only, measured, result, tmp_path):
    old = measured(result())
    store.write_submission(data / "submissions/jane/a.json", old)
    rows_only()
    first = load()
    new = measured(result((9.0,) * 3), supersedes=first.submissions[0].id)
    store.write_submission(data / "submissions/jane/b.json", new)
    rows_only()
    store.write_dataset(load(), tmp_path / "whole")
    for name in ("index.json", "workloads/cifar10-cnn.json"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    part = json.loads((tmp_path / "out/workloads/cifar10-cnn.json").read_text("utf-8"))
    standing = part["columns"].index("standing")
    assert [row[standing] for row in part["rows"]] == ["superseded", "current"]


def test_many_files_are_read_by_several_processes_to_the_same_effect(data, load, measured, result, monkeypatch):
    for number in range(70):
        made = measured(result((8.0 + number / 16,) * 3), submitter=f"submitter {number}")
        store.write_submission(data / f"submissions/s{number}/a.json", made)
    spread = load()
    monkeypatch.setattr("collector.pool.MANY", 1000)
    assert load().version == spread.version
