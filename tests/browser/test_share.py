"""Taking something along from the dock, in a real browser: a link that leads back, the step, its figure and a page of its own."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from expediter.core import trace
from expediter.core.settings import DEFAULT_PAIR

WAIT = 60_000  # ms


@pytest.fixture
def app(dice) -> str:
    return dice


@pytest.fixture
def dock(page: Page, app: str) -> Page:
    """The live dock, with a seed that no recorded run has, at its first step."""
    page.goto(f"{app}/?seed=5")
    expect(page.locator(".xp-note")).to_have_text("step 1 · live", timeout=WAIT)
    return page


def save(page: Page, button: str, folder: Path) -> Path:
    """Press a button and keep what it downloads."""
    with page.expect_download(timeout=WAIT) as waited:
        page.get_by_role("button", name=button, exact=True).click()
    path = folder / waited.value.suggested_filename
    waited.value.save_as(path)
    return path


def test_a_copied_link_leads_back_to_the_step(dock: Page, browser: Browser):
    dock.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dock.get_by_role("button", name="Deliver").click()
    dock.get_by_role("slider", name="Playhead").press("End")
    dock.get_by_role("button", name="Step", exact=True).click()
    expect(dock.locator(".xp-note")).to_have_text("step 2 · live", timeout=WAIT)
    expect(dock.locator("[data-link]")).to_have_attribute("data-link", re.compile("step=2&table="))
    dock.get_by_role("button", name="Copy link").click()
    expect(dock.locator(".sh-says")).to_contain_text("Copied.")
    link = dock.evaluate("navigator.clipboard.readText()")
    assert "step=2&table=" in link
    letters = dock.locator(".ex-letters")
    expect(letters).to_have_text(re.compile(".", re.S))
    words = letters.text_content()  # not inner_text: letters that are scrolled away are not laid out

    guest = browser.new_context().new_page()
    guest.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    guest.goto(link)
    expect(guest.locator(".xp-note")).to_have_text("step 2 · live", timeout=WAIT)
    expect(guest.locator(".ex-letters")).to_have_text(words)
    expect(guest.locator(".ex-notice")).to_have_count(0)
    expect(guest).to_have_url(link)  # the bar names the moment while it is on screen; it is written after the picture
    expect(guest.locator("[data-link]")).to_have_attribute("data-link", link)
    guest.get_by_role("button", name="Copy link").click()
    expect(guest.get_by_role("textbox", name="Link")).to_have_value(link)  # this browser copies nothing by itself
    guest.locator(".xp-note").click()
    guest.keyboard.press("Home")
    guest.get_by_role("button", name="Back", exact=True).click()
    expect(guest.locator(".xp-note")).to_have_text("step 1 · live", timeout=WAIT)
    expect(guest).not_to_have_url(re.compile("table="), timeout=WAIT)
    guest.context.close()


def test_a_link_from_another_table_says_what_differs(page: Page, app: str):
    page.goto(f"{app}/?load=4&seed=3&step=40&table=0a1b2c3d4e5f")
    expect(page.locator(".xp-note")).to_have_text("step 40 · live", timeout=WAIT)
    expect(page.locator(".ex-notice")).to_contain_text("another step-rate table (fingerprint 0a1b2c3d4e5f")
    expect(page.locator(".ex-notice")).to_have_count(1)


def test_a_step_is_kept_as_data_figure_and_page(dock: Page, tmp_path: Path):
    kept = save(dock, "Download this step", tmp_path)
    assert kept.name == f"{DEFAULT_PAIR}-step-1.json"
    assert trace.load(kept)[0].load == 16
    assert "Step 1, saved" in save(dock, "Download as a page", tmp_path).read_text(encoding="utf-8")

    dock.get_by_role("button", name="Download figure", exact=True).press("Enter")
    drawn = save(dock, "Download figure: The loading dock, SVG", tmp_path).read_text(encoding="utf-8")
    for words in ("80 guessed words of 16 requests", "The van tells the same story", "stop"):
        assert words in drawn
    assert "var(" not in drawn, "a drawing program knows no style sheet of ours"
    assert "color(" not in drawn
    assert not re.search(r'(href|src)="|url\((?!#)', drawn)
    assert save(dock, "Download figure: The loading dock, PNG", tmp_path).read_bytes().startswith(b"\x89PNG")
