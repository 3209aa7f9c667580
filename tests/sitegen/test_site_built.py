"""The built site: complete, linked, self-contained, the same bytes anywhere, and safe with hostile names."""

from __future__ import annotations

import hashlib
import threading
import time
from html.parser import HTMLParser
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from sitegen.build import build
from sitegen.cli import serve_command, site_command
from sitegen.errors import SiteError
from sitegen.serve import server


class Links(HTMLParser):
    """Addresses that a page loads or leads to, its anchors, and its text."""

    def __init__(self):
        super().__init__()
        self.leads, self.loads, self.ids, self.tags, self.text = [], [], set(), [], []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append((tag, found))
        self.ids.add(found.get("id"))
        if tag == "a" and found.get("href"):
            self.leads.append(found["href"])
        if found.get("src"):
            self.loads.append(found["src"])
        if tag == "link" and found.get("rel") not in {"canonical", "prev", "next", "alternate"}:
            self.loads.append(found["href"])

    def handle_data(self, data):
        self.text.append(data)


def parse(path):
    links = Links()
    links.feed(path.read_text("utf-8"))
    return links


def html_pages(folder):
    return sorted(path for path in folder.rglob("*.html") if path.name != "404.html")


def words_of(path):
    return " ".join("".join(parse(path).text).split())


def target(page, address, root):
    path = unquote(urlsplit(address).path)
    found = (page.parent / path).resolve() if path else page
    assert found.is_relative_to(root), f"{page}: {address} leaves the site"
    return found / "index.html" if found.is_dir() else found


def test_every_link_inside_the_site_leads_somewhere(html):
    parsed = {path: parse(path) for path in html_pages(html)}
    broken = []
    for page, links in parsed.items():
        for address in [*links.leads, *links.loads]:
            if urlsplit(address).scheme or address.startswith("javascript:"):
                continue
            found = target(page, address, html)
            anchor = unquote(urlsplit(address).fragment)
            if not found.is_file() or (anchor and found in parsed and anchor not in parsed[found].ids):
                broken.append((str(page.relative_to(html)), address))
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(html):
    for page in html_pages(html):
        assert [address for address in parse(page).loads if urlsplit(address).netloc] == []


def test_both_languages_have_the_same_pages(html):
    english, chinese = ({p.relative_to(html / code) for p in html_pages(html / code)} for code in ("en", "zh"))
    assert english == chinese
    assert len(english) > 15


def test_the_language_switch_leads_to_the_same_page(html):
    for page in html_pages(html / "en"):
        switch = [a["href"] for tag, a in parse(page).tags if tag == "a" and "data-language" in a]
        assert [target(page, address, html) for address in switch] == [html / "zh" / page.relative_to(html / "en")]


def test_the_root_page_offers_both_languages_without_scripts(html):
    assert parse(html / "index.html").leads == ["en/", "zh/"]


def test_a_hostile_name_is_text_everywhere(html, dataset):
    name = next(s.submission.submitter.name for s in dataset.submissions if "<script>" in s.submission.submitter.name)
    seen = 0
    for page in html_pages(html):
        links = parse(page)
        assert "window.pwned" not in "".join(str(found) for tag, found in links.tags if tag == "script")
        assert not [address for address in links.leads if address.startswith("javascript:alert")]
        assert "49" not in "".join(text for text in links.text if "pwned" in text)
        raw = page.read_text("utf-8")
        assert "<script>window.pwned" not in raw
        seen += name in "".join(links.text)
    assert seen >= 4  # its page and the list of submissions, in two languages


def test_every_submission_has_a_page_and_its_file(html, dataset):
    for stored in dataset.submissions:
        page = html / "en" / "submissions" / stored.id[:12] / "index.html"
        text = page.read_text("utf-8")
        assert stored.id in text
        assert (html / "data" / "submissions" / f"{stored.id[:12]}.json").is_file()
        assert text.count("<h1") == 1
    assert not (html / "en" / "submissions" / "shell").exists()


def test_the_sitemap_names_the_submissions_and_not_their_frame(html, dataset):
    text = (html / "zh" / "sitemap.xml").read_text("utf-8")
    assert all(
        f"https://example.org/deep/path/zh/submissions/{stored.id[:12]}/" in text for stored in dataset.submissions
    )
    assert "shell" not in text


def test_a_board_says_why_a_cell_has_no_number(html):
    text = " ".join(parse(html / "en" / "workloads" / "cifar10-cnn" / "index.html").text)
    for expected in ("crashed", "signal 11", "unsupported", "no figure", "1, tied", "yours, not submitted"):
        assert expected in text


def test_a_published_figure_links_to_its_line(html):
    leads = parse(html / "en" / "workloads" / "cifar10-cnn" / "index.html").leads
    base = "https://github.com/ilkarman/DeepLearningFrameworks/blob/671e2a0198ff6b82babab2661295b8d49b4baccf/README.md"
    assert any(address.startswith(f"{base}?plain=1#L") for address in leads)


def test_a_workload_without_results_says_how_to_contribute(html):
    page = parse(html / "zh" / "workloads" / "vgg16" / "index.html")
    assert "尚无结果" in "".join(page.text)
    assert "../../submit/" in page.leads


def test_every_chart_names_itself_and_finds_its_data(html):
    count = 0
    for page in html_pages(html):
        language = html / page.relative_to(html).parts[0]
        for _tag, found in parse(page).tags:
            if "data-figure" in found:
                count += 1
                assert found["aria-label"]
                assert (language / "assets" / found["data-figure"]).is_file()
    assert count > 10


