"""Which pages and data files a language's site has: dataset in, {path: text} out, no file access."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.canonical import document as as_document
from collector.problems import Severity
from collector.schema import ID_DIGITS
from sitegen import figures, plotly, records, render
from sitegen.labels import Edition
from sitegen.views import reported
from sitegen.views.board import SourcePage, WorkloadPage, source_address, source_page, workload_page
from sitegen.views.home import home_page
from sitegen.views.index import columns_table, downloads, reading_terms, submissions_table, terms, workloads_table
from sitegen.views.submission import Document, SubmissionPage, submission_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import jinja2

    from collector.boards import Row
    from collector.problems import Problem
    from collector.store import Dataset
    from sitegen.charts import Chart
    from sitegen.words import Words

DESCRIPTION_CHARACTERS = 200  # more than any search engine shows
REPORTS = (("rosetta-bench-en.pdf", "english"), ("rosetta-bench-zh.pdf", "chinese"))
SHELL = "submissions/shell"  # a page of the theme around this mark becomes the frame of each submission's page
SHELL_MARK = "<h1>rosetta-shell</h1>"  # a heading, or the theme would add one
SHELL_TITLE = "rosetta-shell-title"
SHELL_DESCRIPTION = "rosetta-shell-description"


@dataclass(frozen=True)
class Built:
    """What other steps left for the site: sizes in bytes of the published data files, names of the reports."""

    sizes: Mapping[str, int]
    reports: tuple[str, ...]


@dataclass(frozen=True)
class SubmissionText:
    """A submission's page by address, as HTML without the theme's frame; `title` and `description` are plain text."""

    id: str
    title: str
    description: str
    body: str


@dataclass(frozen=True)
class Site:
    """A language's pages: Markdown files for MkDocs, chart data, and bodies of submission pages."""

    pages: Mapping[str, str]
    data: Mapping[str, str]
    submissions: tuple[SubmissionText, ...]


def documents(dataset: Dataset) -> tuple[Document, ...]:
    """Return every submission with its rows of the table and the problems found in its file."""
    by_id = records.by_submission(dataset.table)
    problems: dict[str, list[Problem]] = {}
    for problem in dataset.problems:
        problems.setdefault(problem.file, []).append(problem)
    newer = {stored.supersedes: stored.id for stored in dataset.submissions}
    return tuple(
        Document(
            id=stored.id,
            file=stored.file,
            yours=stored.yours,
            submission=stored.submission,
            records=tuple(by_id.get(stored.id, ())),
            problems=tuple(problems.get(stored.file, ())),
            superseded_by=newer.get(stored.id) if _superseded(by_id.get(stored.id, ())) else None,
        )
        for stored in dataset.submissions
    )


def _superseded(rows: Sequence[records.Record]) -> bool:
    return any(row["standing"] == "superseded" for row in rows)


def site(dataset: Dataset, words: Words, templates: jinja2.Environment, built: Built) -> Site:
    """Return all generated files of one language."""
    edition = Edition(words, dataset.vocabulary)
    stored = documents(dataset)
    cite = _cite(stored)
    boards = {
        key: workload_page(edition, key, dataset.boards, cite)
        for key, workload in dataset.vocabulary.workloads.items()
        if workload.board
    }
    tables = {source_address(board): source_page(edition, board, cite) for board in dataset.boards if board.long}
    views = [(document, submission_page(edition, document)) for document in stored]
    pages = {
        **_list_pages(edition, templates, dataset, stored, built),
        **{f"workloads/{key}.md": _workload(edition, templates, view) for key, view in boards.items()},
        **{f"{address}.md": _source(edition, templates, view) for address, view in tables.items()},
        f"{SHELL}.md": render.page(SHELL_TITLE, SHELL_MARK, description=SHELL_DESCRIPTION, search=False),
    }
    charts = [*_board_charts(boards), *(view.section.chart for view in tables.values())]
    charts += [*_submission_charts([view for _document, view in views])]
    return Site(
        pages=pages,
        data={f"data/charts/{chart.id}.json": _json(plotly.figure(chart)) for chart in charts},
        submissions=tuple(_submission(edition, templates, document, view) for document, view in views),
    )


def submission_files(dataset: Dataset) -> Mapping[str, str]:
    """Return every submission as JSON by its path below the site's root."""
    return {
        f"data/submissions/{stored.id[:ID_DIGITS]}.json": _json(as_document(stored.submission))
        for stored in dataset.submissions
    }


def root_files(names: Mapping[str, Words], templates: jinja2.Environment, base: str) -> Mapping[str, str]:
    """Return what stands above the languages: the choice of one, and the page for an address that leads nowhere.

    `base` is the path below which the site is published: a host shows the second page at any depth.
    """
    choices = [(language, words("shared.language")) for language, words in names.items()]
    missing = [
        {
            "code": language,
            "title": words("site.missing_title"),
            "text": words("site.missing"),
            "home": words("site.missing_home"),
        }
        for language, words in names.items()
    ]
    root, absent = templates.get_template("root.html.j2"), templates.get_template("missing.html.j2")
    return {
        "index.html": root.render(languages=choices, title=names["en"]("site.choose")),
        "404.html": absent.render(languages=missing, base=f"{base.rstrip('/')}/"),
    }


