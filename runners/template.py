"""A new framework's folder from the template, with its entry in the vocabulary: `rosetta new framework`."""

from __future__ import annotations

import json
import re
import string
from typing import TYPE_CHECKING

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from runners import harness, manifests
from runners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TEMPLATE = harness.ROOT / "templates" / "framework"
VOCABULARY = harness.ROOT / "data" / "vocabulary" / "frameworks.toml"
_ID = re.compile(r"[a-z][a-z0-9_]*")


def make(identifier: str, values: Mapping[str, str], known: bool) -> Path:
    """Write the folder of a framework; `known` tells that the vocabulary has its id. Returns the folder.

    `values` are name, url, package, import_name, version and requires_python.
    """
    folder = manifests.FOLDER / identifier
    if not _ID.fullmatch(identifier):
        raise UsageError(
            f"{identifier!r} can't be a folder that Python imports: use small letters, digits and _, a letter first."
        )
    if folder.exists():
        raise UsageError(f"{folder} is there already. Choose another id, or delete it.")
    try:
        SpecifierSet(values["requires_python"])
    except InvalidSpecifier as error:
        raise UsageError(f"--python {values['requires_python']!r} is no range of versions such as '>=3.10'.") from error
    folder.mkdir()
    for path in sorted(TEMPLATE.iterdir()):
        if path.is_file():
            (folder / path.name).write_text(_filled(path, values), encoding="utf-8")
    (folder / "__init__.py").write_text(f'"""{values["name"]}."""\n', encoding="utf-8")
    if not known:
        name, url = _toml(values["name"]), _toml(values["url"])
        entry = f"\n[{identifier}]\nname = {name}\naliases = []\nurl = {url}\n"
        VOCABULARY.write_text(VOCABULARY.read_text("utf-8") + entry, encoding="utf-8")
    return folder


def _filled(path: Path, values: Mapping[str, str]) -> str:
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return text
    quoted = {key: _toml(value) for key, value in values.items()} if path.suffix == ".toml" else values
    return string.Template(text).substitute(quoted)


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # JSON's texts are TOML's, too
