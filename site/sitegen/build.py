"""Write the site: generated and hand-written pages, two MkDocs builds, then a page for every submission."""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from collector import store
from collector.schema import ID_DIGITS
from sitegen import feed, pages, render
from sitegen.errors import SiteError
from sitegen.views import submission
from sitegen.words import LANGUAGES, Words, load_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collector.store import Dataset

ROOT = Path(__file__).resolve().parent.parent.parent
OUTPUT = ROOT / "build" / "html"
WORK = ROOT / "build" / "docs"
REPORTS = ROOT / "build" / "report"
CONFIG = "mkdocs.{}.yml"
HAND_WRITTEN = ROOT / "site" / "docs"
ASSETS = ROOT / "site" / "assets"
SERVED = ("css", "js", "vendor", "images")  # of site/assets; the fonts are the report's
WORDS_OF_THEME = (
    "skip", "main_navigation", "language_choice", "menu", "search", "missing_title", "missing", "missing_home"
)  # fmt: skip
STALE_DAYS = 180  # about two release cycles of a framework
FIRST_DAY = "2000-01-01"  # the date of an empty data set


def build(dataset: Dataset, output: Path, *, address: str, work: Path = WORK, reports: Path = REPORTS) -> None:
    """Build the site of a dataset into `output`, which is replaced; `address` is where it will be published.

    The pages are written to `work` first, which is replaced too. Reports are taken from `reports` if they are there.
    """
    _clear(output, "en/sitemap.xml", "--output")
    _clear(work, CONFIG.format("en"), "--work")
    output.mkdir(parents=True)
    work.mkdir(parents=True)
    built = pages.Built(sizes=_write_data(dataset, output / "data"), reports=_copy_reports(reports, output / "report"))
    _write(output, pages.submission_files(dataset))
    templates = render.environment()
    names = {language: load_words(language) for language in LANGUAGES}
    days = [(document, submission.date(document)) for document in pages.documents(dataset)]
    for language, words in names.items():
        site = pages.site(dataset, words, templates, built)
        source, target = work / language, output / language
        _write_sources(site, language, source)
        config = _write_config(dataset, words, names, source, target, address)
        _run_mkdocs(config, dataset.date or FIRST_DAY)
        _write_submissions(site, target)
        _write(target, {"feed.xml": feed.feed(words, days, site.submissions, address, dataset.date or FIRST_DAY)})
    _write(output, pages.root_files(names, templates, urlsplit(address).path))


def _clear(folder: Path, mark: str, option: str) -> None:
    """Remove what an earlier build left, and nothing else: `mark` is a file that each build leaves."""
    if folder.exists() and any(folder.iterdir()) and not (folder / mark).is_file():
        raise SiteError(f"{folder} holds something that is no site. Empty it, or name another folder with {option}.")
    shutil.rmtree(folder, ignore_errors=True)


def _write_data(dataset: Dataset, folder: Path) -> dict[str, int]:
    """Write the published data set; return the sizes of its files."""
    return {path.name: path.stat().st_size for path in store.write_dataset(dataset, folder)}


def _copy_reports(reports: Path, target: Path) -> tuple[str, ...]:
    """Copy the reports that are there and return their names."""
    found = [reports / name for name, _key in pages.REPORTS if (reports / name).is_file()]
    for path in found:
        target.mkdir(exist_ok=True)
        shutil.copyfile(path, target / path.name)
    return tuple(path.name for path in found)


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")


def _write_sources(site: pages.Site, language: str, source: Path) -> None:
    shutil.copytree(HAND_WRITTEN / language, source)
    for name in SERVED:
        shutil.copytree(ASSETS / name, source / "assets" / name)
    _write(source, site.pages)
    _write(source / "assets", site.data)


