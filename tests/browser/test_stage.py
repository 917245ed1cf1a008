"""The stage's playhead in a real browser: play, step, scrub, keys, fast-forward, and what Python hears of it."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from expediter.core.trace import StepTrace
from tests.browser.waits import expect_state, run_until, stop_clock

HANDLES = {"Fast-forward": ".xp-fast", "Reset": ".xp-reset"}
PHASES = ["draft", "score", "sort", "load", "check", "deliver"]


@dataclass(frozen=True)
class Served:
    url: str
    runs: dict[str, list[StepTrace]]


@pytest.fixture
def served(stages) -> Served:
    return Served(*stages)


def open_stage(page: Page, served: Served, run: str = "sixteen", settle: str = "load") -> Locator:
    page.goto(f"{served.url}/?run={run}&settle={settle}")
    stage = page.locator(".xp[data-phase]")
    stage.wait_for()
    return stage


def wishes(page: Page, text: str) -> None:
    """What Python has heard since the page was opened."""
    number = len(text.split())
    expect(page.get_by_text(re.compile(r"^wishes:"))).to_have_text(f"wishes: {text}; ids: {number}")


def to_end(page: Page) -> None:
    page.keyboard.press("Home")
    page.locator(".xp-scrub").focus()
    page.keyboard.press("End")
    page.evaluate("document.activeElement.blur()")


LOG = """() => {
  const stage = document.querySelector(".xp"); const log = window.log = [];
  new MutationObserver(() => {
    const { phase, ms, admitted, revision } = stage.dataset;
    log.push({ at: performance.now(), phase, ms: Number(ms), admitted: Number(admitted), revision });
  }).observe(stage, { attributes: true });
}"""


def shown(page: Page, revision: int = 0) -> list[dict]:
    """What one picture has shown since LOG was started, in order. `at` is the page's own time in ms."""
    return [entry for entry in page.evaluate("window.log") if entry["revision"] == str(revision)]


def play_to_the_end(page: Page, speed: float = 1) -> list[dict]:
    """Play the step on a clock of its own until just before the next one is asked for; what was shown."""
    page.evaluate(LOG)
    stop_clock(page)
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(int(9200 / speed))
    log = shown(page)
    assert log[-1]["ms"] == max(entry["ms"] for entry in log)
    return log


def test_play_shows_a_step_in_six_to_ten_seconds_and_goes_on(clocked, served):
    stage = open_stage(clocked, served)
    log = play_to_the_end(clocked)
    end = next(entry["at"] for entry in log if entry["ms"] == log[-1]["ms"])
    assert 6000 <= end - log[0]["at"] <= 10_000
    assert list(dict.fromkeys(entry["phase"] for entry in log if entry["ms"])) == PHASES
    run_until(clocked, lambda: stage.get_attribute("data-step") == "1")
    expect_state(stage, playing="true")
    clocked.keyboard.press("Space")
    clocked.clock.resume()
    wishes(clocked, "advance")


def test_a_caption_stands_a_second_before_its_motion(clocked, served):
    open_stage(clocked, served)
    load = [entry for entry in play_to_the_end(clocked) if entry["phase"] == "load"]
    moved = next(entry["at"] for entry in load if entry["admitted"] > 0)
    assert moved - load[0]["at"] >= 999  # a second, but for the millisecond in which the phase before ended


def test_a_caption_stands_its_second_where_frames_come_late(clocked, served):
    open_stage(clocked, served)
    clocked.evaluate("() => { window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 170); }")
    load = [entry for entry in play_to_the_end(clocked) if entry["phase"] == "load"]
    moved = next(entry["at"] for entry in load if entry["admitted"] > 0)
    assert moved - load[0]["at"] >= 999


def test_space_plays_and_pauses(page, served):
    stage = open_stage(page, served)
    page.keyboard.press("Space")
    expect_state(stage, playing="true")
    page.keyboard.press("Space")
    expect_state(stage, playing="false")
    wishes(page, "")


def test_arrows_walk_through_the_phases_and_home_goes_to_the_begin(page, served):
    stage = open_stage(page, served, settle="start")
    page.keyboard.press("Home")
    expect_state(stage, ms=0, phase="draft")
    for phase in PHASES:
        page.keyboard.press("ArrowRight")
        expect_state(stage, phase=phase, mode="paused")
    for phase in reversed(PHASES[:-1]):
        page.keyboard.press("ArrowLeft")
        expect_state(stage, phase=phase)
    page.keyboard.press("Home")
    expect_state(stage, ms=0)


