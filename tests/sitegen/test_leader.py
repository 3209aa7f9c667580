"""Which entry answers "what is fastest": a ranked one before a lucky single run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sitegen import board_charts
from sitegen.labels import Edition
from sitegen.views.home import home_page
from sitegen.words import load_words


@pytest.fixture
def board(dataset):
    """Return a measured board whose fastest entry is a single run without a place."""
    found = next(board for board in dataset.boards if board.id == "cifar10-cnn-throughput")
    first, *others = found.rows
    fast = replace(first.estimate, value=first.estimate.value * 3, low=None, high=None, n=1)
    return replace(found, rows=(replace(first, estimate=fast, place=None, ratio=None, framework="mxnet"), *others))


def test_a_single_run_without_a_place_is_not_the_answer(board, dataset):
    edition = Edition(load_words("en"), dataset.vocabulary)
    leader = board_charts.best(board, board.rows)
    assert leader.place is not None
    answer = home_page(edition, [board], "2026-11-30").cards[0].measured[0]
    assert answer.name == board_charts.labels.row_label(edition, leader)
    assert "rank" not in answer.evidence


def test_where_nothing_has_a_place_the_answer_says_so(board, dataset):
    edition = Edition(load_words("en"), dataset.vocabulary)
    alone = replace(board, rows=board.rows[:1])
    answer = home_page(edition, [alone], "2026-11-30").cards[0].measured[0]
    assert answer.evidence == "1 run, too few runs to rank,"
    assert answer.strip.dots == ()  # a line with one dot shows nothing


def test_a_charts_description_names_the_best_of_its_own_bars(board, dataset):
    edition = Edition(load_words("en"), dataset.vocabulary)
    slow = [row for row in board.rows if row.estimate][-1:]
    chart = board_charts.measured_chart(edition, board, slow, "fig-x")
    assert board_charts.labels.row_label(edition, slow[0]) in chart.alt