def test_the_same_data_give_the_same_bytes_in_another_time_zone_and_locale(html, dataset, tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setenv("LC_ALL", "C")
    time.tzset()
    address, reports = "https://example.org/deep/path/", html.parent / "report"
    build(dataset, tmp_path / "html", address=address, work=tmp_path / "docs", reports=reports)
    monkeypatch.undo()
    time.tzset()
    assert digests(tmp_path / "html") == digests(html)


def digests(folder):
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def test_the_downloads_are_those_of_the_data_shown(html, dataset):
    text = (html / "en" / "data" / "index.html").read_text("utf-8")
    assert dataset.version in text
    for name in ("results.parquet", "results.csv", "results.json", "columns.json"):
        assert f'href="../../data/{name}"' in text


def test_the_report_page_offers_the_editions_that_were_built(html):
    leads = parse(html / "zh" / "report" / "index.html").leads
    assert "../../report/rosetta-bench-en.pdf" in leads
    assert "../../report/rosetta-bench-zh.pdf" not in leads


@pytest.mark.parametrize("option", ["--output", "--work"])
def test_a_folder_that_holds_no_site_is_not_emptied(dataset, tmp_path, option):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "precious.txt").write_text("mine", "utf-8")
    folders = {"--output": tmp_path / "html", "--work": tmp_path / "docs", option: mine}
    with pytest.raises(SiteError, match=f"holds something that is no site.*{option}"):
        build(dataset, folders["--output"], address="http://127.0.0.1:8000/", work=folders["--work"])
    assert (mine / "precious.txt").is_file()


def test_an_empty_data_set_makes_a_sound_site(data, tmp_path):
    for folder in ("vocabulary", "workloads"):
        (tmp_path / folder).symlink_to(data / folder)
    (tmp_path / "submissions").mkdir()
    arguments = [
        "--data",
        tmp_path,
        "--local",
        tmp_path / "none",
        "--output",
        tmp_path / "html",
        "--work",
        tmp_path / "docs",
    ]
    finished = CliRunner().invoke(site_command, [str(argument) for argument in arguments])
    assert finished.exit_code == 0, finished.output
    assert "There is no submission yet." in (tmp_path / "html" / "en" / "submissions" / "index.html").read_text("utf-8")


def test_serving_a_folder_without_a_site_says_what_to_do(tmp_path):
    finished = CliRunner().invoke(serve_command, ["--directory", str(tmp_path)])
    assert finished.exit_code == 2
    assert "Run `rosetta site` first" in finished.output


def test_a_taken_port_is_a_clear_error(html):
    from sitegen.serve import server

    with server(html, 0) as taken:
        finished = CliRunner().invoke(serve_command, ["--directory", str(html), "--port", str(taken.server_port)])
    assert finished.exit_code == 2
    assert f"rosetta serve --port {taken.server_port + 1}" in finished.output


def test_an_address_that_leads_nowhere_is_answered_in_both_languages(html):
    for language, title in (("en", "There is no such page"), ("zh", "页面不存在")):
        page = html / language / "404.html"
        assert title in words_of(page)
        assert f"/deep/path/{language}/" in {address.removesuffix(".") for address in parse(page).leads}
    both = html / "404.html"
    assert "There is no such page" in words_of(both)
    assert "页面不存在" in words_of(both)
    base = next(found["href"] for tag, found in parse(both).tags if tag == "base")
    assert (base, parse(both).leads) == ("/deep/path/", ["en/", "zh/"])  # a host shows it at any depth


@pytest.mark.parametrize(
    ("path", "title"),
    [("en/no/such/", "There is no such page"), ("zh/nichts", "页面不存在"), ("x/y", "There is no such")],
)
def test_the_server_answers_as_a_web_host_does(html, path, title):
    listening = server(html, 0)
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    try:
        with pytest.raises(HTTPError) as caught, urlopen(f"http://127.0.0.1:{listening.server_port}/{path}"):
            pass
        assert caught.value.code == 404
        assert title in caught.value.read().decode("utf-8")
        caught.value.close()
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()


def submission_of(dataset, name):
    return next(stored.id[:12] for stored in dataset.submissions if stored.submission.submitter.name == name)


def test_a_submission_says_what_is_proved_and_what_is_not(html, dataset):
    text = words_of(html / "en" / "submissions" / submission_of(dataset, "Jane Roe") / "index.html")
    assert "Yes: everything that the specification asks for was compared and agrees." in text
    assert "Not proved: nothing was recorded that could prove it." in text


def test_a_number_leads_down_to_its_runs_and_steps(html, dataset):
    text = words_of(html / "en" / "submissions" / submission_of(dataset, "Jane Roe") / "index.html")
    for expected in (
        "median of 3 runs, 95 % interval 608.8 – 615.5",
        "64 samples per step × counted steps ÷ window",
        "results[0].runs[…].step_seconds",
        "git checkout",
    ):
        assert expected in text
    marks = {
        a["href"]
        for tag, a in parse(html / "en" / "submissions" / submission_of(dataset, "local") / "index.html").tags
        if tag == "a"
    }
    assert {"../../glossary/#flag-short", "../../glossary/#flag-pair"} <= marks


def test_every_page_has_a_title_and_a_description_of_its_own(html):
    seen = {}
    for page in html_pages(html / "en"):
        found = {tag: attributes for tag, attributes in parse(page).tags if attributes.get("name") == "description"}
        seen[page] = (
            found["meta"]["content"],
            page.read_text("utf-8").partition("<title>")[2].partition("</title>")[0],
        )
    assert len(set(seen.values())) == len(seen)
    assert not [page for page, (description, _title) in seen.items() if not description or "shell" in description]
