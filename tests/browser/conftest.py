"""One chromium and one tab for all browser tests, as new for each of them, and servers for Streamlit scripts."""

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

from expediter.core.settings import DEFAULT_PAIR
from expediter.core.trace import StepTrace, save
from expediter.ui.story_steps import telling
from tests.browser.stage_runs import run, write
from tests.browser.story_page import APP as STORY
from tests.browser.story_page import Served

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
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


@pytest.fixture(scope="session")
def used_tab(browser: Browser) -> Iterator[Page]:
    """A tab for test after test: a new one would fetch and compile Streamlit's own scripts anew, which is most of a short test's time."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.set_default_timeout(1000 * PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(used_tab: Page) -> Iterator[Page]:
    """The tab as if it were new: 1280 × 900, light, nothing stored or allowed. A script error on it fails the test."""
    as_new(used_tab)
    with without_errors(used_tab):
        yield used_tab
        used_tab.goto("about:blank")
    assert not used_tab.evaluate("'__pwClock' in window"), "this tab's clock cannot be set going again: use the fixture `clocked`"


def as_new(tab: Page) -> None:
    """Undo what a test before may have left: other tabs, what was stored and allowed, the window, the pointer."""
    context = tab.context
    for other in context.pages:
        if other is not tab:
            other.close()
    tab.goto("about:blank")
    cleaner = context.new_cdp_session(tab)
    cleaner.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "cookies,local_storage,indexeddb"})
    cleaner.detach()
    context.clear_permissions()
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.emulate_media(color_scheme="light", reduced_motion="no-preference")
    tab.mouse.move(0, 0)


@pytest.fixture
def clocked(browser: Browser) -> Iterator[Page]:
    """A page of its own, like `page`, whose clock a test can stop: a clock can be installed, but not taken out again."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.set_default_timeout(1000 * PATIENCE)
    opened = context.new_page()
    opened.clock.install()
    with without_errors(opened):
        yield opened
        context.close()


@contextmanager
def without_errors(page: Page) -> Iterator[None]:
    """Fails when a script of the page did."""
    errors = []
    page.on("pageerror", note := lambda error: errors.append(str(error)))
    yield
    page.remove_listener("pageerror", note)
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


@pytest.fixture(scope="session")
def dice() -> Iterator[str]:
    """Loading dock and Bumpy roads over dice that are there at once, served once for all tests that keep their changes to themselves."""
    with streamlit(HERE / "dice_app.py", DICE_LOAD="0", DICE_MEASURE="0") as url:
        yield url


@pytest.fixture(scope="session")
def everywhere() -> Iterator[str]:
    """Every page with all that is shipped, over dice."""
    with streamlit(HERE / "everywhere_app.py") as url:
        yield url


@pytest.fixture(scope="session")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, list[StepTrace]]]]:
    """The stage alone, and the stored runs that it can play."""
    folder = tmp_path_factory.mktemp("runs")
    runs = write(folder)
    with streamlit(HERE / "stage_app.py", STAGE_RUNS=str(folder)) as url:
        yield url, runs


@pytest.fixture(scope="module")
def served(serve, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The story of two runs with dice."""
    folder = tmp_path_factory.mktemp("runs")
    quiet = run(load=12)
    save(folder / f"{DEFAULT_PAIR}.json", quiet, "dice")
    save(folder / "rush-hour.json", run(load=64), "dice")
    with serve(STORY, STORY_RUNS=str(folder)) as url:
        yield Served(url, telling(quiet))
