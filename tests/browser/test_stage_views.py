"""What the stage draws: bars, curve, van and dials agree with the trace."""

import math
import re

import pytest
from playwright.sync_api import expect

from expediter.core.trace import StepTrace
from tests.browser.conftest import ROOT
from tests.browser.stage_page import open_stage, scrub


@pytest.fixture
def served(stages) -> tuple[str, dict[str, list[StepTrace]]]:
    return stages


LOOK = """() => {
  const seen = (node) => getComputedStyle(node).visibility !== "hidden";
  const count = (selector) => [...document.querySelectorAll(selector)].filter(seen).length;
  const line = document.querySelector(".xp-line").getAttribute("points").trim().split(" ");
  const states = ["waiting", "loaded", "left", "passed", "refused", "behind"];
  return {
    bars: Object.fromEntries(states.map((state) => [state, count(`.xp-word[data-state=${state}]`)])),
    crates: count(".xp-van g[data-delivered] .xp-crate"),
    orders: count(".xp-order"),
    lit: count(".xp-window[data-lights=true]"),
    points: line.length,
    aboard: document.querySelector(".xp-aboard").textContent,
    theta: document.querySelector(".xp-dial-words .xp-dial-value").textContent,
    trips: document.querySelector(".xp-dial-trips .xp-dial-value").textContent,
    data: { ...document.querySelector(".xp").dataset },
  };
}"""


DRAWING = (ROOT / "assets" / "stage" / "svg.js").read_text(encoding="utf-8")
PERCENT = re.search(r"function percent\(value\) \{.*?\n\}", DRAWING, re.DOTALL)[0]


def js_rate(value: float) -> str:
    """As the stage writes words per second: whole from 10 on, halves up."""
    return f"{math.floor(value + 0.5):,}" if round(value, 1) >= 10 else f"{value:.1f}"


def shown(value: float) -> str:
    return f"{round(value):,}" if value >= 10 else f"{value:.1f}"


@pytest.mark.parametrize("admitted", [0, 1, 7, "stop"])
def test_bars_curve_van_and_dials_agree_with_the_trace_while_loading(page, served, admitted):
    trace = open_stage(page, served)
    k = trace.stop if admitted == "stop" else admitted
    scrub(page, 3 + k)  # the begin, Draft, Score and Sort come before the first admission
    look = page.evaluate(LOOK)
    assert look["bars"]["loaded"] == look["crates"] == k
    assert look["bars"]["waiting"] == len(trace.order) - k
    assert look["orders"] == trace.load
    assert look["points"] == k + 2  # the curve so far and its head
    assert look["aboard"] == f"aboard: 16 standing orders + {k} parcel{'s' * (k != 1)} = batch {16 + k}"
    assert look["theta"] == shown(trace.path[k])
    assert look["trips"] == shown(1 / trace.step_seconds[k])
    assert float(look["data"]["theta"]) == pytest.approx(trace.path[k], abs=1e-3)
    assert (look["data"]["batch"], look["data"]["admitted"]) == (str(16 + k), str(k))


@pytest.mark.parametrize("run", ["one", "sixteen", "full", "dip", "off"])
def test_the_dials_product_is_what_a_reader_multiplies(page, served, run: str):
    open_stage(page, served, run)
    for place in range(3, 10):
        scrub(page, place)
        told = page.locator(".xp-product").text_content()
        words, trips, sign, theta = re.fullmatch(r"([\d.]+) words a trip × ([\d.]+) trips/s ([=≈]) ([\d.,]+) words/s", told).groups()
        product, score = float(words) * float(trips), float(theta.replace(",", ""))
        assert product == pytest.approx(score, rel=0.02)
        assert (sign == "=") == (js_rate(product) == theta), told
        assert max(len(number) - number.index(".") - 1 for number in (words, trips)) <= 2, "no digits that nobody reads"


@pytest.mark.parametrize(("share", "told"), [(1, "100 %"), (0.996, "99.6 %"), (0.99996, "over 99.99 %"), (0.004, "0.4 %"), (0.62, "62 %")])
def test_only_a_certain_word_reads_as_one(page, served, share: float, told: str):
    open_stage(page, served)
    assert page.evaluate(f"() => {{ {PERCENT}; return percent({share}); }}") == told


def test_at_the_stop_the_sentence_tells_the_lesson_and_the_rest_is_dashed(page, served):
    trace = open_stage(page, served)
    expect(page.locator(".xp-sentence")).to_have_text(
        re.compile(
            r"^The next: \+0\.\d\d words, \+\d+\.\d\d\d? ms(, time worth 0\.\d\d words)?"
            r" → score would fall\. So loading stops here\.$"
        )
    )
    expect(page.locator(".xp-rest")).to_be_visible()
    expect(page.locator(".xp-axis-title")).to_contain_text("dashed: what if we had gone on")
    expect(page.locator(".xp-at-stop text")).to_have_text(f"peak: {shown(trace.theta)} words/s at batch {trace.batch}")
    assert page.evaluate(LOOK)["bars"]["left"] == len(trace.order) - trace.stop


