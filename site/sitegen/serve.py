"""Serve a folder on this machine only."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from sitegen.errors import SiteError

if TYPE_CHECKING:
    from pathlib import Path

HOST = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        """Keep requests to itself."""


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a folder, bound to the loopback address but not started; port 0 takes any free one."""
    if not (folder / "index.html").is_file():
        raise SiteError(f"There is no site in {folder}. Run `rosetta site` first, or name a folder with --directory.")
    try:
        return ThreadingHTTPServer((HOST, port), partial(_Quiet, directory=str(folder)))
    except OSError as error:
        raise SiteError(
            f"Port {port} can't be used ({error.strerror}). Choose another one: rosetta serve --port {port + 1}"
        ) from error
