"""How soon a drag of the server load is on the screen: `python -m tests.benchmarks.drag_speed`. No test: it wants a quiet machine.

A real browser drags the slider with the mouse to random loads. The clock runs in the page, from letting go to the frame that shows the
new step; the time that the models took for that step, reading fresh prompts included, is taken off.
"""

import argparse
import random
import statistics
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from expediter.core.settings import DEFAULT_PAIR
from tests.browser.conftest import FLAGS, ROOT, chromium, streamlit

GOAL = 300  # ms
LEAST, MOST = 1, 64
# A frame is painted when a task that was asked for inside it runs.
WATCH = """() => {
  const stage = document.querySelector(".xp[data-revision]");
  addEventListener("pointerup", () => { window.drag = { let_go: performance.now() }; }, true);
  new MutationObserver(() => requestAnimationFrame(() => {
    const task = new MessageChannel();
    task.port1.onmessage = () => window.drag && Object.assign(window.drag, {
      painted: performance.now(), models: Number(stage.dataset.spent), load: Number(stage.dataset.batch) - Number(stage.dataset.admitted),
    });
    task.port2.postMessage(0);
  })).observe(stage, { attributeFilter: ["data-revision"] });
}"""

# Where the slider's thumb and its track are: the thumb is what stands at so many per cent of the track.
BOXES = """(input) => {
  let thumb = input;
  while (!thumb.style.left.endsWith("%")) thumb = thumb.parentElement;
  return [thumb, thumb.parentElement].map((part) => part.getBoundingClientRect().toJSON());
}"""


@dataclass(frozen=True, slots=True)
class Drag:
    """One drag. Times in ms."""

    load: int
    whole: float  # from letting go to the new picture
    models: float  # of which the models' own

    @property
    def ours(self) -> float:
        """What the page adds to the models' time."""
        return self.whole - self.models


def drag(page: Page, load: int) -> Drag:
    """Drag the thumb from where it is to this load and wait for the picture."""
    slider = page.get_by_role("slider", name="Server load")
    thumb, track = slider.evaluate(BOXES)
    y = thumb["y"] + thumb["height"] / 2
    page.mouse.move(thumb["x"] + thumb["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * (load - LEAST) / (MOST - LEAST), y, steps=6)
    aimed = int(slider.input_value())
    page.mouse.up()
    page.wait_for_function("window.drag?.painted")
    seen = page.evaluate("window.drag")
    assert seen["load"] == aimed, f"the slider says {aimed}, the picture {seen['load']}"
    return Drag(aimed, seen["painted"] - seen["let_go"], seen["models"])


def percentile(values: list[float], share: float) -> float:
    """Linear between ranks."""
    return statistics.quantiles(values, n=100, method="inclusive")[round(100 * share) - 1]


def measure(page: Page, url: str, pair: str, drags: int, pause: float) -> list[Drag]:
    """So many drags on the live dock, one at a time; the first few only warm up."""
    page.goto(f"{url}/?pair={pair}&load=16&depth=5&temperature=0.8")
    expect(page.locator(".ex-state")).to_contain_text(
        "Live: these models run", timeout=600_000
    )  # the first time, the step rate is measured before
    page.wait_for_function("document.querySelector('.xp')?.dataset.spent !== undefined")
    page.evaluate(WATCH)
    rng, seen = random.Random(1), []
    for turn in range(drags + 5):
        here = int(page.get_by_role("slider", name="Server load").input_value())
        page.evaluate("window.drag = undefined")
        seen.append(drag(page, rng.choice([load for load in range(LEAST, MOST + 1) if abs(load - here) > 2])))
        page.wait_for_timeout(1000 * pause)
        print(f"\r{turn + 1} of {drags + 5}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return seen[5:]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pair", default=DEFAULT_PAIR)
    parser.add_argument("--drags", type=int, default=60)
    parser.add_argument("--pause", type=float, default=0.3, help="seconds between two drags")
    parser.add_argument("--url", help="measure this running app instead of starting one")
    options = parser.parse_args()
    with sync_playwright() as playwright, _served(options.url) as url:
        browser = playwright.chromium.launch(executable_path=chromium(playwright), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(120_000)
        seen = measure(page, url, options.pair, options.drags, options.pause)
        browser.close()
    ours = [one.ours for one in seen]
    for name, values in (
        ("from letting go to the picture", [one.whole for one in seen]),
        ("the models' own time", [one.models for one in seen]),
        ("the rest", ours),
    ):
        print(f"{name:32s} median {statistics.median(values):5.0f} ms, 95th percentile {percentile(values, 0.95):5.0f} ms")
    for low, high in ((1, 16), (17, 40), (41, 64)):
        part = [one.ours for one in seen if low <= one.load <= high]
        if part:
            print(
                f"  at loads {low:2d} to {high:2d}: median {statistics.median(part):5.0f} ms, most {max(part):5.0f} ms, {len(part)} drags"
            )
    print(f"{'within' if percentile(ours, 0.95) <= GOAL else 'NOT within'} {GOAL} ms at the 95th percentile of {len(seen)} drags")


def _served(url: str | None) -> AbstractContextManager[str]:
    return nullcontext(url) if url else streamlit(Path(ROOT / "app.py"))


if __name__ == "__main__":
    main()
