"""Honest numbers in a real browser, on blocks that no model made: the dial by keyboard, accessibility, a phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

APP = Path(__file__).with_name("honest_app.py")
WAIT = 120_000  # ms; on a machine that is busy with other things a browser is very slow


@pytest.fixture(scope="module")
def app(serve) -> Iterator[str]:
    with serve(APP) as url:
        yield url


def open_page(page: Page, app: str, query: str = "") -> None:
    page.goto(f"{app}/?{query}")
    expect(page.get_by_role("heading", name="Why not simply ask the draft?")).to_be_visible(timeout=WAIT)
    expect(page.locator(".js-plotly-plot")).to_have_count(5, timeout=WAIT)


def violations(page: Page) -> list:
    found = Axe().run(page).response["violations"]
    return [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found]


def test_the_dial_is_turned_by_keyboard_and_stays_in_the_address(page, app):
    open_page(page, app, "load=16&depth=5&temperature=0.8&dial=3")
    expect(page.get_by_text("too high")).to_be_visible(timeout=WAIT)
    page.get_by_role("slider", name="The dial").press("ArrowRight")
    expect(page).to_have_url(re.compile(r"[?&]dial=4\b"), timeout=WAIT)
    assert violations(page) == []


def test_nothing_stands_in_a_readers_way_on_a_dark_phone(page, app):
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, app, "whose=draft_probability&depth=8")
    page.get_by_text("All figures by position").click()
    expect(page.get_by_role("region", name="All figures by position")).to_be_visible(timeout=WAIT)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
