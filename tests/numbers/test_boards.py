"""Boards: which there are, what shares a row, who shares a place, and the order."""

from __future__ import annotations

import shutil

import pytest

from collector import serialise, store
from collector.boards import boards

REPORTED = {
    "metric": "throughput",
    "statistic": "table cell",
    "run_index": None,
    "value": 640.0,
    "unit": "samples/s",
    "raw_text": "640",
}


@pytest.fixture
def board(records, vocabulary):
    """Make the only board of submissions."""

    def make(*submissions, **options):
        (found,) = boards(records(*submissions, **options), vocabulary)
        return found

    return make


def places(found):
    return [(row.framework, row.place) for row in found.rows]


def test_a_tie_group_shares_a_place_and_takes_as_many_as_it_has_rows(board, measured, result):
    # jax and pytorch lie within 2 %, mxnet and keras far behind them and apart.
    found = board(
        measured(result((10.1, 10.1, 10.1)), framework="pytorch"),
        measured(result((10.0, 10.0, 10.0)), framework="jax"),
        measured(result((20.0, 20.0, 20.0)), framework="mxnet"),
        measured(result((40.0, 40.0, 40.0)), framework="keras"),
    )
    assert places(found) == [("jax", 1), ("pytorch", 1), ("mxnet", 3), ("keras", 4)]


def test_a_tie_is_with_the_leader_not_with_the_neighbour(board, measured, result):
    # Each is 1.5 % behind the one above: the third is 3 % behind the leader and opens the next group.
    found = board(
        *(
            measured(result((window,) * 3), framework=name)
            for name, window in [("jax", 10), ("keras", 10.15), ("mxnet", 10.31)]
        )
    )
    assert places(found) == [("jax", 1), ("keras", 1), ("mxnet", 3)]


def test_runs_that_scatter_share_a_place_however_far_their_medians(board, measured, result):
    found = board(
        measured(result((8.0, 10.0, 14.0)), framework="jax"), measured(result((9.0, 11.0, 13.0)), framework="mxnet")
    )
    assert places(found) == [("jax", 1), ("mxnet", 1)]


def test_the_ratio_is_to_the_best_and_at_most_1(board, measured, result):
    found = board(measured(result((20.0,) * 3), framework="mxnet"), measured(result((10.0,) * 3), framework="jax"))
    assert [row.ratio for row in found.rows] == [1.0, 0.5]


def test_where_less_is_better_the_smallest_leads(board, measured, result):
    features = {"workload": "resnet50-features", "mode": "inference", "equality": None}
    slow = measured(result((25.6,) * 3, **features), framework="mxnet")
    found = board(slow, measured(result((12.8,) * 3, **features), framework="jax"))
    assert (found.better, places(found)) == ("lower", [("jax", 1), ("mxnet", 2)])
    assert [row.ratio for row in found.rows] == [1.0, 0.5]


def test_fewer_than_three_runs_have_no_place_and_no_ratio(board, measured, result):
    found = board(measured(result((5.0, 5.0)), framework="mxnet"), measured(result(), framework="jax"))
    assert [(row.framework, row.place, row.ratio) for row in found.rows] == [("mxnet", None, None), ("jax", 1, 1.0)]
    assert "pair" in found.rows[0].flags


def test_settings_that_differ_are_never_ranked_together(board, measured, result):
    batch = {"level": "max", "per_device": 256, "accumulation": 1, "global": 256, "search": None}
    found = board(measured(result(), framework="jax"), measured(result((5.0,) * 3, batch=batch), framework="mxnet"))
    assert [row.place for row in found.rows] == [1, 1]
    assert found.rows[0].group != found.rows[1].group


def test_a_setting_that_is_not_stated_keeps_a_row_out_of_every_ranking(board, measured, result):
    found = board(measured(result(), framework="jax"), measured(result(precision=None), framework="mxnet"))
    assert [(row.framework, row.group is None, row.place) for row in found.rows] == [
        ("jax", False, 1),
        ("mxnet", True, None),
    ]


def test_missing_values_come_last_with_their_reason(board, measured, result):
    failed = result(outcome="oom", reason="Out of memory.", runs=[])
    found = board(measured(failed, framework="caffe2"), measured(result(), framework="jax"))
    assert [(row.framework, row.outcome, row.reason) for row in found.rows] == [
        ("jax", "ok", None),
        ("caffe2", "oom", "Out of memory."),
    ]
    assert (found.rows[1].estimate, found.rows[1].place, found.rows[1].ratio) == (None, None, None)


