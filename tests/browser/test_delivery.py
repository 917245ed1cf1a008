"""The van's delivery, and what the reader keeps in sight and in hand while the playhead moves."""

import pytest
from playwright.sync_api import Page, expect

from expediter.core.trace import StepTrace
from tests.browser.waits import stop_clock

IN_THE_AIR = "[...document.querySelectorAll('.xp-delivered')].filter((one) => one.getAttribute('visibility') === 'visible').length"


@pytest.fixture
def served(stages) -> tuple[str, dict[str, list[StepTrace]]]:
    return stages


def open_stage(page: Page, served, run: str = "sixteen") -> StepTrace:
    page.goto(f"{served[0]}/?run={run}&settle=load")
    page.locator(".xp[data-phase]").wait_for()
    return served[1][run][0]


def test_passed_parcels_fly_to_their_customers_one_after_the_other(clocked, served):
    trace = open_stage(clocked, served)
    delivered = clocked.locator(".xp-delivered")
    expect(delivered).to_have_count(sum(request.accepted > 0 for request in trace.requests))
    assert clocked.evaluate(IN_THE_AIR) == 0
    stop_clock(clocked)
    clocked.get_by_role("button", name="Play", exact=True).click()
    clocked.clock.run_for(8900)  # the middle of the delivery
    lit = clocked.locator(".xp-window[data-lights=true]").count()
    assert 0 < lit < trace.load
    assert clocked.evaluate(IN_THE_AIR) > 0
    clocked.clock.run_for(420)
    assert clocked.evaluate(IN_THE_AIR) == 0
    expect(clocked.locator(".xp-window[data-lights=true]")).to_have_count(trace.load)
    expect(clocked.locator(".xp-van svg")).to_contain_text(f"delivered: {trace.got} words")


def test_buttons_and_caption_stay_in_sight_beside_the_van_on_a_small_screen(page, served):
    page.set_viewport_size({"width": 1280, "height": 760})
    open_stage(page, served)
    page.locator(".xp-legend").scroll_into_view_if_needed()
    expect(page.locator(".xp-van svg")).to_be_in_viewport(ratio=0.95)
    for part in (".xp-play", ".xp-caption", ".xp-pill >> nth=0"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.95)
    assert page.evaluate(
        "() => { const { x, y, width, height } = document.querySelector('.xp-play').getBoundingClientRect();"
        " return document.elementFromPoint(x + width / 2, y + height / 2).closest('.xp-play') !== null; }"
    ), "nothing lies over the button"


def test_what_is_told_of_a_word_follows_the_playhead(page, served):
    trace = open_stage(page, served)
    slot, position = trace.order[0]
    page.locator(f".xp-word[data-request='{slot}'][data-position='{position}']").click()
    expect(page.locator(".xp-inspect")).to_contain_text("; loaded.")
    page.get_by_role("button", name="Deliver", exact=True).click()
    expect(page.locator(".xp")).to_have_attribute("data-mode", "paused")
    expect(page.locator(".xp-inspect")).to_contain_text(f"word {position} of request {slot + 1}")
    expect(page.locator(".xp-inspect")).not_to_contain_text("; loaded.")
