"""The report's strings: complete in both languages, and each of them used."""

from __future__ import annotations

import re
import tomllib
from string import Formatter

import pytest
from sitegen.report.words import load_report_words
from sitegen.words import I18N, LANGUAGES

from collector import store

REPORT = I18N.parent / "sitegen" / "report"
TABLES = {language: tomllib.loads((I18N / f"report.{language}.toml").read_text("utf-8")) for language in LANGUAGES}


def leaves(table, prefix=""):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def gaps(value):
    if isinstance(value, list):
        return sorted(gap for part in value for gap in gaps(part))
    return sorted(gap for _literal, gap, _spec, _conversion in Formatter().parse(value) if gap)


def test_both_languages_have_the_same_keys():
    assert dict(leaves(TABLES["zh"])).keys() == dict(leaves(TABLES["en"])).keys()


@pytest.mark.parametrize("key", [key for key, _value in leaves(TABLES["en"]) if key not in ("date", "months")])
def test_both_languages_have_the_same_gaps(key):
    assert set(gaps(dict(leaves(TABLES["zh"]))[key])) == set(gaps(dict(leaves(TABLES["en"]))[key]))


def test_every_string_is_used():
    code = "".join(path.read_text("utf-8") for path in sorted(REPORT.glob("*.py")))
    named = set(re.findall(r"[a-z0-9_]+", " ".join(re.findall(r'"([^"\n]*)"', code))))
    built = re.compile(r"_text$|_label$|^limit_|^metric_meaning")  # by the code, from a section's or a metric's name
    unused = [
        key
        for key, _value in leaves(TABLES["en"])
        if not {key.split(".")[-1], built.sub("", key.split(".")[-1])} & named and not built.match(key)
    ]
    assert unused == []


def test_counted_nouns_have_a_singular():
    english = load_report_words("en")
    assert (english.count(1, "runs"), english.count(2000, "runs")) == ("1 run", "2,000 runs")


@pytest.mark.parametrize(("parts", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_enumerations_follow_the_language(parts, text):
    assert load_report_words("en").join(parts) == text


def test_a_name_with_braces_is_not_taken_for_a_gap():
    assert load_report_words("en").text("front.edition", date="{evil} {0}") == "Edition {evil} {0}"


def test_every_metric_is_defined():
    assert set(store.load_vocabulary().metrics) == set(TABLES["en"]["metric_meaning"])
