"""The PDF files: opened, read and looked at."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys

import pypdfium2
import pytest
import typst
from click.testing import CliRunner
from pypdf import PdfReader
from sitegen.errors import SiteError
from sitegen.report.blocks import Figure, Heading
from sitegen.report.cli import report_command
from sitegen.report.typeset import compose, pdf
from sitegen.words import LANGUAGES

both = pytest.mark.parametrize("language", LANGUAGES)
HOSTILE = "<script>`|{{ #set @x " + "y" * 200
ENDS = re.compile(r"[ .\u2060]*?(\d+)$")


@pytest.fixture(scope="module")
def readers(pdfs):
    return {language: PdfReader(io.BytesIO(content)) for language, content in pdfs.items()}


def headings(document):
    return [block.text for block in (*document.chapters, *document.appendices) if isinstance(block, Heading)]


def outline(reader):
    def walk(entries):
        for entry in entries:
            if isinstance(entry, list):
                yield from walk(entry)
            else:
                yield entry.title, reader.get_destination_page_number(entry) + 1

    return list(walk(reader.outline))


def contents(reader, titles):
    """Return the page numbers that the contents print, by title."""
    lines = [line for page in reader.pages[2:4] for line in page.extract_text().splitlines()]
    found = {}
    for title in titles:
        line = next(
            (line for line in lines if line.startswith(title) and re.match(r"[ .]*\d+$", line[len(title) :])), None
        )
        if line:
            found[title] = int(ENDS.search(line)[1])
    return found


@both
def test_bookmarks_are_the_numbered_headings_in_order(readers, composed, language):
    titles = [title for title, _page in outline(readers[language])][1:]
    assert [title.split(" ", 1)[1] for title in titles] == headings(composed[language])
    assert titles[0].startswith("1 ")
    assert titles[-1].startswith("F ")


@both
def test_page_numbers_in_the_contents_are_those_of_the_headings(readers, language):
    real = dict(outline(readers[language])[1:])
    assert contents(readers[language], real) == real


@both
def test_each_page_says_which_it_is_of_how_many(readers, language):
    pages = readers[language].pages
    for number, page in enumerate(pages[1:], start=2):
        text = page.extract_text()
        words = f"Page {number} of {len(pages)}" if language == "en" else f"第 {number} 页，共 {len(pages)} 页"
        assert words in text, number


def test_the_chinese_text_layer_can_be_searched(readers):
    text = "".join(page.extract_text() for page in readers["zh"].pages)
    for word in (
        "目录",
        "图目录",
        "表目录",
        "概述",
        "测试方案",
        "测试方法",
        "吞吐率",
        "批大小",
        "加速比",
        "预热",
        "术语",
        "CIFAR-10 卷积网络",
    ):
        assert word in text


@both
def test_all_fonts_are_embedded_and_ours(readers, language):
    fonts = [
        font.get_object() for page in readers[language].pages for font in page["/Resources"].get("/Font", {}).values()
    ]
    assert fonts
    for font in fonts:
        descriptor = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
        assert "/FontFile2" in descriptor
        assert "NotoSansSC" in font["/BaseFont"]


@both
def test_the_file_is_tagged_dated_from_the_data_and_carries_its_figures(readers, language):
    reader = readers[language]
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert reader.trailer["/Root"]["/Lang"].startswith(language)
    assert reader.metadata.creation_date.date().isoformat() == "2026-11-30"
    (attached,) = reader.attachments["rosetta-bench-report.json"]
    assert json.loads(attached)["language"] == language


@both
def test_tables_and_headings_are_named_destinations(readers, language):
    assert {"sec-summary", "sec-cifar10-cnn", "sec-glossary"} <= set(readers[language].named_destinations)


@both
def test_each_figure_stands_in_its_own_chapter(readers, composed, language):
    starts = iter([page for title, page in outline(readers[language]) if re.match(r"\d+ ", title)])
    pages = ["".join(page.extract_text().split()) for page in readers[language].pages]
    first, last, number = 0, next(starts), 0
    for block in composed[language].chapters:
        if isinstance(block, Heading) and block.level == 1:
            first, last = last, next(starts, len(pages))
        elif isinstance(block, Figure):
            number += 1
            caption = "".join(f"{composed[language].front.figure}{number}{block.caption}".split())
            found = [place for place, text in enumerate(pages, start=1) if caption in text]
            assert first <= found[-1] <= last, caption


@both
def test_no_page_is_blank_and_nothing_leaves_the_text_area(pdfs, language):
    assert_sound_pages(pdfs[language])


def assert_sound_pages(content):
    for number, page in enumerate(pypdfium2.PdfDocument(content)):
        image = page.render(scale=0.5, grayscale=True).to_pil()
        ink = image.point(lambda value: 255 * (value < 200)).getbbox()
        assert ink, f"page {number + 1} is blank"
        if number:
            assert ink[0] >= 30, f"page {number + 1} leaves the left margin"
            assert ink[2] <= image.width - 30, f"page {number + 1} leaves the right margin"
            assert ink[3] <= image.height - 15, f"page {number + 1} leaves the foot"


@both
def test_long_and_hostile_names_wrap_inside_the_page(load, language, submission):
    evil = [
        submission("pytorch", "2.0-" + "x" * 300, machine=HOSTILE),
        submission("mxnet", "1", rates=(), outcome="failed", reason=HOSTILE),
        submission("jax", "1", rates=(), outcome="failed", reason="It stopped for a reason that takes words. " * 20),
    ]
    content = pdf(compose(load(*evil), language, pytest.fail))
    assert_sound_pages(content)
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    assert "<script>`|{{ #set @x" in text
    assert "\u200b" not in text


@both
def test_the_layout_settles(composed, language, monkeypatch):
    heard = []

    def compile_and_listen(*arguments, **options):
        content, warnings = typst.compile_with_warnings(*arguments, **options)
        heard.extend(warning.message for warning in warnings)
        return content

    monkeypatch.setattr(typst, "compile", compile_and_listen)
    pdf(composed[language])
    assert heard == []


def test_same_data_same_bytes_in_any_time_zone_and_locale(folders, submission):
    data, local = folders(submission(), published=r"ilkarman-.*")
    script = (
        "import hashlib, sys; from pathlib import Path; from collector import store; from sitegen.report.typeset import compose, pdf\n"
        "dataset = store.load(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "print(*[hashlib.sha256(pdf(compose(dataset, l, print))).hexdigest() for l in ('en', 'zh')])"
    )
    hashes = set()
    for zone, locale, seed in (("Asia/Shanghai", "C", "1"), ("America/New_York", "C.UTF-8", "2")):
        environment = os.environ | {"TZ": zone, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", script, str(data), str(local)]
        hashes.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(hashes) == 1
    assert len(hashes.pop().split()) == 2


def test_the_command_writes_both_editions_and_says_where(folders, submission, tmp_path):
    data, local = folders(submission(machine="李喆"))
    done = CliRunner().invoke(report_command, ["--data", str(data), "--local", str(local), "-o", str(tmp_path / "new")])
    assert done.exit_code == 0
    written = [tmp_path / "new" / f"rosetta-bench-{language}.pdf" for language in LANGUAGES]
    assert done.stdout.split() == [str(path) for path in written]
    assert all(path.read_bytes().startswith(b"%PDF") for path in written)
    assert "U+5586" in done.stderr


def test_the_command_without_data_fails_with_a_remedy(folders, tmp_path):
    data, local = folders()
    done = CliRunner().invoke(report_command, ["--data", str(data), "--local", str(local), "-o", str(tmp_path / "new")])
    assert done.exit_code == 1
    assert "rosetta run" in done.stderr
    assert not (tmp_path / "new").exists()


def test_a_folder_without_the_templates_is_a_clear_error(composed, tmp_path):
    with pytest.raises(SiteError, match=r"report\.typ is missing"):
        pdf(composed["en"], tmp_path)