def test_submissions_of_one_release_under_one_key_share_a_row(board, measured, result):
    one = measured(result((10.0, 10.0, 10.0)))
    two = measured(result((10.2, 10.2, 10.2)), submitter="John Doe")
    row = board(one, two).rows[0]
    assert (row.estimate.value, row.estimate.n, row.trust) == (pytest.approx((640 + 6400 / 10.2) / 2), 6, "reproduced")
    assert len(row.submissions) == 2


def test_the_newest_reproduced_submission_stands_first(board, measured, result, run):
    def on(day, window):
        return result(runs=[run(window, started_at=f"2026-11-{day}T12:00:00Z") for _ in range(3)])

    old = measured(on("01", 10.0))
    new = measured(on("20", 10.0), submitter="John Doe")
    newest_alone = measured(on("29", 20.0), submitter="Mary Major")
    row = board(old, new, newest_alone).rows[0]
    ids = [board(submission).rows[0].submissions[0] for submission in (new, old, newest_alone)]
    assert (list(row.submissions), row.date) == (ids, "2026-11-29")


def test_releases_that_are_not_stated_never_share_a_row(board, measured, result):
    unstated = [measured(result(), version=None, submitter=name) for name in ("Jane Roe", "John Doe")]
    assert [len(row.submissions) for row in board(*unstated).rows] == [1, 1]


def test_another_release_is_another_row(board, measured, result):
    found = board(measured(result()), measured(result(), version="2.12.0"))
    assert [row.framework_version for row in found.rows] == ["2.12.0", "2.13.0"]


def test_local_results_stand_beside_public_ones_in_a_row_of_their_own(records, vocabulary, measured, result):
    both = (*records(measured(result())), *records(measured(result(), submitter="local"), yours=True))
    (found,) = boards(both, vocabulary)
    assert [row.yours for row in found.rows] == [False, True]


def test_flags_say_what_to_mind(board, measured, result, run):
    jumpy = run(10.0, measured_steps=50, step_seconds=[0.1] * 30 + [0.3] * 20)
    row = board(measured(result(runs=[jumpy], equality=None))).rows[0]
    assert row.flags == ("short", "unsettled", "stalls", "single", "unproved")


def test_runs_that_vary_by_more_than_2_percent_are_flagged(board, measured, result):
    assert board(measured(result((10.0, 10.1, 10.2)))).rows[0].flags == ()
    assert board(measured(result((10.0, 10.5, 9.5)))).rows[0].flags == ("spread",)


def test_withdrawn_and_superseded_submissions_are_on_no_board(figures, records, vocabulary, measured, result):
    old = measured(result())
    new = measured(result((9.0,) * 3), supersedes=figures(old)[0].cell.entry.id)
    gone = measured(result(), withdrawn={"on": "2026-11-30", "reason": "Wrong driver."})
    (found,) = boards(records(old, new, gone), vocabulary)
    assert [row.estimate.value for row in found.rows] == [pytest.approx(6400 / 9)]


def test_the_toy_workload_is_on_no_board(records, vocabulary, measured, result):
    toy = result(workload="toy-regression", equality=None)
    assert boards(records(measured(toy, framework="toy")), vocabulary) == ()


def test_the_order_of_files_changes_nothing(records, vocabulary, measured, result):
    submissions = [
        measured(result((window,) * 3), submitter=name, framework=framework)
        for window, name, framework in [(10, "A", "jax"), (10.1, "B", "jax"), (12, "C", "mxnet"), (12, "D", "keras")]
    ]
    assert boards(records(*submissions), vocabulary) == boards(records(*reversed(submissions)), vocabulary)


def test_one_submission_and_one_value_make_a_board(board, measured, result):
    row = board(measured(result((10.0,)))).rows[0]
    assert (row.place, row.ratio, row.estimate.value, row.estimate.low) == (None, None, 640.0, None)