def test_shift_and_arrow_move_by_one_admission(page, served):
    stage = open_stage(page, served)
    stop = served.runs["sixteen"][0].stop
    page.keyboard.press("Shift+ArrowLeft")
    expect_state(stage, admitted=stop, decided="false")
    page.keyboard.press("Shift+ArrowLeft")
    expect_state(stage, admitted=stop - 1, batch=16 + stop - 1)
    page.keyboard.press("Shift+ArrowRight")
    expect_state(stage, admitted=stop)


def test_keys_stay_with_a_text_field(page, served):
    stage = open_stage(page, served)
    page.get_by_label("elsewhere").click()
    page.keyboard.type("a b")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(page.get_by_label("elsewhere")).to_have_value("a b")
    expect_state(stage, phase="load", mode="paused")


def test_step_at_the_end_asks_once_however_often_it_is_pressed(page, served):
    stage = open_stage(page, served)
    to_end(page)
    page.evaluate("for (let i = 0; i < 5; i += 1) document.querySelector('.xp-step').click()")
    expect_state(stage, step=1, revision=1)
    wishes(page, "advance")


def test_back_at_the_begin_shows_the_end_of_the_step_before(page, served):
    stage = open_stage(page, served)
    to_end(page)
    page.keyboard.press("ArrowRight")
    expect_state(stage, step=1, phase="draft")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    expect_state(stage, step=0, revision=2, phase="deliver")
    page.get_by_role("button", name="Reset").click()
    expect_state(stage, step=0, revision=3, ms=0)
    wishes(page, "advance back reset")


def test_there_is_no_back_before_the_first_step(page, served):
    open_stage(page, served)
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Back")).to_be_disabled()


def test_a_new_plan_is_drawn_at_once_where_loading_has_ended(page, served):
    stage = open_stage(page, served, settle="load")
    page.get_by_role("button", name="Replan").click()
    expect_state(stage, revision=1, step=1, phase="load", decided="true", mode="paused", admitted=served.runs["sixteen"][1].stop)


def test_a_new_plan_while_playing_plays_from_the_begin(page, served):
    stage = open_stage(page, served)
    page.evaluate(LOG)
    page.keyboard.press("Space")
    expect_state(stage, playing="true")
    page.get_by_role("button", name="Replan").click()
    expect_state(stage, revision=1, playing="true")
    assert shown(page, 1)[0]["phase"] == "draft"


def test_fast_forward_shows_only_ends_and_many_of_them(page, served):
    stage = open_stage(page, served)
    page.evaluate(LOG)
    page.get_by_role("button", name="Fast-forward").click()
    page.wait_for_function("Number(document.querySelector('.xp').dataset.revision) >= 12")
    page.get_by_role("button", name="Fast-forward").click()
    expect_state(stage, mode="paused", waiting="false")
    assert {entry["phase"] for entry in page.evaluate("window.log")} == {"deliver"}


@pytest.mark.parametrize("name", ["Fast-forward", "Reset"])
def test_what_is_on_its_way_when_fast_forward_ends_is_shown_as_an_end_too(page, served, name):
    stage = open_stage(page, served)
    page.evaluate(LOG)
    page.evaluate("(name) => document.querySelector('.xp-fast').click() ?? document.querySelector(name).click()", HANDLES[name])
    expect_state(stage, mode="paused", waiting="false", revision=2 if name == "Reset" else 1)
    assert {entry["phase"] for entry in shown(page, 1)} == {"deliver"}
    wishes(page, "advance reset" if name == "Reset" else "advance")


def test_a_pill_leads_to_its_phase(page, served):
    stage = open_stage(page, served)
    page.get_by_role("button", name="Sort", exact=True).click()
    expect_state(stage, phase="sort", mode="paused", admitted=0)
    expect(page.get_by_role("button", name="Sort", exact=True)).to_have_attribute("aria-current", "step")


@pytest.mark.parametrize("speed", [0.5, 4])
def test_a_step_plays_at_the_chosen_speed(clocked, served, speed):
    open_stage(clocked, served)
    clocked.get_by_label("Speed").select_option(str(speed))
    log = play_to_the_end(clocked, speed)
    begun = next(entry for entry in log if entry["ms"])
    end = next(entry for entry in log if entry["ms"] == log[-1]["ms"])
    assert end["ms"] - begun["ms"] == pytest.approx(speed * (end["at"] - begun["at"]), rel=0.05)


def test_reduced_motion_leaps_from_state_to_state(clocked, served):
    clocked.emulate_media(reduced_motion="reduce")
    open_stage(clocked, served, settle="start")
    stop = served.runs["sixteen"][0].stop
    log = play_to_the_end(clocked)
    assert {entry["admitted"] for entry in log} == {0, stop}
    assert list(dict.fromkeys(entry["phase"] for entry in log)) == PHASES
