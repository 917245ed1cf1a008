"""Bumpy roads in a real browser, with dice in place of models: charts, an own table carried to the dock, accessibility, a phone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.waits import still

STREAMLITS = {"presentation-role-conflict"}  # minor, in Streamlit's own file field


@pytest.fixture
def app(dice) -> str:
    return dice


def open_roads(page: Page, app: str, query: str = "") -> None:
    page.goto(f"{app}/bumpy-roads?{query}")
    expect(page.get_by_role("heading", name="Bring your own table")).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()


def bring(page: Page, table: str) -> None:
    page.get_by_label("Table as text").fill(table)
    page.get_by_label("Table as text").blur()
    page.get_by_role("button", name="Put it on the road").click()


def test_a_named_case_is_linked_by_its_address(page, app):
    open_roads(page, app, "case=staircase-traps-early-stop")
    expect(page.get_by_text("Caught at a dip: behind its stop")).to_be_visible()
    page.get_by_role("button", name="A flat table").click()
    expect(page).to_have_url(re.compile(r"[?&]case=flat-table-verifies-everything\b"))
    expect(page.get_by_text("This table says that size costs nothing")).to_be_visible()


def test_an_own_table_is_read_and_becomes_the_road(page, app):
    open_roads(page, app)
    bring(page, "batch,ms\n16,10\n32,11\n96,40")
    expect(page.get_by_text("Read: 3 sizes, from batch 16 to 96")).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]road=own\b"))


def test_two_tabs_keep_their_own_tables_through_a_reload(page, app):
    second = page.context.new_page()
    for tab, last in ((page, 40), (second, 80)):
        open_roads(tab, app)
        bring(tab, f"batch,ms\n16,10\n32,11\n{last},{last}")
        expect(tab.get_by_text(f"Read: 3 sizes, from batch 16 to {last}")).to_be_visible()
    for tab, last in ((page, 40), (second, 80)):
        tab.reload()
        expect(tab.get_by_text(f"The table ends at batch {last};")).to_be_visible()
        expect(tab).to_have_url(re.compile(r"[?&]own=[0-9a-f]{12}\b"))
    second.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_a_readers_way(page, app, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    open_roads(page, app, "road=published-gpu")
    still(page)
    violations = Axe().run(page).response["violations"]
    assert [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in violations if v["id"] not in STREAMLITS] == []
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
