"""The built site behind a server, and Debian's Chromium looking at it."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest
from sitegen.build import build
from sitegen.serve import server

from collector import store

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "sitegen" / "samples"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def chromium():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None and os.environ.get("CI"):
        pytest.fail("There is no Chromium. CI needs one: apt-get install chromium, or set CHROMIUM=/path.")
    if path is None:
        pytest.skip("NO BROWSER TEST WAS RUN: there is no Chromium. apt-get install chromium, or set CHROMIUM=/path.")
    return path


@pytest.fixture(scope="session")
def dataset(tmp_path_factory):
    data = tmp_path_factory.mktemp("project") / "data"
    shutil.copytree(SAMPLES / "data", data)
    for name in ("vocabulary", "workloads"):
        shutil.copytree(store.DATA / name, data / name)
    return store.load(data, SAMPLES / "local")


@pytest.fixture(scope="session")
def address(dataset, tmp_path_factory):
    """Where the site is served: below a folder, as on a project's page."""
    folder = tmp_path_factory.mktemp("built")
    root = folder / "served"
    root.mkdir()
    (root / "index.html").write_text("<!doctype html><title>outside</title>", "utf-8")
    listening = server(root, 0)
    found = f"http://127.0.0.1:{listening.server_port}/some/where/"
    build(dataset, root / "some" / "where", address=found, work=folder / "docs", reports=folder / "none")
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    yield found
    listening.shutdown()
    thread.join()
    listening.server_close()


@pytest.fixture(scope="session")
def browser(chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser, address):
    """Open a page below the site's address; at the end nothing may have failed or gone elsewhere."""
    faults: list[str] = []
    contexts = []

    def open_page(path, *, width=1400, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console", lambda message: faults.append(message.text) if message.type in {"error", "warning"} else None
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: faults.append(f"asked {request.url}") if not inside(request.url) else None)
        page.on("requestfailed", lambda request: faults.append(f"failed {request.url}"))
        page.goto(address + path)
        return page

    def inside(url):
        origin = address.removesuffix("some/where/")
        return url.startswith((address, "data:", "blob:")) or url == f"{origin}favicon.ico"

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
