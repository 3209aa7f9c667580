"""Framework environments: made by pip in a cache folder outside the repository, or one that the user already has.

A made environment is a folder with a virtual environment and, written last, the record of its installation. A folder
without that record was interrupted: it is never used and made again. (A rename at the end would break the scripts that
pip writes, which name their interpreter by its full path.)
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.version import InvalidVersion, Version

from runners import environ, files, interpreters
from runners.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from runners.interpreters import Interpreter
    from runners.manifests import Framework

RECORD = "installation.json"
_LOG = "setup.log"
_LAST_LINES = 8  # of pip's output: enough to hold its ERROR lines

# Asked of every environment before it is used; old syntax, since it runs in that environment's Python.
_CHECK = """
import glob, json, os, platform, sys
name = sys.argv[1]
if name:
    __import__(name)
found = sorted(os.path.basename(p) for d in sys.path for e in ("dist", "egg") for p in glob.glob(d + "/*." + e + "-info"))
print("\\n" + json.dumps([platform.python_version(), found]))
"""


@dataclass(frozen=True)
class Environment:
    """A Python with a framework in it, and the variables that a worker gets.

    `identity` changes whenever another Python or other packages would run.
    """

    python: Path
    environ: Mapping[str, str]
    identity: str
    install_seconds: float | None = None
    install_bytes: int | None = None

    def with_threads(self, threads: int) -> Environment:
        """Return the same environment with the number of threads set for every library that asks OpenMP's variable."""
        return replace(self, environ={**self.environ, "OMP_NUM_THREADS": str(threads)})


def cache() -> Path:
    """Return the folder for environments: $ROSETTA_CACHE, else below the user's cache folder."""
    if own := os.environ.get("ROSETTA_CACHE"):
        return Path(own).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser().absolute() / "rosetta-bench"


def find(framework: Framework, kind: str) -> Environment | None:
    """Return the finished environment of a framework for a kind of device, or None."""
    pattern = f"{_stem(framework)}-cp*-{_requirements_hash(framework, kind)}"
    for folder in sorted(cache().glob(pattern), key=_minor, reverse=True):  # the newest Python first
        record = files.read_json(folder / RECORD)
        if isinstance(record, dict) and (folder / "bin" / "python").exists():
            return _made(framework, folder, record)
    return None


def make(framework: Framework, kind: str, on_line: Callable[[str], None]) -> Environment:
    """Return the framework's environment, made first where there is none; `on_line` gets pip's output as it comes."""
    if found := find(framework, kind):
        return found
    interpreter = interpreters.fitting(interpreters.find(), framework.requires_python)
    if interpreter is None:
        raise SetupError(missing_interpreter(framework))
    folder = cache() / f"{_stem(framework)}-{interpreter.tag}-{_requirements_hash(framework, kind)}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with files.alone(folder.parent / f".{folder.name}.lock"):
        if found := find(framework, kind):  # another process was faster
            return found
        return _made(framework, folder, _install(framework, kind, interpreter, folder, on_line))


def missing_interpreter(framework: Framework) -> str:
    """Return what to tell a user who has no Python for this framework."""
    return (
        f"{framework.name} {framework.version} needs Python {framework.requires_python}, and none with venv was found on "
        "PATH, in pyenv or in ROSETTA_PYTHONS. Install one (for example `pyenv install 3.11`, or your system's "
        "python3.x and python3.x-venv packages), or set ROSETTA_PYTHONS to its path."
    )


def use(framework: Framework, python: Path) -> Environment:
    """Return an environment that the user has, after proving that the framework can be imported there."""
    own = python.expanduser().absolute()
    remedy = f"Install {framework.name} there, or leave --python out and let `rosetta setup {framework.id}` do it."
    return Environment(own, _variables(framework, own), _digest([str(own), _proof(framework, own, remedy)]))


