"""Leaving a page by a button while a part of it looks again by itself."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

APP = Path(__file__).with_name("leaving_app.py")
AGAIN = re.compile(r"looked ([5-9]|\d\d+) times")


@pytest.fixture(scope="module")
def app(serve):
    with serve(APP) as url:
        yield url


@pytest.mark.parametrize("time", range(3))
def test_the_other_page_stays_when_the_first_one_asks_for_its_part_until_it_is_gone(page, app, time):
    page.goto(app)
    expect(page.get_by_text(AGAIN)).to_be_visible()
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Second")).to_be_visible()
    expect(page.get_by_text(AGAIN)).to_be_visible()
    expect(page.get_by_text("all there")).to_be_visible()
