"""What the page of a submission shows: where it ran, with what, and every result down to its runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.schema import ID_DIGITS
from sitegen import figures, labels
from sitegen.views.board import submission_link, trust_chip
from sitegen.views.reported import reported_table
from sitegen.views.result import ResultView, result_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.problems import Problem
    from collector.schema import Device, Machine, Source, Stack, Submission
    from sitegen.labels import Edition
    from sitegen.records import Record
    from sitegen.tables import Chip, Table

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Document:
    """A stored submission with what the collector derived from it; `superseded_by` is an id."""

    id: str
    file: str
    yours: bool
    submission: Submission
    records: tuple[Record, ...]
    problems: tuple[Problem, ...]
    superseded_by: str | None


@dataclass(frozen=True)
class Part:
    """A machine or a stack: its name inside the submission and what is stated about it."""

    title: str
    facts: Facts


@dataclass(frozen=True)
class SubmissionPage:
    id: str
    title: str
    subtitle: str
    chips: tuple[Chip, ...]
    withdrawn: str | None
    superseded_by: str | None
    facts: Facts
    source_url: str | None
    download: str
    machines: tuple[Part, ...]
    stacks: tuple[Part, ...]
    command: str | None
    dirty: bool
    results: tuple[ResultView, ...]
    reported: Table | None
    problems: tuple[tuple[str, str, str], ...]


def date(document: Document) -> str:
    """Return the day of the newest run, or of the retrieval of the source."""
    return max((record["date"] for record in document.records if record["date"]), default="")


def submission_page(edition: Edition, document: Document) -> SubmissionPage:
    """Return the page of one submission."""
    words, submission = edition.words, document.submission
    name = document.id[:ID_DIGITS]
    source, harness = submission.source, submission.harness
    published = submission.origin in ("published", "computed")
    subtitle = words("site.submission.by", name=submission.submitter.name)
    if published and source is not None:
        subtitle = words("site.submission.published_by", title=source.title)
    newer = document.superseded_by
    return SubmissionPage(
        id=name,
        title=words("site.submission.title", id=name),
        subtitle=subtitle,
        chips=tuple(trust_chip(edition, trust) for trust in trusts(document)),
        withdrawn=_withdrawn(edition, submission),
        superseded_by=None if newer is None else submission_link(newer),
        facts=_facts(edition, document),
        source_url=None if source is None else source.url,
        download=f"data/submissions/{name}.json",
        machines=tuple(_machine(edition, machine) for machine in submission.machines.values()),
        stacks=tuple(_stack(edition, stack) for stack in submission.stacks.values()),
        command=None if harness is None else _command(harness.commit, harness.command),
        dirty=harness is not None and bool(harness.dirty),
        results=() if published else _results(edition, document),
        reported=reported_table(edition, submission) if any(r.reported for r in submission.results) else None,
        problems=_problems(edition, document.problems),
    )


def trusts(document: Document) -> list[str]:
    """Return the trust levels of a submission's results, each once."""
    return sorted({record["trust"] for record in document.records if record["trust"]})


def _results(edition: Edition, document: Document) -> tuple[ResultView, ...]:
    by_result: dict[int, list[Record]] = {}
    for record in document.records:
        by_result.setdefault(int(record["result"]), []).append(record)
    name = document.id[:ID_DIGITS]
    titles = {key: _stack_title(edition, stack) for key, stack in document.submission.stacks.items()}
    return tuple(
        result_view(edition, result, titles[result.stack], by_result.get(index, []), name, index)
        for index, result in enumerate(document.submission.results)
    )


def _withdrawn(edition: Edition, submission: Submission) -> str | None:
    if submission.withdrawn is None:
        return None
    gone = submission.withdrawn
    return edition.words("site.submission.withdrawn", date=gone.on.isoformat(), reason=gone.reason)


def _command(commit: str | None, command: str) -> str:
    return command if commit is None else f"git checkout {commit}\n{command}"


