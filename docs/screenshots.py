"""Take the pictures of the documentation from the built site (`make screenshots`); needs Chromium."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FONTS = """<?xml version="1.0"?>
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{}</dir></fontconfig>
"""
PICTURES = {  # name: (page, colour scheme, height)
    "home.png": ("en/", "light", 860),
    "leaderboard.png": ("en/workloads/cifar10-cnn/", "light", 860),
    "home-zh-dark.png": ("zh/", "dark", 860),
}


class Quiet(SimpleHTTPRequestHandler):
    """A static server that doesn't log."""

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(ROOT / "build" / "html")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (DOCS / "images").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        fonts = Path(folder) / "fonts.conf"
        fonts.write_text(FONTS.format(ROOT / "site" / "assets" / "fonts"), encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
            env=os.environ | {"FONTCONFIG_FILE": str(fonts)},  # a bare Debian has no Chinese font
        )
        for name, (path, scheme, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1280, "height": height}, color_scheme=scheme)
            page.goto(f"http://127.0.0.1:{server.server_port}/{path}", wait_until="networkidle")
            page.wait_for_timeout(1500)  # charts are drawn when they come into view
            page.screenshot(path=str(DOCS / "images" / name))
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
