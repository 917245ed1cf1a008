"""What a test does on the dock's page."""

from playwright.sync_api import Page, expect


def open_dock(page: Page, dock: str, query: str = "") -> None:
    """Open the page and wait for its first picture."""
    page.goto(f"{dock}/?{query}")
    page.wait_for_selector(".xp[data-revision]")


def go_live(page: Page, dock: str, query: str = "") -> None:
    """Open the page and wait until the models have taken over."""
    open_dock(page, dock, query)
    expect(page.locator(".ex-state")).to_contain_text("Live: these models run")
    expect(page.locator(".xp-note")).to_contain_text("live")


def revision(page: Page) -> str:
    return page.locator(".xp[data-revision]").get_attribute("data-revision")


def expect_new_picture(page: Page, old: str) -> None:
    expect(page.locator(".xp[data-revision]")).not_to_have_attribute("data-revision", old)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def choose(page: Page, label: str, option: str) -> None:
    """Pick from one of Streamlit's select boxes."""
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option).click()


def slide(page: Page, key: str = "ArrowRight") -> None:
    page.get_by_role("slider", name="Server load").press(key)


def fast_forward(page: Page, steps: int) -> None:
    """Fast-forward over so many steps and stop; the last picture has arrived."""
    press(page, "Fast-forward")
    page.wait_for_function("(steps) => Number(document.querySelector('.xp').dataset.step) >= steps", arg=steps)
    press(page, "Fast-forward")
    expect(page.locator(".xp[data-mode=paused][data-waiting=false]")).to_have_count(1)
