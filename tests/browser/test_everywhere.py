"""What holds on every page of the navigation: accessible in light and dark, no wider than a phone, no trap for the keyboard, no request
that leaves this machine. One server and one tab for all pages; a page that is added to app.py is tested with the rest."""

import ast
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.waits import still

ROOT = Path(__file__).parents[2]
WAIT = 60_000  # ms
STREAMLITS = {"presentation-role-conflict"}  # minor, in Streamlit's own file field
TABS = 250  # presses of Tab that reach the end of any page

# Everything that a keyboard can reach by Tab alone and that a reader can see: what Streamlit keeps for the mouse is out of the tab order.
OPERATED = "button, a[href], input, select, textarea, summary, [role=combobox]"
REACHABLE = """(operated) => [...document.querySelectorAll(`[data-testid=stMain] :is(${operated})`)]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]"))
  .map((one) => { one.dataset.reachable = ""; return one; }).length"""
ARRIVED = "() => { const here = document.activeElement; delete here.dataset.reachable; return here.closest('.sh') !== null; }"
MISSED = "() => [...document.querySelectorAll('[data-reachable]')].map((one) => one.outerHTML.slice(0, 160))"


def addresses() -> list[str]:
    """The pages of app.py by their address, as its source lists them; the first one is at the root."""
    calls = [node for node in ast.walk(ast.parse((ROOT / "app.py").read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    paths = [call.args[0].value for call in calls if ast.unparse(call.func) == "st.Page"]
    return ["" if number == 0 else Path(path).stem for number, path in enumerate(paths)]


@pytest.fixture(scope="module")
def tab(everywhere, browser: Browser) -> Iterator[Page]:
    """One tab for all pages, as narrow as a phone, with the addresses that it asks for kept in `asked`."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", base_url=everywhere)
    opened, opened.asked, opened.errors = (page := context.new_page()), [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    context.close()


def open_page(tab: Page, address: str) -> None:
    """Open a page in light and wait until it is drawn: its last element is the row beneath it."""
    tab.emulate_media(color_scheme="light")
    tab.goto(f"/{address}")
    expect(tab.get_by_role("button", name="Copy link")).to_be_visible(timeout=WAIT)
    if not address:
        expect(tab.locator(".xp-note")).to_contain_text("live", timeout=WAIT)
    settled(tab)


def settled(tab: Page) -> None:
    """No script runs, nothing moves and nothing has failed."""
    expect(tab.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=WAIT)
    expect(tab.get_by_test_id("stException")).to_have_count(0)
    still(tab)


def violations(tab: Page) -> list:
    found = Axe().run(tab).response["violations"]
    return [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found if one["id"] not in STREAMLITS]


@pytest.mark.parametrize("address", addresses())
def test_a_page_keeps_nobody_out(tab: Page, address: str):
    open_page(tab, address)
    assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, "a phone scrolls sideways"
    assert violations(tab) == []
    walk(tab)
    tab.emulate_media(color_scheme="dark")
    expect(tab.get_by_test_id("stApp")).to_have_css("color-scheme", "dark")
    settled(tab)
    assert violations(tab) == [], "in dark"
    assert tab.errors == []
    outside = [url for url in tab.asked if urlsplit(url).hostname not in ("127.0.0.1", None)]
    assert outside == []


def test_words_stay_dark_while_the_page_works(tab: Page):
    open_page(tab, "glossary")
    stale = tab.locator("[data-testid=stElementContainer]:has(.ex-promise)").first
    stale.evaluate("(box) => { box.dataset.stale = 'true'; box.style.opacity = '0.33'; }")
    expect(stale).to_have_css("opacity", "1")


def walk(tab: Page) -> None:
    """Tab from the top of the page to the row beneath it, past everything that can be operated."""
    tab.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    assert tab.evaluate(REACHABLE, OPERATED) > 0
    for _ in range(TABS):
        tab.keyboard.press("Tab")
        if tab.evaluate(ARRIVED):
            break
    else:
        raise AssertionError(f"{TABS} presses of Tab did not reach the row beneath the page")
    while tab.evaluate(ARRIVED):
        tab.keyboard.press("Tab")
    assert tab.evaluate(MISSED) == []
