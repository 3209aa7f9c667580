"""The feed: every submission once, newest first, with an address that the site has."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from xml.etree import ElementTree as ET

import pytest
from sitegen import pages
from sitegen.feed import feed
from sitegen.words import load_words

from collector.schema import Withdrawal

ATOM = {"a": "http://www.w3.org/2005/Atom"}
ADDRESS = "https://example.org/deep/path/"


@pytest.fixture(params=["en", "zh"])
def written(request, html):
    return request.param, ET.parse(html / request.param / "feed.xml").getroot()


def test_the_feed_says_what_atom_asks_for(written):
    language, root = written
    assert root.find("a:id", ATOM).text == f"{ADDRESS}{language}/"
    assert {link.get("rel"): link.get("href") for link in root.findall("a:link", ATOM)} == {
        "self": f"{ADDRESS}{language}/feed.xml",
        "alternate": f"{ADDRESS}{language}/",
    }
    for entry in root.findall("a:entry", ATOM):
        assert all(entry.find(f"a:{name}", ATOM).text for name in ("title", "id", "updated", "summary"))


def test_every_submission_is_in_it_once_the_newest_first(written, dataset):
    entries = written[1].findall("a:entry", ATOM)
    assert {entry.find("a:id", ATOM).text for entry in entries} == {f"urn:sha256:{s.id}" for s in dataset.submissions}
    days = [entry.find("a:updated", ATOM).text for entry in entries]
    assert days == sorted(days, reverse=True)


def test_every_entry_leads_to_a_page_of_the_site(written, html):
    for link in written[1].findall("a:entry/a:link", ATOM):
        page = link.get("href").removeprefix(ADDRESS)
        assert (html / page / "index.html").is_file()


def test_what_was_withdrawn_or_replaced_says_so(dataset, site, request):
    words = load_words(request.node.callspec.params["site"])
    one, two, *_rest = pages.documents(dataset)
    gone = one.submission.model_copy(update={"withdrawn": Withdrawal(on=date(2026, 11, 30), reason="A slip.")})
    changed = [replace(one, submission=gone), replace(two, superseded_by="f" * 64)]
    text = feed(words, [(document, "2026-11-30") for document in changed], site.submissions, ADDRESS, "2026-11-30")
    titles = {
        e.find("a:id", ATOM).text: e.find("a:title", ATOM).text for e in ET.fromstring(text).findall("a:entry", ATOM)
    }
    withdrawn, replaced = {"en": ("Withdrawn:", "Replaced:"), "zh": ("已撤回：", "已被替换：")}[words.language]
    assert titles[f"urn:sha256:{one.id}"].startswith(withdrawn)
    assert titles[f"urn:sha256:{two.id}"].startswith(replaced)


def test_every_page_names_the_feed_of_its_language(html):
    for page, depth in (("en/index.html", "feed.xml"), ("zh/submissions/index.html", "../feed.xml")):
        text = (html / page).read_text("utf-8")
        assert 'type="application/atom+xml"' in text
        assert f'href="{depth}"' in text