def _write_config(
    dataset: Dataset, words: Words, names: Mapping[str, Words], source: Path, target: Path, address: str
) -> Path:
    """Write MkDocs' configuration of a language: what differs from mkdocs.yml. JSON is YAML."""
    language = words.language
    workloads = [(key, known.title[language]) for key, known in dataset.vocabulary.workloads.items() if known.board]
    footer = words("site.footer_empty")
    if dataset.date is not None:
        footer = words("site.footer_version", version=dataset.version[:ID_DIGITS], date=dataset.date)
    config = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "site_name": words("shared.name"),
        "site_description": words("site.description"),
        "site_url": f"{address.rstrip('/')}/{language}/",
        "docs_dir": str(source.resolve()),
        "site_dir": str(target.resolve()),
        "nav": pages.navigation(words, workloads),
        "theme": {"language": language, "custom_dir": str(render.TEMPLATES / "theme"), "palette": _palettes(words)},
        "plugins": {"search": {"lang": ["zh", "en"] if language == "zh" else ["en"]}},
        "extra": {
            "languages": [{"code": code, "name": other("shared.language")} for code, other in names.items()],
            "words": {key: words(f"site.{key}") for key in WORDS_OF_THEME},
            "footer": [words("site.footer"), footer],
            "feed": words("site.feed.title"),
            "stale": _stale(dataset, words),
            "scope": urlsplit(address).path or "/",  # the palette that is chosen in one language holds in the other
        },
    }
    path = source.parent / CONFIG.format(language)
    path.write_text(json.dumps(config, ensure_ascii=False, indent=1), "utf-8")
    return path


def _stale(dataset: Dataset, words: Words) -> dict[str, object]:
    """Return what the reader's browser needs to say that the data are old."""
    if dataset.date is None:
        return {}
    text = words("site.stale", date=dataset.date, days="{days}")  # the browser counts
    return {"newest": dataset.date, "after": STALE_DAYS, "text": text}


def _palettes(words: Words) -> list[dict[str, object]]:
    """Return system, light and dark; each toggle names what it leads to."""

    def palette(media: str, scheme: str, icon: str, name: str) -> dict[str, object]:
        return {"media": media, "scheme": scheme, "toggle": {"icon": icon, "name": words(name)}}

    return [
        palette("(prefers-color-scheme)", "default", "material/brightness-auto", "site.to_light"),
        palette("(prefers-color-scheme: light)", "default", "material/weather-sunny", "site.to_dark"),
        palette("(prefers-color-scheme: dark)", "slate", "material/weather-night", "site.to_system"),
    ]


def _run_mkdocs(config: Path, day: str) -> None:
    """Run MkDocs strictly; its dates are the data's, so that the same data gives the same bytes."""
    epoch = int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": str(epoch), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", str(config)]
    finished = subprocess.run(command, env=environ, capture_output=True, encoding="utf-8", check=False)
    if finished.returncode:
        raise SiteError(f"MkDocs failed on {config}:\n{finished.stderr.strip()}\nCorrect the page that it names.")


def _write_submissions(site: pages.Site, target: Path) -> None:
    """Write each submission's page into the frame that the theme drew, and remove the frame's own page."""
    shell = target / pages.SHELL
    frame = (shell / "index.html").read_text("utf-8")
    shutil.rmtree(shell)
    name = pages.SHELL.rpartition("/")[2]
    for text in site.submissions:
        address = frame.replace(f"submissions/{name}/", f"submissions/{text.id}/")
        named = address.replace(pages.SHELL_TITLE, html.escape(text.title))
        before, after = named.replace(pages.SHELL_DESCRIPTION, html.escape(text.description)).split(pages.SHELL_MARK)
        _write(target, {f"submissions/{text.id}/index.html": f"{before}{text.body}{after}"})
    _rewrite_sitemap(site, target)


def _rewrite_sitemap(site: pages.Site, target: Path) -> None:
    """Name the submissions' pages instead of the frame's; a sitemap in two forms would be one too many."""
    (target / "sitemap.xml.gz").unlink(missing_ok=True)
    path = target / "sitemap.xml"
    text = path.read_text("utf-8")
    start = text.rindex("<url>", 0, text.index(f"{pages.SHELL}/"))
    end = text.index("</url>", start) + len("</url>")
    entry = text[start:end]
    entries = "\n    ".join(entry.replace(f"{pages.SHELL}/", f"submissions/{page.id}/") for page in site.submissions)
    path.write_text(text[:start] + entries + text[end:], "utf-8", newline="\n")
