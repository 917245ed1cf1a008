"""Three machines in a real browser, with dice in place of models: on to the pair with a Markov head, another block, and on a phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from expediter.core.settings import DEFAULT_PAIR
from tests.machine_case import write

APP = Path(__file__).with_name("machines_app.py")
FIRST = 180_000  # ms until a fresh server's first page is there, at most


@pytest.fixture(scope="module")
def app(serve, tmp_path_factory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("machines")
    write(folder, DEFAULT_PAIR)
    write(folder, "mini-good", head=True)
    (folder / "config.json").write_text('{"kind": "dspark"}')
    with serve(APP, MACHINES=str(folder)) as url:
        yield url


def test_the_head_is_switched_off_on_the_pair_that_has_one(page: Page, app: str):
    page.goto(f"{app}/three-machines")
    page.get_by_role("button", name="Switch to Mini").click(timeout=FIRST)
    expect(page).to_have_url(re.compile(r"[?&]pair=mini-good\b"))
    expect(page.get_by_text("Head off")).to_be_visible()
    expect(page.locator(".ex-differs")).to_have_count(2)
    page.get_by_text("Code", exact=True).click()
    expect(page).to_have_url(re.compile(r"[?&]block=code\b"))
    expect(page.get_by_text("adds two numbers")).to_be_visible()


def test_on_a_phone_both_drafts_of_a_block_wrap_alike(page: Page, app: str):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/three-machines?pair=mini-good")
    expect(page.locator(".ex-chip")).to_have_count(10, timeout=FIRST)
    left = page.evaluate("[...document.querySelectorAll('.ex-chip')].map((one) => Math.round(one.getBoundingClientRect().left))")
    assert left[:5] == left[5:]
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