def _proof(framework: Framework, python: Path, remedy: str) -> str:
    """Return version and packages of a Python that can import the framework, as JSON; raises SetupError for any other."""
    command: list[str | Path] = [python, "-c", _CHECK, framework.import_name or ""]
    try:
        answer = subprocess.run(
            command,
            env=_variables(framework, python),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise SetupError(f"{python} can't be started: {error.strerror}. Give the path of a Python.") from error
    last = (answer.stderr.strip().splitlines() or [f"exit status {answer.returncode}"])[-1]
    if answer.returncode and framework.import_name:
        raise SetupError(f"`import {framework.import_name}` fails in {python}: {last}. {remedy}")
    said = answer.stdout.strip().rpartition("\n")[2]
    try:
        version = Version(json.loads(said)[0])
    except (ValueError, TypeError, LookupError, InvalidVersion) as error:
        raise SetupError(f"{python} doesn't answer like a Python. Give the path of one.") from error
    if version < interpreters.OLDEST:
        raise SetupError(f"{python} is Python {version}; the worker needs {interpreters.OLDEST} or newer.")
    return said


def _variables(framework: Framework, python: Path) -> dict[str, str]:
    """Return what the worker gets: the user's variables, then the manifest's, and the environment's own programs first."""
    variables = environ.for_worker(os.environ)
    packages = next(iter(sorted(python.parent.parent.glob("lib/python3*/site-packages"))), "")
    own = {name: text.replace("{site_packages}", str(packages)) for name, text in framework.environment.items()}
    path = variables.get("PATH", os.defpath)
    return {**variables, **own, "PATH": f"{python.parent}{os.pathsep}{path}"}


def _made(framework: Framework, folder: Path, record: Mapping[str, Any]) -> Environment:
    return Environment(
        python=folder / "bin" / "python",
        environ=_variables(framework, folder / "bin" / "python"),
        identity=_digest([folder.name, record["python"], record["packages"], dict(framework.environment)]),
        install_seconds=record["install_seconds"],
        install_bytes=record["install_bytes"],
    )


def _install(
    framework: Framework, kind: str, interpreter: Interpreter, folder: Path, on_line: Callable[[str], None]
) -> dict[str, Any]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    start = time.monotonic()
    requirements = _requirements(framework, kind)
    _say(folder, [interpreter.python, "-m", "venv", *([] if requirements else ["--without-pip"]), folder], on_line)
    if requirements:
        pip: list[str | Path] = [
            folder / "bin" / "python",
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--no-input",
            "install",
        ]
        # The pip inside an old Python doesn't know today's wheel tags.
        _say(folder, [*pip, "--upgrade", "pip"], on_line)
        for path in requirements:
            _say(folder, [*pip, "--requirement", path], on_line)
        for path in framework.requirements.get("optional", ()):
            _try(folder, [*pip, "--requirement", path], on_line)
    seconds = time.monotonic() - start
    _proof(
        framework,
        folder / "bin" / "python",
        f"Its installation went well, see {folder / _LOG}: is it for this machine?",
    )
    record = {
        "framework": framework.id,
        "version": framework.version,
        "python": str(interpreter.version),
        "packages": sorted(path.stem for path in folder.glob("lib/python*/site-packages/*.dist-info")),
        "install_seconds": round(seconds, 1),
        "install_bytes": _size(folder),
    }
    files.write_json(folder / RECORD, record)
    return record


def _try(folder: Path, command: Sequence[str | Path], on_line: Callable[[str], None]) -> None:
    """Run a step that the environment can do without; the adapter says what is missing when that is asked for."""
    try:
        _say(folder, command, on_line)
    except SetupError as error:
        on_line(f"Left out, since it can't be installed here: {error}")


def _say(folder: Path, command: Sequence[str | Path], on_line: Callable[[str], None]) -> None:
    """Run one step of an installation; its output goes to `on_line` and to the log in the folder."""
    log = folder / _LOG
    with (
        log.open("a", encoding="utf-8") as copy,
        subprocess.Popen(
            command,
            env=environ.for_installation(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        for line in process.stdout or ():
            copy.write(line)
            on_line(line.rstrip())
    if process.returncode:
        last = "\n".join(log.read_text("utf-8").splitlines()[-_LAST_LINES:])
        raise SetupError(
            f"Making the environment failed, see {log}. Its last lines:\n{last}\n"
            "Check network, disk space and pip's settings; the same command begins anew."
        )


def _minor(folder: Path) -> int:
    tag = folder.name.split("-")[-2]
    return int(tag.removeprefix("cp3"))


def _stem(framework: Framework) -> str:
    return f"{framework.framework}-{framework.version}"


def _requirements(framework: Framework, kind: str) -> tuple[Path, ...]:
    """Return the pinned files; a framework without builds for a kind of device runs on the CPU there."""
    return framework.requirements.get(kind) or framework.requirements.get("cpu") or ()


def _requirements_hash(framework: Framework, kind: str) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in _requirements(framework, kind))).hexdigest()[:10]


def _digest(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
