"""Proof in a real browser, with dice in place of models: the page stands, by keyboard and eye, on a phone too."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from expediter.core.settings import DEFAULT_PAIR
from tests.browser.waits import still

APP = Path(__file__).with_name("proof_app.py")


@pytest.fixture(scope="module")
def app(serve) -> Iterator[str]:
    with serve(APP) as url:
        yield url


def open_proof(page: Page, app: str) -> None:
    page.goto(f"{app}/?pair={DEFAULT_PAIR}&temperature=0")
    expect(page.get_by_role("heading", name="Proof", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Run all of it")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_a_readers_way(page, app, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    open_proof(page, app)
    still(page)
    violations = Axe().run(page).response["violations"]
    assert [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_the_shipped_result_has_a_chart_and_its_bars(page, app):
    open_proof(page, app)
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    expect(page.locator(".ex-bars li").first).to_be_visible()
    expect(page.get_by_role("region", name="Words per second")).to_be_visible()
