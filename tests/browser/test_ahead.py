"""Fast-forward asks for the next step while this one is drawn, never for one ahead of what was seen; a long wait is told."""

import pytest
from playwright.sync_api import Page

from expediter.core.settings import Settings
from expediter.ui import stage, words
from expediter.ui.stage_data import payload
from tests.browser.waits import stop_clock
from tests.fakes import recording

STEPS = recording(Settings(load=4), steps=4)

MOUNT = """async ({ script, html }) => {
  document.querySelector("main").innerHTML = html;
  const module = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  window.wishes = [];
  const setTriggerValue = (_, wish) => window.wishes.push(`${wish.kind} ${wish.revision}`);
  const parentElement = document.querySelector("main");
  window.bring = (data) => { module.default({ data, parentElement, setTriggerValue }); return [...window.wishes]; };
}"""
NOTE = "() => getComputedStyle(document.querySelector('.xp-note'), '::after').content"


def picture(at: int) -> dict:
    return payload(STEPS[at], revision=at)


@pytest.fixture
def alone(clocked) -> Page:
    """A stage without Streamlit and its first picture, on a clock that the test moves. `window.bring(data)` → the wishes so far."""
    clocked.set_content("<!doctype html><main></main>")
    script = "\n".join(stage._read(f"{name}.js") for name in stage.SCRIPTS)
    clocked.evaluate(MOUNT, {"script": script, "html": f"<style>{stage._read('stage.css')}</style>{stage._read('stage.html')}"})
    bring(clocked, 0)
    stop_clock(clocked)
    clocked.clock.run_for(100)
    return clocked


def bring(page: Page, *steps: int) -> list[str]:
    """Pictures that come within one frame."""
    return page.evaluate("(pictures) => pictures.map((data) => window.bring(data)).at(-1)", [picture(at) for at in steps])


def wishes(page: Page) -> list[str]:
    return page.evaluate("window.wishes")


def test_the_next_step_is_asked_for_while_this_one_is_drawn(alone):
    alone.get_by_role("button", name="Fast-forward").click()
    assert wishes(alone) == ["advance 0"]
    assert bring(alone, 1) == ["advance 0", "advance 1"]


def test_no_step_is_asked_for_ahead_of_one_that_nobody_has_seen(alone):
    alone.get_by_role("button", name="Fast-forward").click()
    assert bring(alone, 1, 2) == ["advance 0", "advance 1"], "the first of the two was not painted"
    alone.clock.run_for(100)
    assert wishes(alone) == ["advance 0", "advance 1", "advance 2"]


def test_a_stopped_fast_forward_asks_for_nothing_more(alone):
    fast = alone.get_by_role("button", name="Fast-forward")
    fast.click()
    fast.click()
    assert bring(alone, 1) == ["advance 0"]
    alone.clock.run_for(1000)
    assert wishes(alone) == ["advance 0"]


def test_only_a_long_wait_is_told(alone):
    alone.get_by_role("button", name="Fast-forward").click()
    alone.clock.run_for(300)
    assert alone.evaluate(NOTE) == "none"
    alone.clock.run_for(400)
    assert "waiting for the next step" in alone.evaluate(NOTE)
    bring(alone, 1)
    assert alone.evaluate(NOTE) == "none"


def test_the_list_of_requests_stays_where_it_was_scrolled_to(clocked):
    full = recording(Settings(load=24), steps=2)
    html = f"<style>{words.read('words.css')}</style><div class='ex-words'></div>"
    clocked.set_content("<!doctype html><main></main>")
    clocked.evaluate(MOUNT, {"script": words.read("words.js"), "html": html})
    for seen in (full[:1], full):
        clocked.evaluate("(data) => window.bring(data)", {"letters": words.letters(seen), "legend": words.legend()})
        if len(seen) == 1:
            clocked.evaluate("document.querySelector('.ex-letters').scrollTop = 90")
            clocked.wait_for_function("() => document.querySelector('.ex-letters').scrollTop > 0")
            clocked.evaluate("new Promise((seen) => requestIdleCallback(seen))")
    assert clocked.evaluate("document.querySelector('.ex-letters').scrollTop") == 90