def test_before_the_decision_the_rest_of_the_curve_is_not_shown(page, served):
    open_stage(page, served)
    scrub(page, 8)
    expect(page.locator(".xp-sentence")).to_have_text(re.compile(r"^\+0\.\d\d words, \+\d+\.\d\d ms → [\d,]+ words/s, score up$"))
    for part in (".xp-rest", ".xp-at-stop", ".xp-at-all", ".xp-stop"):
        expect(page.locator(part)).to_be_hidden()
    expect(page.locator(".xp-at-off")).to_be_visible()
    expect(page.locator(".xp-axis-title")).to_have_text("batch size: words the big model reads in this step")


def test_verdicts_at_the_end_are_the_traces(page, served):
    trace = open_stage(page, served)
    scrub(page, -1)
    look = page.evaluate(LOOK)
    assert {fate: look["bars"][fate] for fate in ("passed", "refused", "behind", "left")} == {
        fate: trace.count(fate) for fate in ("passed", "refused", "behind", "left")
    }
    assert look["lit"] == trace.load
    expect(page.locator(".xp-sentence")).to_contain_text(f"got {trace.got}")


def test_checking_marks_only_what_was_read(page, served):
    trace = open_stage(page, served)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".xp")).to_have_attribute("data-mode", "paused")
    bars = page.evaluate(LOOK)["bars"]
    assert (bars["passed"], bars["refused"]) == (trace.count("passed"), trace.count("refused"))
    assert (bars["loaded"], bars["behind"]) == (trace.count("behind"), 0)


def test_many_words_get_an_overview_and_a_window_of_24(page, served):
    trace = open_stage(page, served, "full")
    assert page.locator(".xp-thin").count() == len(trace.order) == 512
    assert 23 <= sum(page.evaluate(LOOK)["bars"].values()) <= 25
    box, cut = page.locator(".xp-strip-box").bounding_box(), page.locator(".xp-cut").bounding_box()
    assert box["x"] < cut["x"] < box["x"] + box["width"]
    expect(page.locator(".xp-aboard")).to_have_text(f"aboard: 64 standing orders + {trace.stop} parcels = batch {trace.batch}")
    numbers = page.locator(".xp-van g[data-delivered] .xp-crate:visible text").all_text_contents()
    assert sum(map(int, numbers)) == trace.stop


def test_a_word_lights_its_request_everywhere_and_tells_the_page(page, served):
    trace = open_stage(page, served)
    page.evaluate("document.addEventListener('expediter:highlight', (event) => { window.told = event.detail; })")
    slot, position = trace.order[4]
    page.locator(f".xp-word[data-request='{slot}'][data-position='{position}']").hover()
    expect(page.locator(".xp-word[data-mate]")).to_have_count(len(trace.requests[slot].tokens))
    expect(page.locator(".xp-van .xp-crate[data-lit]:visible")).to_have_count(1)
    expect(page.locator(".xp-mates circle")).to_have_count(trace.requests[slot].sent)
    assert page.evaluate("window.told") == {"request": slot, "position": position, "from": "stage"}
    expect(page.locator(".xp-inspect")).to_contain_text(f"word {position} of request {slot + 1}")


def test_a_word_lit_on_the_page_lights_on_the_stage(page, served):
    open_stage(page, served)
    tell = "(detail) => document.dispatchEvent(new CustomEvent('expediter:highlight', { detail }))"
    page.evaluate(tell, {"request": 2, "position": 1, "from": "words"})
    expect(page.locator(".xp-word[data-lit]")).to_have_attribute("data-request", "2")
    page.evaluate(tell, {"request": None, "position": None, "from": "words"})
    expect(page.locator(".xp-word[data-lit]")).to_have_count(0)


def test_words_can_be_walked_with_the_keyboard(page, served):
    trace = open_stage(page, served)
    page.locator(".xp-word[tabindex='0']").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    slot, position = trace.order[3]
    lit = page.locator(".xp-word[data-lit]")
    expect(lit).to_have_attribute("data-request", str(slot))
    expect(lit).to_have_attribute("data-position", str(position))
    expect(page.locator(".xp")).to_have_attribute("data-phase", "load")


def test_in_a_large_pool_tab_leads_to_a_word_in_sight(page, served):
    open_stage(page, served, "full")
    tab = page.locator(".xp-word[tabindex='0']")
    expect(tab).to_have_count(1)
    expect(tab).to_be_visible()
    tab.focus()
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".xp-word[data-lit]")).to_be_visible()
    expect(tab).to_be_focused()


def test_token_text_is_never_markup(page, served):
    open_stage(page, served)
    assert page.locator(".xp b b, .xp svg b, .xp svg light").count() == 0
    assert page.get_by_text("<b>light</b>").count() > 0


@pytest.mark.parametrize("run", ["off", "resting"])
def test_a_step_without_guesses_is_told_plainly(page, served, run: str):
    open_stage(page, served, run, settle="start")
    expect(page.locator(".xp-caption")).to_contain_text("plain decoding is faster" if run == "resting" else "the policy drafts nothing")
    expect(page.get_by_role("button", name="Load", exact=True)).to_be_disabled()
    expect(page.locator(".xp-aboard")).to_have_text("aboard: 4 standing orders + 0 parcels = batch 4")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".xp")).to_have_attribute("data-phase", "deliver")
