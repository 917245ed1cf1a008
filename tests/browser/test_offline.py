"""The saved page, opened from the disk without a network: it plays, scrubs, obeys the keyboard and keeps nobody out."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from expediter.core.settings import Settings
from expediter.ui.offline import page as saved
from tests.fakes import recording

WAIT = 30_000  # ms


@pytest.fixture
def offline(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Three steps of dice in a file. It asks for nothing but itself and complains of nothing."""
    path = tmp_path / "saved.html"
    path.write_text(saved(recording(Settings(), steps=3), "Made of dice."), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    opened, asked, errors = context.new_page(), [], []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    opened.goto(path.as_uri())
    expect(opened.locator(".xp-note")).to_have_text("step 3 · saved run, 3 of 3")
    yield opened
    assert asked == [path.as_uri()]
    assert errors == []
    context.close()


def test_it_plays_scrubs_and_obeys_the_keyboard(offline: Page):
    stage, note = offline.locator(".xp"), offline.locator(".xp-note")
    expect(stage).to_have_attribute("data-decided", "true")
    expect(offline.locator(".ex-letter")).to_have_count(16)
    offline.get_by_role("slider", name="Playhead").fill("1")
    expect(stage).to_have_attribute("data-phase", "draft")
    offline.get_by_role("combobox", name="Speed").select_option("4")
    offline.locator("h1").click()
    offline.keyboard.press("Space")
    expect(stage).to_have_attribute("data-mode", "playing")
    expect(note).to_have_text("step 1 · saved run, 1 of 3", timeout=WAIT)
    offline.keyboard.press("Space")
    expect(stage).to_have_attribute("data-mode", "paused")
    offline.keyboard.press("Home")
    expect(stage).to_have_attribute("data-ms", "0")
    offline.keyboard.press("ArrowRight")
    expect(stage).to_have_attribute("data-phase", "draft")
    offline.get_by_role("button", name="Fast-forward").press("Enter")
    expect(note).to_have_text("step 2 · saved run, 2 of 3", timeout=WAIT)
    expect(offline.locator(".ex-letter")).to_have_count(16)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_keeps_nobody_out(offline: Page, scheme: str):
    offline.set_viewport_size({"width": 390, "height": 844})
    offline.emulate_media(color_scheme=scheme)
    expect(offline.locator(".xp-spoken")).to_have_text(re.compile("."))
    violations = Axe().run(offline).response["violations"]
    assert [(found["id"], [node["html"][:120] for node in found["nodes"]]) for found in violations] == []
    assert offline.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_the_numbers_on_the_van_stand_beside_each_other_on_a_phone(offline: Page):
    offline.set_viewport_size({"width": 390, "height": 844})
    numbers = offline.locator(".xp-coach-text")
    expect(numbers).to_have_count(2)
    expect(numbers.last).to_have_text(re.compile(r"^\d+ orders?$"))  # drawn anew for the narrow page
    parcels, orders = (numbers.nth(i).bounding_box() for i in range(2))
    assert parcels["x"] + parcels["width"] < orders["x"]
