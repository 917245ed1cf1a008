"""What the tests of the stage's pictures share: a stored run is opened, and its slider moved."""

from playwright.sync_api import Page

from expediter.core.trace import StepTrace


def open_stage(page: Page, served, run: str = "sixteen", settle: str = "load") -> StepTrace:
    """Open the page with a run; its first step."""
    page.goto(f"{served[0]}/?run={run}&settle={settle}")
    page.locator(".xp[data-phase]").wait_for()
    return served[1][run][0]


def scrub(page: Page, place: int) -> None:
    """Put the slider on one of its places, counted from the end when negative."""
    page.locator(".xp-scrub").evaluate(
        "(slider, place) => { slider.value = place < 0 ? Number(slider.max) + 1 + place : place;"
        " slider.dispatchEvent(new Event('input', { bubbles: true })); }",
        place,
    )