def test_no_submissions_make_no_boards(vocabulary):
    assert boards((), vocabulary) == ()


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Return the boards of the README of DeepLearningFrameworks, which states little."""
    folder = tmp_path_factory.mktemp("readme")
    for name in ("vocabulary", "workloads", "submissions/published/ilkarman-deeplearningframeworks"):
        shutil.copytree(store.DATA / name, folder / name, ignore=shutil.ignore_patterns("*-notebooks.json"))
    return [board for board in store.load(data=folder, local=folder / "none").boards if board.published]


def test_published_tables_stand_on_boards_of_their_own(published):
    assert [(board.workload, board.data_kind, len(board.rows)) for board in published] == [
        ("cifar10-cnn", "real", 26),
        ("densenet121-chestxray", "real", 10),
        ("densenet121-chestxray", "synthetic-host", 10),
        ("gru-imdb", "real", 20),
        ("resnet50-features", None, 24),
    ]
    assert len({board.id for board in published}) == 5
    assert [(board.precision, board.mode) for board in published] == [("fp32", None), *[(None, None)] * 4]


def test_a_source_s_rows_are_kept_apart_by_precision_and_mode(records, vocabulary, measured, result):
    source = {"url": None, "commit": "a" * 40, "licence": None, "retrieved_on": "2026-11-30", "title": "a source"}
    rows = [
        result(runs=[], reported=[REPORTED], precision=precision, mode=mode)
        for precision, mode in [("fp32", "training"), ("fp16", "training"), ("fp32", "forward"), ("fp32", "training")]
    ]
    both = measured(*rows, origin="published", harness=None, source=source)
    found = [(board.precision, board.mode, len(board.rows)) for board in boards(records(both), vocabulary)]
    assert found == [("fp16", None, 1), ("fp32", None, 2), ("fp32", "forward", 1)]


def test_what_we_know_by_name_alone_has_no_board(records, vocabulary, measured, result):
    source = {"url": None, "commit": "a" * 40, "licence": None, "retrieved_on": "2026-11-30", "title": "a source"}
    foreign = result(workload="alexnet", runs=[], reported=[REPORTED])
    assert boards(records(measured(foreign, origin="published", harness=None, source=source)), vocabulary) == ()


def test_published_rows_have_no_place_no_ratio_and_their_citation(published):
    rows = [row for board in published for row in board.rows]
    assert {(row.group, row.place, row.ratio, row.flags) for row in rows} == {(None, None, None, ())}
    assert {row.source_path for row in rows} == {"README.md"}
    assert all(row.source_line.isdecimal() for row in rows)


def test_published_rows_are_ordered_by_device_and_value_with_gaps_last(published):
    cifar = published[0]
    p100 = [row for row in cifar.rows if "P100" in row.device]
    assert [row.framework for row in p100[:3]] == ["pytorch", "mxnet", "cntk"]
    assert (p100[-1].framework, p100[-1].raw_text, p100[-1].estimate) == ("knet", "??", None)


def test_a_measured_board_comes_before_the_published_ones_of_its_metric(
    records, vocabulary, measured, result, run, tmp_path
):
    quality = {"metric": "accuracy", "value": 0.77}
    epochs = [run(90.0, epoch_seconds=[9.0] * 10, quality=quality) for _ in range(3)]
    both = (
        *serialise.records(store.load(data=store.DATA, local=tmp_path).table),
        *records(measured(result(runs=epochs, window="epochs"))),
    )
    found = [board for board in boards(both, vocabulary) if board.metric == "fixed-epochs-seconds"]
    assert [board.published for board in found[:2]] == [False, True]


def test_boards_of_foreign_titles_have_ids_of_their_own(records, vocabulary, measured, result):
    source = {"url": "https://example.org", "commit": "a" * 40, "licence": None, "retrieved_on": "2026-11-30"}
    both = [
        measured(
            result(runs=[], reported=[REPORTED]), origin="published", harness=None, source={"title": title, **source}
        )
        for title in ("首轮测试报告", "次轮测试报告")
    ]
    ids = [board.id for board in boards(records(*both), vocabulary)]
    assert len(set(ids)) == 2
    assert all(id_.isascii() and id_.startswith("cifar10-cnn-throughput-") for id_ in ids)


@pytest.mark.parametrize(("unit", "value"), [("samples/s", 640.0), ("images/s", 640.0), ("tokens/s", None)])
def test_a_reported_figure_counts_in_units_that_are_convertible(figures, measured, result, unit, value):
    reported = result(runs=[], reported=[REPORTED | {"unit": unit}])
    (figure,) = figures(measured(reported, origin="imported-log"))
    assert (figure.estimate.value if figure.estimate else None) == value


def test_a_log_s_own_summary_counts_only_where_its_runs_say_nothing(figures, measured, result, run):
    bare = {**run(10.0), "window_seconds": None}
    for runs, value in [([run(8.0)], 800.0), ([bare], 640.0)]:
        (figure,) = figures(measured(result(runs=runs, reported=[REPORTED]), origin="imported-log"))
        assert figure.estimate.value == value


def test_single_runs_that_a_source_prints_are_the_runs_of_its_cell(figures, measured, result):
    runs = [REPORTED | {"run_index": index, "value": value} for index, value in enumerate([600.0, 640.0, 660.0])]
    (figure,) = figures(measured(result(runs=[], reported=runs), origin="imported-log"))
    assert (figure.runs, figure.estimate.value, figure.estimate.low) == ((600.0, 640.0, 660.0), 640.0, None)