def _stated(edition: Edition, pairs: Sequence[tuple[str, object]]) -> Facts:
    """Return the pairs that are stated, their keys in words."""
    return tuple(
        (edition.words(f"site.submission.{key}"), str(value)) for key, value in pairs if value not in (None, "")
    )


def _facts(edition: Edition, document: Document) -> Facts:
    words, submission = edition.words, document.submission
    return _stated(
        edition,
        [
            ("submitter", submission.submitter.name),
            ("organisation", submission.submitter.organisation),
            ("origin", words.named("origin", submission.origin)),
            *_source_facts(submission.source),
            ("id", document.id),
            ("supersedes", submission.supersedes),
            ("file", document.file),
        ],
    )


def _source_facts(source: Source | None) -> list[tuple[str, object]]:
    if source is None:
        return []
    return [
        ("source", source.title),
        ("commit", source.commit),
        ("licence", source.licence),
        ("retrieved", source.retrieved_on.isoformat()),
    ]


def _machine(edition: Edition, machine: Machine) -> Part:
    words, cpu = edition.words, machine.cpu
    unknown = words("shared.not_stated")
    processor = None
    if cpu is not None:
        processor = words(
            "site.submission.cpu_value",
            name=cpu.name or unknown,
            cores=cpu.cores or unknown,
            threads=cpu.threads or unknown,
            visible=cpu.visible_threads or unknown,
        )
    facts: list[tuple[str, object]] = [("nodes", machine.nodes), ("cpu", processor)]
    for device in machine.devices:
        facts += _device_facts(edition, device)
    facts += [
        ("memory", machine.memory_bytes and figures.memory(machine.memory_bytes)),
        ("os", machine.os),
        ("kernel", machine.kernel),
        ("interconnect", machine.interconnect),
        ("storage", machine.storage),
        ("container", machine.container),
    ]
    return Part(title=machine.name, facts=_stated(edition, facts))


def _device_facts(edition: Edition, device: Device) -> list[tuple[str, object]]:
    name = device.name or edition.words("shared.not_stated")
    counted = edition.words("site.submission.device_value", count=device.per_node, name=name)
    return [
        ("device", name if device.per_node is None else counted),
        ("memory", device.memory_bytes and figures.memory(device.memory_bytes)),
        ("driver", device.driver),
        ("power", device.power_limit_watts and f"{figures.printed(device.power_limit_watts)} W"),
        ("tf32", device.tf32),
    ]


def _stack(edition: Edition, stack: Stack) -> Part:
    install = None
    if stack.install_seconds is not None and stack.install_bytes is not None:
        seconds, size = figures.printed(round(stack.install_seconds, 1)), figures.memory(stack.install_bytes)
        install = edition.words("site.submission.install_value", seconds=seconds, size=size)
    facts = [
        ("api", stack.api),
        ("language", " ".join(filter(None, (labels.language_name(stack.language), stack.language_version)))),
        ("blas", stack.blas),
        ("packages", ", ".join(f"{package} {version}" for package, version in sorted(stack.packages.items()))),
        ("environment", ", ".join(f"{key}={value}" for key, value in sorted(stack.environment.items()))),
        ("install", install),
    ]
    versions = tuple(
        (label, v) for label, v in (("CUDA", stack.cuda), ("cuDNN", stack.cudnn), ("NCCL", stack.nccl)) if v
    )
    return Part(title=_stack_title(edition, stack), facts=(*_stated(edition, facts), *versions))


def _stack_title(edition: Edition, stack: Stack) -> str:
    return " ".join(filter(None, (labels.framework_name(edition, stack.framework), stack.framework_version)))


def _problems(edition: Edition, problems: Sequence[Problem]) -> tuple[tuple[str, str, str], ...]:
    """Return (code, path, sentence) of each problem."""
    return tuple(
        (
            problem.code,
            problem.path,
            edition.words(
                "site.submission.found", found=problem.found, expected=problem.expected, remedy=problem.remedy
            ),
        )
        for problem in problems
    )
