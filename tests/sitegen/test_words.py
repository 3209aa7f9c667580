"""Both languages say everything, and nothing is said that no page uses."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from sitegen.words import load_words

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (*(ROOT / "site" / "sitegen").rglob("*.py"), *(ROOT / "templates" / "site").rglob("*.j2"))
SETS = ("outcome", "trust", "flag", "limit", "setting", "mode", "data_kind", "batch_level", "window", "option_class")


def test_both_languages_have_the_same_keys_in_the_same_order():
    assert list(load_words("en").texts) == list(load_words("zh").texts)


def test_both_languages_fill_in_the_same_names():
    def names(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english, chinese = load_words("en").texts, load_words("zh").texts
    assert {key: names(text) for key, text in english.items()} == {key: names(text) for key, text in chinese.items()}


def test_chinese_is_translated():
    english, chinese = load_words("en").texts, load_words("zh").texts
    plain = {key: re.sub(r"\{.*?\}", "", text) for key, text in english.items()}
    same = {key for key in english if english[key] == chinese[key] and re.search(r"[A-Za-z]{4}", plain[key])}
    assert same == {"shared.name", "site.downloads.json"}


def test_no_word_of_the_site_is_unused():
    text = "".join(path.read_text("utf-8") for path in SOURCES)

    def used(key):
        name = key.rpartition(".")[2].removesuffix("_meaning")
        return key in text or re.search(rf"""["'/{{.]{re.escape(name)}["'}}]""", text)

    generated = re.compile(
        r"site\.downloads\.(csv|json|parquet|columns_json|index_json)|site\.board\.caption_(measured|published)"
        r"|site\.home\.strip_(higher|lower)|site\.submission\.equality_(proved|unproved|failed|none)"
    )
    words = (key for key in load_words("en").texts if key.startswith("site."))
    assert [key for key in words if not used(key) and not generated.fullmatch(key)] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_finds_its_words(language, site):
    assert site.pages, language


def test_a_missing_word_is_an_error_and_not_a_blank():
    with pytest.raises(KeyError):
        load_words("en")("site.home.no_such_word")


def test_every_flag_outcome_and_trust_level_is_explained():
    from typing import get_args

    from collector.schema import Outcome

    texts = load_words("en").texts
    names = {
        "outcome": get_args(Outcome),
        "trust": ("published", "self-reported", "raw-samples", "reproduced"),
        "flag": ("short", "unsettled", "stalls", "single", "pair", "unproved", "spread", "superlinear"),
    }
    missing = [
        f"{kind}.{name}"
        for kind, all_of in names.items()
        for name in all_of
        if f"shared.{kind}.{name}.meaning" not in texts
    ]
    assert missing == []
