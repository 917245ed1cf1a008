"""A page that is loaded anew, in the middle of a job and after its end, loses neither the job nor its result. With dice for models."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

APP = Path(__file__).with_name("answers_app.py")


@pytest.fixture(scope="module")
def gate(tmp_path_factory) -> Path:
    """While this file is missing, a run goes on."""
    return tmp_path_factory.mktemp("gate") / "open"


@pytest.fixture(scope="module")
def app(serve, gate, tmp_path_factory) -> Iterator[str]:
    with serve(APP, ANSWERS_GATE=str(gate), EXPEDITER_CACHE=str(tmp_path_factory.mktemp("cache"))) as url:
        yield url


def opened(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_role("button", name="Run both here")).to_be_visible()


def test_a_job_outlives_its_page_in_the_middle_and_at_its_end(page, app, gate):
    opened(page, app)
    page.get_by_role("button", name="Run both here").click()
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_accessible_name(re.compile("of 4"))
    expect(page).to_have_url(re.compile("format=float32"))
    expect(page.get_by_text("before this page was loaded anew")).to_have_count(0)

    page.reload()
    expect(bar).to_have_accessible_name("3 of 4")
    expect(page.get_by_text("before this page was loaded anew")).to_be_visible()
    expect(page.get_by_text("So far:")).to_be_visible()
    expect(page.get_by_role("button", name="Run both here")).to_be_disabled()

    gate.touch()
    expect(page.get_by_text("140 words compared")).to_be_visible()
    expect(bar).to_have_count(0)
    page.reload()
    expect(page.get_by_text("140 words compared")).to_be_visible()
    expect(page.get_by_text("Run here just now").or_(page.get_by_text("minutes ago on")).first).to_be_visible()


def test_a_tab_with_other_choices_is_told_of_the_result_and_led_to_it(page, app, gate):
    gate.touch()
    opened(page, app)
    page.get_by_role("button", name="Run both here").click()
    expect(page.get_by_text("140 words compared")).to_be_visible()
    opened(page, f"{app}/?format=bfloat16")
    expect(page.get_by_text("for other choices than those above")).to_be_visible()
    expect(page.get_by_text("140 words compared")).to_have_count(0)
    page.get_by_role("link", name="Show it").click()
    expect(page.get_by_text("140 words compared")).to_be_visible()
    expect(page).to_have_url(re.compile("format=float32"))
