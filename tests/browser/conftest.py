"""One chromium for all browser tests, a fresh page for each, and a server for a Streamlit script."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60  # seconds until a state that does not come is a failure: a busy machine may take its time, a good one never does
MISSING = "no chromium here: install the system's chromium, or run `playwright install chromium`"


def chromium(playwright: Playwright) -> str | None:
    """The system's chromium, else Playwright's own, else None."""
    own = playwright.chromium.executable_path
    places = ["/usr/bin/chromium", *(shutil.which(name) for name in NAMES), own]
    return next((place for place in places if place and Path(place).exists()), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser without a window. Without one the tests are skipped, or fail where EXPEDITER_REQUIRE_BROWSER is 1."""
    with sync_playwright() as playwright:
        path = chromium(playwright)
        if path is None:
            give_up = pytest.fail if os.environ.get("EXPEDITER_REQUIRE_BROWSER") == "1" else pytest.skip
            give_up(MISSING)
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=1000 * PATIENCE)
        expect.set_options(timeout=1000 * PATIENCE)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own, 1280 × 900, light. A script error on it fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.set_default_timeout(1000 * PATIENCE)
    opened, errors = context.new_page(), []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert not errors


@contextmanager
def streamlit(script: Path, **environment: str) -> Iterator[str]:
    """Serve a Streamlit script on a free port; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"headless": "true", "address": "127.0.0.1", "port": str(port), "fileWatcherType": "none"}
    flags = [part for name, value in options.items() for part in (f"--server.{name}", value)]
    command = [sys.executable, "-m", "streamlit", "run", str(script), *flags, "--browser.gatherUsageStats", "false"]
    server = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), **environment}, stdout=subprocess.DEVNULL)
    url, end = f"http://127.0.0.1:{port}", time.monotonic() + 2 * PATIENCE
    try:
        while not _answers(url):
            assert server.poll() is None, f"{script.name} ended while it started: run it by hand to see why"
            assert time.monotonic() < end, f"{script.name} did not start within two minutes"
            time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(f"{url}/_stcore/health", timeout=10)
    except OSError:
        return False
    return True


@pytest.fixture(scope="session")
def serve() -> Callable:
    """The server of this module, for tests in other modules."""
    return streamlit
