"""Same answer in a real browser: the switch bends the words, a run is watched and ends, accessibility, a phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.waits import still

APP = Path(__file__).with_name("answers_app.py")


@pytest.fixture(scope="module")
def gate(tmp_path_factory) -> Path:
    """While this file is missing, a run goes on."""
    return tmp_path_factory.mktemp("gate") / "open"


@pytest.fixture(scope="module")
def app(serve, gate) -> Iterator[str]:
    with serve(APP, ANSWERS_GATE=str(gate)) as url:
        yield url


def open_answers(page: Page, app: str, query: str = "") -> None:
    page.goto(f"{app}/?{query}")
    expect(page.get_by_role("button", name="Draw 1,000 more")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(3)


def test_the_switch_bends_the_words_by_keyboard_and_the_address_keeps_it(page, app):
    open_answers(page, app)
    expect(page.get_by_text("Not bent.")).to_be_visible()
    page.get_by_label("Peek: look past the dip").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Bent by 15 %.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]peek=1\b"))


def test_a_run_is_watched_until_it_ends(page, app, gate):
    open_answers(page, app)
    page.get_by_role("button", name="Run both here").click()
    expect(page.get_by_text("So far:")).to_be_visible()
    gate.touch()
    expect(page.get_by_text("140 words compared")).to_be_visible()
    expect(page.get_by_text("Run here just now").first).to_be_visible()
    expect(page.get_by_text("So far:")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_a_readers_way(page, app, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    open_answers(page, app, "peek=1")
    page.get_by_role("combobox", name="Numbers").click()
    page.get_by_role("option", name="bfloat16").click()
    expect(page.locator(".ex-differs").first).to_be_visible()
    still(page)
    assert [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in Axe().run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
