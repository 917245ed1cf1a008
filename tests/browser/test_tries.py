"""What a click on a suggestion and a link to a term lead to, in a real browser, with dice in place of models."""

import re

import pytest
from playwright.sync_api import Page, expect

FIRST = 180_000  # ms until a fresh server's first page is there, at most


@pytest.fixture
def app(everywhere) -> str:
    return everywhere


def test_a_suggestion_moves_the_control_that_it_is_about(page: Page, app: str):
    page.goto(app)
    page.get_by_role("button", name="Rush hour").click(timeout=FIRST)
    expect(page.get_by_role("slider").first).to_have_value("64")
    expect(page).to_have_url(re.compile(r"[?&]load=64\b"))
    expect(page.get_by_text("64 standing orders before a guess is added")).to_be_visible()


def test_a_link_to_a_term_leads_to_it(page: Page, app: str):
    page.goto(f"{app}/glossary#markov-head")
    expect(page.locator("#markov-head")).to_be_in_viewport(timeout=FIRST)
    expect(page.locator("#markov-head")).to_have_class(re.compile("ex-aimed"))
    page.locator("#survival a").click()
    expect(page.locator("#survival")).to_be_in_viewport()
    expect(page.locator(".ex-aimed")).to_have_count(1)
