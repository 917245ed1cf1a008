"""The story's page, told with dice, as its tests open it."""

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page

from expediter.core.trace import StepTrace
from tests.browser.waits import stop_clock

APP = Path(__file__).with_name("story_app.py")


@dataclass(frozen=True)
class Served:
    url: str
    told: StepTrace


def open_story(page: Page, served: Served, scene: object = 1, *, still: bool = False) -> Locator:
    page.emulate_media(reduced_motion="reduce" if still else "no-preference")
    page.goto(f"{served.url}/the-story?scene={scene}")
    story = page.locator(".sy[data-index]")
    story.wait_for()
    return story


def mark(page: Page, place: int) -> None:
    page.get_by_role("slider", name="How many words go aboard").fill(str(place))


FIRST = """new MutationObserver(() => {
  const story = document.querySelector(".sy[data-index]");
  const said = (name) => document.querySelector(name).textContent;
  window.first ??= story && { ...story.dataset, title: said(".sy-title"), bars: said(".xp-bars-title") };
}).observe(document, { attributes: true, childList: true, subtree: true })"""


def open_and_stop(page: Page, served: Served, scene: object = 1) -> tuple[Locator, dict]:
    """Open a story whose clock then only moves by hand; the story and what it showed first."""
    page.add_init_script(FIRST)
    story = open_story(page, served, scene)
    stop_clock(page)
    return story, page.evaluate("window.first")
