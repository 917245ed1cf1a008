"""Whoever looks at the stage can read it: nothing is clipped, nothing keeps anyone out, what stands still is read aloud."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from expediter.core.trace import StepTrace
from tests.browser.clipped import CLIPPED
from tests.browser.stage_page import open_stage, scrub
from tests.browser.waits import drawn, named

RUNS = ("one", "sixteen", "full", "fixed", "threshold", "all", "dip", "off", "resting")


@pytest.fixture
def served(stages) -> tuple[str, dict[str, list[StepTrace]]]:
    return stages


@pytest.mark.parametrize("run", RUNS)
def test_nothing_is_clipped_or_covered_and_heights_stand_still(page, served, run: str):
    open_stage(page, served, run)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        drawn(page)
        heights = set()
        for place in (0, 1, 3, 6, -3, -1):
            scrub(page, place)
            assert page.evaluate(CLIPPED) == []
            heights.add(page.locator(".xp").bounding_box()["height"])
        assert len(heights) == 1
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anyone_out(page, served, scheme: str):
    page.emulate_media(color_scheme=scheme)
    open_stage(page, served)
    for place in (1, -2, -1):
        scrub(page, place)
        named(page)
        found = Axe().run(page, context=".xp").response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []


def test_what_stands_still_is_read_aloud(page, served):
    trace = open_stage(page, served)
    expect(page.locator(".xp-spoken")).to_contain_text("So loading stops here.")
    expect(page.locator(".xp-curve svg")).to_have_attribute("aria-label", re.compile(f"Stop: .* at batch {trace.batch}"))
    expect(page.locator(".xp-van svg")).to_have_attribute("aria-label", re.compile(f"{trace.stop} parcels"))


def test_touch_targets_are_large_enough_on_a_phone(page, served):
    page.set_viewport_size({"width": 390, "height": 844})
    open_stage(page, served)
    for control in page.locator(".xp-button, .xp-pill, .xp-scrub, .xp-speed-choice").all():
        assert control.bounding_box()["height"] >= 44


def test_the_van_has_somebody_at_the_wheel(page, served):
    open_stage(page, served)
    expect(page.locator(".xp-van .xp-driver")).to_have_count(1)