def navigation(words: Words, workloads: Sequence[tuple[str, str]]) -> list[dict[str, object]]:
    """Return MkDocs' navigation; `workloads` are (id, title)."""
    name = {key: words(f"site.nav.{key}") for key in ("home", "workloads", "all_workloads", "submissions", "method")}
    name |= {key: words(f"site.nav.{key}") for key in ("glossary", "submit", "downloads", "report")}
    leaderboards: list[dict[str, object]] = [{name["all_workloads"]: "workloads/index.md"}]
    leaderboards += [{title: f"workloads/{key}.md"} for key, title in workloads]
    return [
        {name["home"]: "index.md"},
        {name["workloads"]: leaderboards},
        {name["submissions"]: "submissions/index.md"},
        {name["method"]: [{name["method"]: "method.md"}, {name["glossary"]: "glossary.md"}]},
        {name["submit"]: "submit.md"},
        {name["downloads"]: "data.md"},
        {name["report"]: "report.md"},
    ]


def _list_pages(
    edition: Edition, templates: jinja2.Environment, dataset: Dataset, stored: Sequence[Document], built: Built
) -> dict[str, str]:
    words = edition.words

    def made(name: str, template: str, depth: int, **context: object) -> str:
        body = render.render(templates, template, edition, depth, **context)
        return render.page(words(f"site.{name}.title"), body, description=words(f"site.{name}.lead"))

    def listed(name: str, **context: object) -> str:
        heading = {"title": words(f"site.{name}.title"), "lead": words(f"site.{name}.lead")}
        return made(name, "list.html.j2", 1, **heading, **context)

    values = {
        "version": dataset.version,
        "newest": dataset.date or words("shared.none"),
        "rows": str(len(dataset.table)),
    }
    facts = tuple((words(f"site.downloads.{key}"), value) for key, value in values.items())
    reports = [(f"../report/{name}", words(f"site.report.{key}")) for name, key in REPORTS if name in built.reports]
    return {
        "index.md": made("home", "home.html.j2", 0, view=home_page(edition, dataset.boards, dataset.date or "")),
        "workloads/index.md": listed(
            "workloads", table=workloads_table(edition, dataset.boards), empty="", left_out=()
        ),
        "submissions/index.md": listed(
            "submissions",
            table=submissions_table(edition, stored),
            empty=words("site.submissions.empty"),
            left_out=_left_out(dataset),
        ),
        "glossary.md": made(
            "glossary",
            "glossary.html.j2",
            1,
            reading=reading_terms(edition),
            trust=terms(edition, "trust"),
            flags=terms(edition, "flag"),
            outcomes=terms(edition, "outcome"),
        ),
        "data.md": made(
            "downloads",
            "downloads.html.j2",
            1,
            facts=facts,
            files=downloads(edition, built.sizes),
            columns=columns_table(edition),
        ),
        "report.md": made("report", "report.html.j2", 1, files=reports),
    }


def _left_out(dataset: Dataset) -> list[tuple[str, str]]:
    return [
        (p.file, f"{p.path}: {p.code}")
        for p in dataset.problems
        if p.file in dataset.left_out and p.severity is Severity.ERROR
    ]


def _workload(edition: Edition, templates: jinja2.Environment, view: WorkloadPage) -> str:
    body = render.render(templates, "workload.html.j2", edition, 2, view=view)
    return render.page(view.title, body, description=view.task)


def _source(edition: Edition, templates: jinja2.Environment, view: SourcePage) -> str:
    body = render.render(templates, "source.html.j2", edition, 3, view=view)
    return render.page(view.title, body, description=view.lead, search=False)


def _submission(
    edition: Edition, templates: jinja2.Environment, document: Document, view: SubmissionPage
) -> SubmissionText:
    body = render.render(templates, "submission.html.j2", edition, 2, view=view, yours=document.yours)
    parts = [f"{result.framework}, {result.title}" for result in view.results] or [edition.words("site.description")]
    description = figures.shorten(f"{view.subtitle}. {'; '.join(parts)}", DESCRIPTION_CHARACTERS)
    return SubmissionText(id=view.id, title=f"{view.title} – {view.subtitle}", description=description, body=body)


def _cite(stored: Sequence[Document]) -> Callable[[Row], str | None]:
    """Return the function that gives a row's address in its source."""
    by_id = {document.id: document.submission for document in stored}

    def cite(row: Row) -> str | None:
        submission = by_id.get(row.submissions[0]) if row.submissions else None
        if submission is None or row.source_path is None:
            return None
        line = row.source_line
        return reported.source_address(submission, row.source_path, int(line) if line and line.isdecimal() else line)

    return cite


def _board_charts(boards: Mapping[str, WorkloadPage]) -> list[Chart]:
    return [part.chart for view in boards.values() for part in (*view.measured, *view.published)]


def _submission_charts(views: Sequence[SubmissionPage]) -> list[Chart]:
    return [chart for view in views for result in view.results for chart in result.charts]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
