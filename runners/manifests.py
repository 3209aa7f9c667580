"""What each framework says of itself: `runners/frameworks/<id>/framework.toml`; the folder listing is the registry."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from runners.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Made = TypeVar("_Made")

FOLDER = Path(__file__).resolve().parent / "frameworks"


@dataclass(frozen=True)
class Support:
    """One workload that a framework runs, and the settings it runs it under."""

    workload: str
    precisions: tuple[str, ...]
    data: tuple[str, ...]


@dataclass(frozen=True)
class Framework:
    """A framework's manifest: one folder, which is one API of a framework.

    `framework` is the framework's id in the vocabulary; `variant` tells apart what api and release don't. `requirements`
    has the pinned files for each kind of device, installed in this order, and under "optional" those that may fail to
    install. `environment` are variables for the worker, where {site_packages} stands for the folder of the packages.
    """

    id: str
    framework: str
    variant: str | None
    folder: Path
    name: str
    import_name: str | None
    version: str
    requires_python: SpecifierSet
    api: str | None
    language: str
    requirements: Mapping[str, tuple[Path, ...]]
    environment: Mapping[str, str]
    install_megabytes: int | None
    launchers: tuple[str, ...]
    supports: tuple[Support, ...]
    status: str

    def support(self, workload: str) -> Support | None:
        """Return what the framework offers for a workload, or None."""
        return next((support for support in self.supports if support.workload == workload), None)


def load(folder: Path = FOLDER) -> dict[str, Framework]:
    """Read every framework's manifest; raises ManifestError for the first one that is wrong."""
    return {path.parent.name: read(path) for path in sorted(folder.glob("*/framework.toml"))}


def read(path: Path) -> Framework:
    """Read one manifest."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
        return _framework(path.parent, document)
    except (ValueError, KeyError, TypeError, AttributeError, InvalidSpecifier) as error:
        what = f"the key {error} is missing" if isinstance(error, KeyError) else error
        raise ManifestError(
            f"{path.parent.name}/{path.name}: {what}; compare it with the manifest of another framework."
        ) from error


def _framework(folder: Path, document: Mapping[str, Any]) -> Framework:
    return Framework(
        id=folder.name,
        framework=document.get("framework") or folder.name,
        variant=document.get("variant") or None,
        folder=folder,
        name=_text(document, "name"),
        import_name=document.get("import_name") or None,
        version=_text(document, "version"),
        requires_python=SpecifierSet(_text(document, "requires_python")),
        api=document.get("api") or None,
        language=_text(document, "language"),
        requirements={
            kind: _all(names, lambda name: _file(folder / name))
            for kind, names in document.get("requirements", {}).items()
        },
        environment=dict(document.get("environment", {})),
        install_megabytes=document.get("install_megabytes"),
        launchers=_all(document.get("launchers", []), str),
        supports=_all(document["supports"], _support),
        status=_text(document, "status"),
    )


def _support(entry: Mapping[str, Any]) -> Support:
    return Support(_text(entry, "workload"), _all(entry["precisions"], str), _all(entry["data"], str))


def _text(document: Mapping[str, Any], key: str) -> str:
    value = document[key]
    if not isinstance(value, str) or not value:
        raise TypeError(f"{key} is {value!r}, expected a text")
    return value


def _file(path: Path) -> Path:
    if not path.is_file():
        raise ValueError(f"the requirements file {path.name} does not exist")
    return path


def _all(values: object, make: Callable[[Any], _Made]) -> tuple[_Made, ...]:
    if not isinstance(values, list):
        raise TypeError(f"{values!r} should be a list")
    return tuple(make(value) for value in values)
