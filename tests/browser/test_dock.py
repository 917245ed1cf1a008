"""The loading dock in a real browser, with dice in place of models: takeover, controls, words, address, both themes, a phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from expediter.core.settings import DEFAULT_PAIR
from tests.browser.dock_page import choose, expect_new_picture, fast_forward, go_live, open_dock, press, revision, slide
from tests.browser.waits import named, still

APP = Path(__file__).with_name("dice_app.py")


@pytest.fixture
def dock(dice) -> str:
    """An app whose models are there at once."""
    return dice


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """Once this file exists, the models of `slow_dock` are loaded."""
    return tmp_path / "open"


@pytest.fixture
def slow_dock(serve, gate) -> Iterator[str]:
    """An app whose models are not there yet, and that no test has used before."""
    with serve(APP, DICE_LOAD="0", DICE_MEASURE="1", DICE_GATE=str(gate)) as url:
        yield url


def test_a_newcomer_is_shown_the_story_first(page, dock):
    open_dock(page, dock)
    way = page.get_by_role("button", name="New here?")
    expect(way).to_be_visible()
    assert way.bounding_box()["y"] < 300  # seen without looking for it


def test_on_a_phone_the_loading_models_are_told_in_lines_not_in_a_column(page, slow_dock):
    page.set_viewport_size({"width": 390, "height": 844})
    open_dock(page, slow_dock)
    told = page.locator(".ex-state")
    expect(told).to_contain_text("The model is loading")
    box = told.bounding_box()
    assert box["height"] < 130
    assert box["width"] > 300


def test_the_first_paint_waits_for_no_model(page, slow_dock):
    open_dock(page, slow_dock)
    expect(page.locator(".xp-note")).to_have_text("step 1 · recorded run, 1 of 6")
    expect(page.locator(".ex-state")).to_contain_text("The model is loading")
    assert page.locator("[data-testid=stException]").count() == 0


def test_live_takes_over_and_says_so(page, dock):
    go_live(page, dock)
    expect(page.get_by_role("heading", name="This step, on this machine")).to_be_visible()


def test_dragging_the_load_redraws_stage_numbers_and_words_together(page, dock):
    go_live(page, dock)
    old = revision(page)
    slide(page)
    expect_new_picture(page, old)
    expect(page.locator(".xp-bars-title")).to_contain_text("17 requests")
    expect(page.locator(".ex-letter")).to_have_count(17)
    batch = page.locator(".xp[data-revision]").get_attribute("data-batch")
    expect(page.locator(".ex-sums")).to_contain_text(f"The batch had {batch} words: 17 that the requests always send")
    expect(page).to_have_url(re.compile(r"[?&]load=17\b"))


def test_a_flurry_of_changes_ends_with_the_last_one(page, dock):
    go_live(page, dock, "load=8")
    for _ in range(12):
        slide(page)
    expect(page.locator(".xp-bars-title")).to_contain_text("of 20 requests")
    expect(page.locator(".ex-letter")).to_have_count(20)
    expect(page.get_by_role("slider", name="Server load: 20 requests")).to_have_value("20")
    expect(page).to_have_url(re.compile(r"[?&]load=20\b"))
    expect(page.locator(".ex-notice")).to_have_count(0)


def test_step_and_back_walk_through_the_run(page, dock):
    go_live(page, dock)
    fast_forward(page, 3)
    expect(page.locator(".ex-board")).to_contain_text(re.compile(r"last \d+ steps"))
    note = page.locator(".xp-note").inner_text()
    old = revision(page)
    page.locator(".xp").first.press("Home")
    press(page, "Back")
    expect_new_picture(page, old)
    expect(page.locator(".xp-note")).not_to_have_text(note)


def test_a_step_leaves_the_controls_alone(page, dock):
    frames: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    go_live(page, dock)
    page.wait_for_function("document.querySelector('[data-test-script-state]').dataset.testScriptState === 'notRunning'")
    assert any(b"control_seed" in frame for frame in frames), "the page came with its controls"
    frames.clear()
    old = revision(page)
    press(page, "Fast-forward")
    expect_new_picture(page, old)
    press(page, "Fast-forward")
    expect(page.locator(".xp[data-mode=paused][data-waiting=false]")).to_have_count(1)
    assert any(b"expediter_stage" in frame for frame in frames)
    assert not any(b"control_seed" in frame for frame in frames)


def test_no_step_is_shown_twice_while_the_load_is_dragged(page, dock):
    go_live(page, dock, "load=8")
    page.evaluate(
        """() => { const stage = document.querySelector(".xp"); window.shown = [];
        new MutationObserver(() => window.shown.push(Number(stage.dataset.step))).observe(stage, { attributeFilter: ["data-step"] }); }"""
    )
    press(page, "Fast-forward")
    for _ in range(6):
        slide(page)
    expect(page.locator(".xp-bars-title")).to_contain_text("of 14 requests")
    press(page, "Fast-forward")
    expect(page.locator(".xp[data-mode=paused][data-waiting=false]")).to_have_count(1)
    shown = page.evaluate("window.shown")
    assert shown
    assert shown == sorted(set(shown))


def test_a_load_dragged_in_the_instant_of_a_step_is_heard(page, dock):
    go_live(page, dock, "load=8")
    page.get_by_role("slider", name="Server load").focus()
    page.evaluate(
        """() => { const slider = document.activeElement;
        const forward = [...document.querySelectorAll(".xp button")].find((button) => button.textContent.includes("Fast-forward"));
        for (const kind of ["keydown", "keyup"])
            slider.dispatchEvent(new KeyboardEvent(kind, { key: "ArrowRight", code: "ArrowRight", bubbles: true }));
        forward.click(); }"""
    )
    expect(page.locator(".xp-bars-title")).to_contain_text("of 9 requests")
    expect(page).to_have_url(re.compile(r"[?&]load=9\b"))


def test_words_light_in_the_stage_and_back(page, dock):
    go_live(page, dock)
    word = page.locator(".ex-letter[data-slot='2'] [data-request]").first
    word.scroll_into_view_if_needed()
    word.hover()
    expect(page.locator(".ex-letter[data-slot='2']")).to_have_class(re.compile("ex-lit-letter"))
    expect(page.locator(".xp-inspect")).to_contain_text("request 3", ignore_case=True)
    page.mouse.move(5, 5)  # what scrolls under a resting pointer would be lit next
    page.evaluate("document.dispatchEvent(new CustomEvent('expediter:highlight', {detail: {request: 5, position: 1, from: 'stage'}}))")
    expect(page.locator(".ex-letter[data-slot='5'] [data-position='1']")).to_have_class(re.compile(r"\bex-lit\b"))
    expect(page.locator(".ex-lit-letter")).to_have_count(1)


def test_words_can_be_walked_with_the_keyboard(page, dock):
    go_live(page, dock)
    words = page.locator(".ex-words [data-request]")
    words.first.focus()
    page.keyboard.press("ArrowRight")
    expect(words.nth(1)).to_be_focused()
    expect(page.locator(".ex-words [data-request][tabindex='0']")).to_have_count(1)


def test_token_text_is_never_markup(page, dock):
    go_live(page, dock, "load=64")
    expect(page.locator(".ex-letters")).to_contain_text("<b>light</b>")
    assert page.locator(".ex-letters b").count() == 0


def test_swapping_the_pair_shows_the_other_one(page, dock):
    go_live(page, dock)
    choose(page, "Pair of models", "Mini")
    expect(page.locator(".ex-footer")).to_contain_text("Mini")
    expect(page.locator(".ex-state")).to_contain_text("Live")
    expect(page).to_have_url(re.compile("pair=mini-good"))
    choose(page, "Pair of models", "Pocket")
    expect(page.locator(".ex-footer")).to_contain_text("Pocket")
    assert page.locator("[data-testid=stException]").count() == 0


def test_an_address_restores_everything(page, dock):
    go_live(page, dock, f"pair={DEFAULT_PAIR}&load=32&depth=3&temperature=1.2&workload=code&policy=fixed:2&seed=7")
    expect(page.locator(".xp-bars-title")).to_contain_text("64 guessed words of 32 requests")
    expect(page.get_by_role("slider", name="Server load")).to_have_value("32")
    expect(page.get_by_role("spinbutton", name="Temperature")).to_have_value("1.20")
    expect(page.get_by_role("spinbutton", name="Seed")).to_have_value("7")


def test_a_change_before_the_model_is_there_is_kept(page, slow_dock, gate):
    open_dock(page, slow_dock)
    slide(page)
    expect(page.locator(".ex-notice")).to_contain_text("live as soon as the model is ready")
    expect(page.locator(".xp-bars-title")).to_contain_text("16 requests")
    gate.touch()
    expect(page.locator(".xp-bars-title")).to_contain_text("17 requests")
    expect(page.locator(".ex-notice")).to_have_count(0)


def test_two_tabs_run_side_by_side(page, dock):
    go_live(page, dock, "load=4")
    other = page.context.new_page()
    go_live(other, dock, "load=6")
    press(other, "Fast-forward")
    fast_forward(page, 5)
    for tab, load in ((page, 4), (other, 6)):
        tab.wait_for_function("Number(document.querySelector('.xp').dataset.step) >= 2")
        expect(tab.locator(".ex-letter")).to_have_count(load)
        assert tab.locator("[data-testid=stException]").count() == 0
    other.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_keeps_anyone_out(page, dock, scheme, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    go_live(page, dock)
    named(page)
    still(page)
    violations = Axe().run(page).response["violations"]
    assert [(found["id"], [node["html"][:120] for node in found["nodes"]]) for found in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
