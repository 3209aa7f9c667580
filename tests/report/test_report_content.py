"""What the report says, as values: sentences only where the numbers support them, nothing left out."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import pytest
from sitegen import figures as numbers
from sitegen.errors import SiteError
from sitegen.report.blocks import Cell, Figure, Heading, Paragraph, Ref, Table, rewrite
from sitegen.report.findings import findings, limits
from sitegen.report.tables import aligned
from sitegen.report.typeset import compose, pdf

README = r"ilkarman-deeplearningframeworks/(?!.*-notebooks).*"


def blocks(document):
    return (*document.chapters, *document.appendices)


def tables(document):
    return {block.id: block for block in blocks(document) if isinstance(block, Table)}


def texts(row):
    return tuple("".join(map(str, cell.text)) if isinstance(cell, Cell) else cell for cell in row)


def everything(value):
    found = []
    rewrite(value, lambda _place, text: found.append(text) or text)
    return "\n".join(found)


def refs(value):
    if isinstance(value, Ref):
        yield value.target
    elif isinstance(value, tuple):
        for member in value:
            yield from refs(member)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from refs(getattr(value, field.name))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_reference_leads_to_one_heading_figure_or_table(composed, language):
    document = composed[language]
    ids = [block.id for block in blocks(document) if isinstance(block, (Heading, Figure, Table))]
    assert len(ids) == len(set(ids))
    assert set(refs(document)) <= set(ids)


def test_every_figure_and_measured_table_is_named_in_the_text(composed):
    document = composed["en"]
    named = set(refs(document))
    figures = {block.id for block in blocks(document) if isinstance(block, Figure)}
    assert {ident for ident in figures if "-steps-" not in ident} <= named
    assert len({ident for ident in figures if "-steps-" in ident} & named) == 2, "the first and the last of a range"
    assert "tab-cifar10-cnn-throughput" in named


def test_rows_are_as_wide_as_their_table(composed):
    for table in tables(composed["en"]).values():
        for row in table.rows:
            assert sum(cell.span if isinstance(cell, Cell) else 1 for cell in row) == len(table.columns), table.id


def test_a_tie_a_clear_difference_and_a_lone_result_each_have_their_sentence(several, material):
    alone, lead = sorted("".join(text) for text in findings(material(several)))
    assert "1 thread per process" in alone
    assert "no comparison is drawn" in alone
    assert "PyTorch 2.13.0 (eager) with 511.0" in lead
    assert "TensorFlow 2.20.0 (eager) with 511.0" in lead
    assert "none differs clearly from the best value" in lead
    assert "The places behind are taken by MXNet 1.9.1 (eager) with 400.0" in lead


def test_two_runs_give_no_sentence_about_an_order(several, material):
    assert "JAX" not in "".join("".join(text) for text in findings(material(several)))


def test_results_that_tie_throughout_are_said_to_tie(load, material, submission):
    dataset = load(submission(), submission("tensorflow", "2.20.0", rates=(508.0, 509.0, 512.0, 514.0, 511.0)))
    (sentence,) = findings(material(dataset))
    assert "none differs clearly from the best throughput" in "".join(sentence)


def test_one_machine_and_one_framework_are_limits_that_are_said(load, material, submission):
    said = ["".join(map(str, text)) for text in limits(material(load(submission())))]
    assert any("single machine (desk-2core)" in text for text in said)
    assert any("no statement about which framework is faster" in text for text in said)
    assert not any("published" in text for text in said)


def test_marks_and_failures_are_counted(several, material):
    said = "\n".join("".join(map(str, text)) for text in limits(material(several)))
    assert "two runs (1)" in said
    assert "Without a value: 1 measured result" in said
    assert "Of 90 published cells, 10 hold no number" in said


def test_published_figures_have_no_place_and_no_sentence(load, material):
    dataset = load(published=README)
    assert list(findings(material(dataset))) == []
    assert any("holds no measured result" in "".join(map(str, t)) for t in limits(material(dataset)))


def test_every_published_cell_stands_in_the_appendix_with_its_line(composed):
    table = tables(composed["en"])["tab-published-cells-1"]
    heads = [texts(row)[0] for row in table.rows if len(row) == 1]
    rows = [texts(row) for row in table.rows if len(row) > 1]
    assert len(heads) == 5
    assert "DenseNet-121 on ChestXRay: time for the fixed epochs (s); synthetic, in host memory" in heads
    assert len(rows) == 90
    assert all(place.startswith("README.md:") and place.rsplit(":")[1].isdigit() for *_cells, place in rows)
    assert sum(row[3] == "–" for row in rows) == 10
    assert ("27min", "1,620") in [row[2:4] for row in rows]


def test_the_report_holds_each_value_of_the_data_set_and_no_other(several, composed):
    document, figures = composed["en"], [f for f in several.figures if f.standing == "current"]
    table = tables(document)["tab-published-cells-1"]
    printed = sorted(texts(row)[3] for row in table.rows if len(row) > 1)
    assert printed == sorted(
        numbers.printed(f.estimate.value) if f.estimate else "–" for f in figures if f.trust == "published"
    )
    rows = [texts(row) for row in tables(document)["tab-cifar10-cnn-throughput"].rows if len(row) > 3]
    measured = [f for f in figures if f.trust != "published" and f.estimate]
    assert sorted(row[2] for row in rows) == sorted(numbers.measured(f.estimate.value) for f in measured)
    runs = [texts(row) for row in tables(document)["tab-runs"].rows if len(row) > 1]
    assert sorted(row[4] for row in runs) == sorted(numbers.measured(value) for f in measured for value in f.runs)


def test_a_run_with_two_metrics_is_listed_once(load, submission):
    real = submission(window="epochs", data={"kind": "real", "loader": None, "workers": None, "cache": None})
    for run in real["results"][0]["runs"]:
        steps = {"warmup_steps": 0, "measured_steps": 7820, "warmup_step_seconds": [], "step_seconds": []}
        seconds = run["window_seconds"]
        run.update(steps, epoch_seconds=[seconds] * 10, window_seconds=seconds * 10)
        run["quality"] = {"metric": "accuracy", "value": 0.77}
    dataset = load(real)
    assert {figure.metric for figure in dataset.figures} == {"fixed-epochs-seconds", "accuracy"}
    rows = [row for row in tables(compose(dataset, "en", pytest.fail))["tab-runs"].rows if len(row) > 1]
    assert len(rows) == len(real["results"][0]["runs"])


def test_every_cell_without_a_number_is_listed_with_its_reason(composed):
    rows = [texts(row) for row in tables(composed["en"])["tab-missing"].rows]
    assert len(rows) == 11
    assert ("CIFAR-10 CNN", "OneFlow 1.0.0 (eager)", "AMD EPYC 9B14", "out of memory") in [row[:4] for row in rows]
    assert all(row[4] not in ("", "–") for row in rows)
    assert "来源此处为“TBA”" in everything(composed["zh"].appendices)


def test_a_long_table_of_a_source_is_told_by_its_ranges(load):
    dataset = load(published="lambdal-deeplearning-benchmark/resnet50.*")
    document = compose(dataset, "en", pytest.fail)
    fp16, fp32 = (board for board in dataset.boards if board.long)
    table = tables(document)[f"tab-{fp16.id}"]
    assert len(table.rows) == len({(row.device, row.devices) for row in fp16.rows})
    lone = next(texts(row) for row in table.rows if "8 × NVIDIA B200" in texts(row)[0])
    values = [row.estimate.value for row in fp16.rows if "B200" in row.device and row.devices == 8]
    assert lone[1:] == (str(len(values)), "–", numbers.printed(min(values)), numbers.printed(max(values)))
    text = everything(document)
    assert f"{len(fp16.rows) + len(fp32.rows)} published cells of long tables are not printed here" in text
    assert "146 published cells with the throughput" in text
    assert set(refs(document)) <= {b.id for b in blocks(document) if isinstance(b, (Heading, Figure, Table))}


def test_a_failure_shows_its_reason_in_the_place_of_the_number(composed):
    rows = tables(composed["en"])["tab-cifar10-cnn-throughput"].rows
    (failed,) = [row for row in rows if "OneFlow" in str(row[1:2])]
    assert failed[2].span == 7
    assert "It needs 12 GiB" in failed[2].text[0]


def test_settings_are_told_apart_by_headings(composed):
    rows = tables(composed["en"])["tab-cifar10-cnn-throughput"].rows
    heads = [row[0].text for row in rows if isinstance(row[0], Cell) and row[0].role == "group"]
    assert [head[0] for head in heads] == ["Setting 1: ", "Setting 2: "]
    assert heads[0][1] != heads[1][1]


def test_a_failure_alone_is_reported_without_an_empty_chart(load, submission):
    failed = submission(rates=(), outcome="crashed", reason="Killed by signal 11.")
    document = compose(load(failed), "en", pytest.fail)
    assert not [block for block in blocks(document) if isinstance(block, Figure)]
    assert "No result has a value" in everything(document)
    assert document.front.date is None
    assert pdf(document).startswith(b"%PDF")


def test_without_any_result_the_message_says_what_to_do(load):
    with pytest.raises(SiteError, match="rosetta run"):
        compose(load(), "en", pytest.fail)


def test_a_character_without_a_shape_is_replaced_and_told_with_its_place(load, submission):
    heard = []
    document = compose(load(submission(machine="李喆-\U0001f600")), "zh", heard.append)
    assert len(heard) == 2
    for message, code in zip(heard, ("U+5586", "U+1F600"), strict=True):
        assert message.startswith("report.chapters[")
        assert f"the font has no {code}; it is printed as [{code}]" in message
    assert "李[U+5586]-[U+1F600]" in everything(document)
    assert pdf(document).startswith(b"%PDF")


def test_decimal_points_of_a_column_stand_in_one_line():
    assert [cell.pad for cell in aligned(["17", "8.5", "1,620.25"])] == [".00", "0", ""]


def test_the_text_of_a_paragraph_is_whole(composed):
    for block in blocks(composed["zh"]):
        if isinstance(block, Paragraph):
            kinds = [type(piece) for piece in block.text]
            assert all((one, two) != (str, str) for one, two in pairwise(kinds))
