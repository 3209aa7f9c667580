"""`rosetta build` and `rosetta import`: exit codes, messages, files."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from collector import store
from collector.build_cli import build_command, import_command


@pytest.fixture
def build(data, tmp_path):
    """Call `rosetta build` on the data folder."""

    def call(*arguments):
        folders = ["--data", data, "--local", tmp_path / "local", "--output", tmp_path / "out"]
        return CliRunner().invoke(build_command, [*map(str, folders), *arguments])

    return call


def test_a_build_writes_all_forms_and_says_what(build, data, measured, result, tmp_path):
    store.write_submission(data / "submissions/jane/a.json", measured(result()))
    done = build()
    assert done.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "columns.json",
        "index.json",
        "results.csv",
        "results.json",
        "results.parquet",
        "workloads",
    ]
    version = store.load(data, tmp_path / "local").version
    assert done.stdout.splitlines()[-1] == f"1 rows of 1 submissions, data version {version[:12]}"


def test_a_broken_file_stops_the_build_names_itself_and_writes_nothing(build, data, tmp_path):
    (data / "submissions/a.json").write_text("{", "utf-8")
    done = build()
    assert done.exit_code == 1
    assert "Error: data/submissions/a.json has errors" in done.stderr
    assert not (tmp_path / "out").exists()


def test_keep_going_leaves_the_broken_file_out_and_says_so(build, data):
    (data / "submissions/a.json").write_text("{", "utf-8")
    done = build("--keep-going")
    assert (done.exit_code, "left out: data/submissions/a.json" in done.stderr) == (0, True)


def test_a_folder_without_vocabulary_is_refused_by_name(build, data):
    (data / "vocabulary/metrics.toml").unlink()
    done = build()
    assert done.exit_code == 1
    assert "metrics.toml is missing" in done.stderr


@pytest.mark.parametrize(
    "content", ["[throughput", '[throughput]\nunit = "s"\n', b"\xff"], ids=["TOML", "entry", "bytes"]
)
def test_a_broken_vocabulary_is_a_message_not_a_traceback(build, data, content):
    path = data / "vocabulary/metrics.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = build()
    assert (done.exit_code, done.stderr.startswith("Error: ")) == (1, True)


def test_a_data_folder_that_is_not_there_is_wrong_usage(tmp_path):
    assert CliRunner().invoke(build_command, ["--data", str(tmp_path / "none")]).exit_code == 2


def test_an_output_that_is_no_folder_is_a_message(data, tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    done = CliRunner().invoke(build_command, ["--data", str(data), "--output", str(tmp_path / "file/below")])
    assert (done.exit_code, "Error: " in done.stderr) == (1, True)


def import_(*arguments):
    return CliRunner().invoke(import_command, ["published", *map(str, arguments)])


def test_an_import_writes_below_the_folder_of_its_source(data):
    done = import_("deeplearningframeworks", "--data", data)
    folder = data / "submissions/published/ilkarman-deeplearningframeworks"
    assert done.exit_code == 0
    assert [path.stem for path in sorted(folder.iterdir()) if not path.stem.endswith("-notebooks")] == [
        "cifar10-cnn",
        "densenet121-chestxray-real",
        "densenet121-chestxray-synthetic",
        "gru-imdb",
        "resnet50-features",
    ]


def test_an_unknown_source_is_wrong_usage_and_the_known_ones_are_named():
    done = import_("mlperf")
    assert (done.exit_code, "deeplearningframeworks" in done.stderr) == (2, True)


def test_a_source_without_its_figures_is_a_message(data):
    (data / "sources/deeplearningframeworks.csv").unlink()
    done = import_("deeplearningframeworks", "--data", data)
    assert (done.exit_code, "deeplearningframeworks.csv: No such file" in done.stderr) == (1, True)
