"""Waiting for states, and a clock that stands still: no browser test depends on how fast the machine is."""

import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

STILL = (
    "() => document.getAnimations().every((motion) => motion.playState !== 'running' || motion.effect.getTiming().iterations === Infinity)"
)
DRAWN = """() => [...document.querySelectorAll(".xp .xp-plot")].every((plot) =>
  Number(plot.querySelector("svg")?.getAttribute("width")) === Math.max(260, Math.round(plot.clientWidth)))"""
NAMED = """() => {
  const stage = document.querySelector(".xp");
  const here = stage.querySelector(".xp-pill[aria-current=step]")?.textContent;
  return stage.querySelector(".xp-spoken").textContent.startsWith(`${here}. `);
}"""


def expect_state(shown: Locator, **facts: object) -> None:
    """A stage or a story says this of itself, in its data- attributes."""
    for name, value in facts.items():
        expect(shown).to_have_attribute(f"data-{name}", str(value))


def still(page: Page) -> None:
    """Every transition and animation that ends has ended."""
    page.wait_for_function(STILL)


def drawn(page: Page) -> None:
    """The stage's views are as wide as their cards: after a change of the window they are drawn anew."""
    page.wait_for_function(DRAWN)


def named(page: Page) -> None:
    """The stage's picture stands still and its parts have their names for reading aloud."""
    page.wait_for_function(NAMED)


def stop_clock(page: Page) -> None:
    """From here on the page's time moves only by `page.clock.run_for`. Needs a page of the fixture `clocked`."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


def run_until(page: Page, reached: Callable[[], bool], most: int = 8000) -> None:
    """Let a stopped clock creep on, at most so many ms, until what comes from the server is there."""
    for _ in range(most // 20):
        if reached():
            return
        page.clock.run_for(20)
        time.sleep(0.1)
    raise AssertionError(f"nothing came within {most} ms of the page's time")
