"""Serve a folder on this machine only."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sitegen.errors import SiteError
from sitegen.words import LANGUAGES

HOST = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        """Keep requests to itself."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer as a web host does: with the site's own page for an address that leads nowhere."""
        page = self._missing_page() if code == HTTPStatus.NOT_FOUND else None
        if page is None:
            super().send_error(code, message, explain)
            return
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)

    def _missing_page(self) -> bytes | None:
        """Return the page of the language that was asked for, or that of both; None where there is neither."""
        language = self.path.strip("/").partition("/")[0]
        name = f"{language}/404.html" if language in LANGUAGES else "404.html"
        path = Path(self.directory) / name
        return path.read_bytes() if path.is_file() else None


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
