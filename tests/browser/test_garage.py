"""The Garage in a real browser, with dice in place of models: cards, jobs, the way to the dock, one's own pair, keyboard and phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from expediter.core.settings import DEFAULT_PAIR

APP = Path(__file__).with_name("garage_app.py")
FIRST = 180_000  # ms until a fresh server's first page is there, at most


@pytest.fixture(scope="module")
def gate(tmp_path_factory) -> Path:
    """While this file is missing, a calibration stays half done."""
    return tmp_path_factory.mktemp("gate") / "open"


@pytest.fixture(scope="module")
def app(serve, gate, tmp_path_factory) -> Iterator[str]:
    with serve(APP, GARAGE_GATE=str(gate), EXPEDITER_CACHE=str(tmp_path_factory.mktemp("cache"))) as url:
        yield url


def open_garage(page: Page, app: str, query: str = f"pair={DEFAULT_PAIR}") -> None:
    """The page is whole: its last button is there."""
    page.goto(f"{app}/garage?{query}")
    expect(page.get_by_role("button", name="Add the pair")).to_be_visible(timeout=FIRST)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def card(page: Page, pair: str) -> Locator:
    return page.locator(f".st-key-pair_{pair}")


def press(page: Page, pair: str, name: str) -> None:
    card(page, pair).get_by_role("button", name=name, exact=True).click()


def ready(page: Page, pair: str) -> None:
    """Loaded, whoever asked for it. A card's buttons come after its words: which of the two there is, is known once one is there."""
    expect(card(page, pair).get_by_role("button", name=re.compile("^(Load|Unload)$"))).to_be_visible()
    if card(page, pair).get_by_role("button", name="Load", exact=True).count():
        press(page, pair, "Load")
    expect(card(page, pair).locator(".ex-standing")).to_contain_text("Ready")


def test_one_click_puts_another_pair_on_the_stage(page, app):
    open_garage(page, app)
    ready(page, "mini-good")
    press(page, "mini-good", "Take it to the dock")
    expect(page.get_by_role("heading", name="Loading dock", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]pair=mini-good\b"))
    expect(page.locator(".xp-note")).to_contain_text("live")
    expect(page.locator(".ex-footer").first).to_contain_text("Mini")


def test_the_dock_goes_on_after_its_pair_was_unloaded(page, app):
    page.goto(f"{app}/?pair={DEFAULT_PAIR}")
    expect(page.locator(".xp-note")).to_contain_text("live", timeout=FIRST)
    page.get_by_role("link", name="Garage").click()
    expect(page.get_by_role("button", name="Add the pair")).to_be_visible()
    press(page, DEFAULT_PAIR, "Unload")
    expect(card(page, DEFAULT_PAIR).locator(".ex-standing")).to_contain_text("Parked")
    expect(card(page, DEFAULT_PAIR)).to_contain_text("its memory is free again")
    page.get_by_role("link", name="Loading dock").click()
    expect(page.locator(".xp-note")).to_contain_text("live")
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_another_readers_dock_survives_it_too(page, app):
    page.goto(f"{app}/?pair={DEFAULT_PAIR}&load=16")
    expect(page.locator(".xp-note")).to_contain_text("live", timeout=FIRST)
    other = page.context.new_page()
    open_garage(other, app)
    press(other, DEFAULT_PAIR, "Unload")
    expect(card(other, DEFAULT_PAIR).locator(".ex-standing")).to_contain_text("Parked")
    other.close()
    page.get_by_role("slider", name="Server load").press("ArrowRight")
    expect(page.locator(".xp-bars-title")).to_contain_text("17 requests")
    expect(page.locator(".xp-note")).to_contain_text("live")
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_a_calibration_shows_its_progress_and_can_be_cancelled(page, app, gate):
    gate.unlink(missing_ok=True)
    open_garage(page, app)
    press(page, "mini-good", "Calibrate again")
    expect(card(page, "mini-good")).to_contain_text("The shipped ones are kept")
    press(page, "mini-good", "Yes, calibrate now")
    expect(page.get_by_role("progressbar")).to_have_accessible_name(re.compile("piece 5 of 10"))
    expect(card(page, "mini-good").get_by_role("button", name="Take it to the dock")).to_be_enabled()
    expect(card(page, "mini-good").get_by_role("button", name="Measure its speed")).to_be_disabled()
    press(page, "mini-good", "Cancel")
    expect(card(page, "mini-good")).to_contain_text("Cancelled. Nothing was kept.")


def test_a_finished_job_says_what_came_of_it(page, app, gate):
    gate.touch()
    open_garage(page, app)
    press(page, "mini-good", "Calibrate again")
    press(page, "mini-good", "Yes, calibrate now")
    expect(card(page, "mini-good")).to_contain_text("Calibrated.")
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_a_pair_of_ones_own_is_added_and_can_be_chosen_everywhere(page, app):
    open_garage(page, app)
    page.get_by_label("Big model", exact=True).fill("gpt2")
    page.get_by_label("Small model", exact=True).fill("gpt2")
    page.get_by_role("button", name="Add the pair").click()
    expect(page.get_by_text("gpt2 cannot guess for itself")).to_be_visible()
    page.get_by_label("Small model", exact=True).fill("<i>distil</i>")
    page.get_by_label("Name of the pair", exact=True).fill("mine")
    page.get_by_role("button", name="Add the pair").click()
    expect(card(page, "mine").get_by_role("heading")).to_contain_text("gpt2 + <i>distil</i>")
    page.get_by_role("link", name="Loading dock").click()
    expect(page.locator(".xp[data-revision]")).to_be_visible()
    page.get_by_role("combobox", name="Pair of models").click()
    expect(page.get_by_role("option", name="gpt2 + <i>distil</i>")).to_be_visible()


def test_a_fetch_outlives_a_reload_can_be_stopped_and_changes_its_card_by_itself(page, app, gate):
    gate.unlink(missing_ok=True)
    open_garage(page, app)
    waiting, fetch = card(page, "smol"), "Fetch SmolLM2-135M-Instruct (271 MB)"
    press(page, "smol", fetch)
    expect(page.get_by_role("progressbar")).to_have_accessible_name("4 of 10 MB are here.")
    open_garage(page, app)
    expect(page.get_by_role("progressbar")).to_have_accessible_name("4 of 10 MB are here.")
    press(page, "smol", "Cancel")
    expect(waiting).to_contain_text("the next try goes on from there")
    press(page, "smol", fetch)
    expect(page.get_by_role("progressbar")).to_have_accessible_name("4 of 10 MB are here.")
    gate.touch()
    expect(waiting).to_contain_text("Fetched. The pair is ready to be loaded.")
    press(page, "smol", "Load")
    expect(waiting.locator(".ex-standing")).to_contain_text("Ready")
    expect(waiting).not_to_contain_text("Fetched.")


def test_the_keyboard_takes_a_pair_to_the_dock(page, app):
    open_garage(page, app)
    card(page, "mini-good").get_by_role("button", name="Take it to the dock").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Loading dock", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]pair=mini-good\b"))


def test_on_a_phone_cards_stand_below_each_other_and_nothing_scrolls_sideways(page, app):
    page.set_viewport_size({"width": 390, "height": 844})
    open_garage(page, app)
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    for summary in page.locator(".ex-how summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    first, second = (card(page, pair).bounding_box() for pair in (DEFAULT_PAIR, "mini-good"))
    assert first["x"] == second["x"]
    assert second["y"] >= first["y"] + first["height"]
