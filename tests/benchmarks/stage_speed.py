"""How fast the stage plays and how fast it runs ahead: `python -m tests.benchmarks.stage_speed`. No test: it wants a quiet machine.

A real browser on the live dock. Fast-forward: every new step is counted in the page, at the frame that shows it, for some seconds. Play:
the clock runs in the page from a step's first frame to the next step's, and from each caption to the first movement under it.
"""

import argparse
import statistics
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from expediter.core.settings import DEFAULT_PAIR
from tests.browser.conftest import FLAGS, ROOT, chromium, streamlit

STEPS_A_SECOND = 5  # the goal at load 16
SECONDS_A_STEP = (6, 10)  # the goal of Play at 1×
CAPTION = 1.0  # seconds that a caption stands before anything moves

# Every new picture, at the frame that shows it, with the models' own time for it. A picture that no frame showed is not counted.
COUNT = """() => {
  const stage = document.querySelector(".xp[data-revision]");
  window.steps = [];
  new MutationObserver(() => requestAnimationFrame(() => {
    const step = Number(stage.dataset.step);
    if (window.steps.at(-1)?.step !== step) window.steps.push({ at: performance.now(), step, models: Number(stage.dataset.spent) });
  })).observe(stage, { attributeFilter: ["data-revision"] });
}"""

# When each caption came, and when the picture under it first changed.
PLAYED = """() => {
  const stage = document.querySelector(".xp[data-revision]");
  const picture = () => [...stage.querySelectorAll(".xp-plot svg")].map((svg) => svg.innerHTML).join("");
  window.phases = [];
  let [phase, step, still] = ["", "", ""];
  const watch = () => {
    const [now, seen] = [performance.now(), picture()];
    if (stage.dataset.phase !== phase || stage.dataset.step !== step) {
      [phase, step, still] = [stage.dataset.phase, stage.dataset.step, seen];
      window.phases.push({ step: Number(step), phase, at: now, moved: null });
    } else if (seen !== still && window.phases.at(-1).moved === null) window.phases.at(-1).moved = now;
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}"""


def open_dock(page: Page, url: str, pair: str, load: int) -> None:
    """The live dock at this load; the first time, its step rate is measured before."""
    page.goto(f"{url}/?pair={pair}&load={load}")
    expect(page.locator(".ex-state")).to_contain_text("Live: these models run", timeout=600_000)
    page.wait_for_function("document.querySelector('.xp')?.dataset.spent !== undefined")


def fast_forward(page: Page, seconds: float) -> tuple[float, float]:
    """Steps a second in the browser, and the share of that time that the models took."""
    page.evaluate(COUNT)
    page.get_by_role("button", name="Fast-forward").click()
    page.wait_for_timeout(1000 * seconds)
    seen = page.evaluate("window.steps")
    page.get_by_role("button", name="Fast-forward").click()
    assert len(seen) > 1, "Fast-forward brought fewer than two steps"
    assert all(one["step"] < other["step"] for one, other in pairwise(seen)), "a step was shown twice"
    took = seen[-1]["at"] - seen[0]["at"]  # ms
    return 1000 * (len(seen) - 1) / took, sum(one["models"] for one in seen[1:]) / took


def played(page: Page, steps: int) -> tuple[list[float], list[float]]:
    """Seconds that Play took for each step, and from each caption to its motion."""
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".xp")).to_have_attribute("data-ms", "0")
    page.evaluate(PLAYED)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("(steps) => new Set(window.phases.map((one) => one.step)).size > steps", arg=steps, timeout=60_000 * steps)
    page.get_by_role("button", name="Pause").click()
    seen = page.evaluate("window.phases")
    begins = [one["at"] for one in seen if one["phase"] == "draft"]
    whole = [(after - before) / 1000 for before, after in pairwise(begins)]
    return whole, [(one["moved"] - one["at"]) / 1000 for one in seen if one["moved"] is not None]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pair", default=DEFAULT_PAIR)
    parser.add_argument("--load", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=20, help="how long to run ahead")
    parser.add_argument("--steps", type=int, default=2, help="how many steps to play")
    parser.add_argument("--url", help="measure this running app instead of starting one")
    options = parser.parse_args()
    with sync_playwright() as playwright, _served(options.url) as url:
        browser = playwright.chromium.launch(executable_path=chromium(playwright), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(120_000)
        open_dock(page, url, options.pair, options.load)
        pace, models = fast_forward(page, options.seconds)
        whole, waits = played(page, options.steps)
        browser.close()
    print(
        f"Fast-forward at load {options.load}: {pace:.1f} steps a second, goal {STEPS_A_SECOND}; the models took {models:.0%} of the time"
    )
    low, high = SECONDS_A_STEP
    print(f"Play at 1×: {statistics.median(whole):.1f} s a step, goal {low} to {high}")
    print(f"From a caption to its motion: {min(waits):.2f} s at least, goal {CAPTION}")


def _served(url: str | None) -> AbstractContextManager[str]:
    return nullcontext(url) if url else streamlit(Path(ROOT / "app.py"))


if __name__ == "__main__":
    main()
