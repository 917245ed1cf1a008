"""Rush hour in a real browser, with dice in place of models: a measurement with progress and cancel, accessibility, a phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

APP = Path(__file__).with_name("rush_app.py")
PATIENCE = 120_000  # ms; a busy machine takes a minute to draw eight charts


@pytest.fixture(scope="module")
def gate(tmp_path_factory) -> Path:
    """While this file is missing, a measurement stays half done."""
    return tmp_path_factory.mktemp("gate") / "open"


@pytest.fixture(scope="module")
def app(serve, gate, tmp_path_factory) -> Iterator[str]:
    with serve(APP, EXPEDITER_CACHE=str(tmp_path_factory.mktemp("cache")), RUSH_GATE=str(gate)) as url:
        yield url


def open_rush(page: Page, app: str, query: str = "") -> None:
    page.goto(f"{app}/?{query}")
    expect(page.locator(".js-plotly-plot")).to_have_count(8, timeout=PATIENCE)


def test_a_measurement_shows_its_progress_and_can_be_cancelled(page, app, gate):
    gate.unlink(missing_ok=True)
    open_rush(page, app)
    page.get_by_role("button", name="Measure on this machine").click()
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_accessible_name(re.compile("piece"), timeout=PATIENCE)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was kept.")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("not on this machine")).to_be_visible()


def test_a_finished_measurement_takes_the_recordings_place(page, app, gate):
    gate.touch()
    open_rush(page, app, "temperature=0.8")
    page.get_by_role("button", name="Measure on this machine").click()
    expect(page.get_by_text("this very machine")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Measure again")).to_be_enabled()
    expect(page.get_by_role("progressbar")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_a_readers_way(page, app, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    open_rush(page, app, "hardware=published-gpu")
    expect(page.locator("[data-testid=stStatusWidget]")).to_have_count(0, timeout=PATIENCE)
    violations = Axe().run(page).response["violations"]
    assert [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
