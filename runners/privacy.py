"""Take out of a submission what points at a person or a particular machine: names, paths, addresses, serial numbers.

Names of users and hosts are looked for in free text only: a user may be called `max`, and so is a batch level.
"""

from __future__ import annotations

import getpass
import ipaddress
import os
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Names that thousands of machines share point at nobody, and are words of our reports.
_GENERIC = frozenset((
    "admin", "administrator", "centos", "cpu", "debian", "docker", "ec2-user", "gpu", "guest", "host", "jovyan", "local",
    "localhost", "nobody", "node", "root", "rosetta", "runner", "test", "ubuntu", "user", "users", "vm", "worker",
))  # fmt: skip

_FREE_TEXT = frozenset({"command", "reason", "notes", "options", "environment", "telemetry", "os", "kernel", "storage"})
_VERSIONS = frozenset(
    {"packages", "framework_version", "language_version", "cuda", "cudnn", "nccl", "driver", "kernel"}
)
_CHOSEN = frozenset({"submitter", "source"})  # said by the submitter on purpose

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b", re.IGNORECASE)
# With and without hyphens, as /etc/machine-id has it; CUDA takes the beginning of a card's too.
_UUID = re.compile(
    r"\b(?:(?:GPU-|MIG-)+(?=[\w-]*\d)[0-9a-f-]{3,}(?:/\d+)*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})(?!\w)",
    re.IGNORECASE,
)
_MAC = re.compile(
    r"(?<![\w:.-])(?:[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})(?![\w:-])",
    re.IGNORECASE,
)
_HOMES = re.compile(r"(?<![\w.])(?:/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s:'\",;)]+")
_SERIAL = re.compile(r"\b(serial(?:[ _-]?(?:number|no\.?))?[\s:=#]+|s/?n\s*[:=#]\s*)(?=\S*\d)[\w-]+", re.IGNORECASE)
_IPV4 = re.compile(r"(?<![\w.=+-])(?:\d{1,3}\.){3}\d{1,3}(?![\w+-]|\.\d)")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\w+)?(?![\w:]|\.\d)", re.IGNORECASE)
# "cuDNN 9.1.0.70" and "version 12.4.5.8" are releases, not addresses.
_RELEASE = re.compile(
    r"\b(?:v|ver|version|release|build|driver|cu\w+|nccl|mkl|onednn|rocm|tensorrt)[\s:=]*$", re.IGNORECASE
)


@dataclass(frozen=True)
class Private:
    """What must not reach a file: home folders, names of the user, names of the host; longest first."""

    homes: tuple[str, ...]
    users: tuple[str, ...]
    hosts: tuple[str, ...]


def gather(nodes: Iterable[str] = ()) -> Private:
    """Return what is private on this machine; `nodes` are the names of others that take part."""
    home = Path.home()
    hosts = {socket.gethostname(), os.environ.get("HOSTNAME", ""), *nodes}
    return Private(
        homes=_longest_first({str(home), os.path.realpath(home)} - {"/"}),
        users=_longest_first(_telling({_user(), *_full_names()})),
        hosts=_longest_first(_telling(hosts | {host.partition(".")[0] for host in hosts})),
    )


def scrub(document: Any, private: Private, key: str = "", *, free: bool = False) -> Any:  # noqa: ANN401 - plain JSON
    """Return plain JSON values with every private part of every string replaced."""
    free = free or key in _FREE_TEXT
    if key in _CHOSEN:
        return document
    if isinstance(document, dict):
        versions = key in _VERSIONS
        return {name: scrub(value, private, key if versions else name, free=free) for name, value in document.items()}
    if isinstance(document, list):
        return [scrub(value, private, key, free=free) for value in document]
    if isinstance(document, str):
        return scrub_text(document, private, names=free, addresses=key not in _VERSIONS)
    return document


def scrub_text(text: str, private: Private, *, names: bool = True, addresses: bool = True) -> str:
    """Return one text without private parts: `~` for a home folder, words in angle brackets for the rest."""
    for home in private.homes:
        text = re.sub(rf"(?<![\w.~-]){re.escape(home)}(?![\w.-])", "~", text)
    text = _HOMES.sub("~", text)
    text = _EMAIL.sub("<email>", text)
    text = _UUID.sub("<uuid>", text)
    text = _MAC.sub("<mac>", text)
    text = _SERIAL.sub(r"\1<serial>", text)
    if addresses:
        text = _IPV4.sub(_unless(_is_harmless_ipv4), text)
        text = _IPV6.sub(_unless(_is_harmless_ipv6), text)
    if names:
        text = _without_names(text, private.hosts, "<host>")
        text = _without_names(text, private.users, "<user>")
    return text


def _without_names(text: str, names: tuple[str, ...], mark: str) -> str:
    for name in names:
        text = re.sub(rf"(?<![\w<]){re.escape(name)}(?![\w>])", mark, text, flags=re.IGNORECASE)
    return text


def _unless(harmless: Callable[[re.Match[str]], bool]) -> Callable[[re.Match[str]], str]:
    return lambda match: match[0] if harmless(match) else "<address>"


def _is_harmless_ipv4(match: re.Match[str]) -> bool:
    if _RELEASE.search(match.string[: match.start()]):
        return True
    try:
        address = ipaddress.IPv4Address(match[0])
    except ValueError:
        return True
    return address.is_loopback or address.is_unspecified


def _is_harmless_ipv6(match: re.Match[str]) -> bool:
    try:
        address = ipaddress.IPv6Address(match[0])
    except ValueError:  # a time of day, a C++ name
        return True
    return address.is_loopback or address.is_unspecified


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container with a user number that nobody named
        return ""


def _full_names() -> set[str]:
    import pwd  # POSIX only

    try:
        full = pwd.getpwuid(os.getuid()).pw_gecos.partition(",")[0].strip()
    except KeyError:
        return set()
    return {full} if " " in full else set()


def _telling(names: set[str]) -> set[str]:
    return {name for name in names if len(name) > 1 and name.casefold() not in _GENERIC}


def _longest_first(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (-len(name), name)))
