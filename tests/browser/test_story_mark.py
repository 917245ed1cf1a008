"""Predict, then reveal, in a real browser: the reader's mark by mouse, finger and keys, and nothing that hints before."""

import re

from playwright.sync_api import expect

from expediter.ui.captions import rate
from tests.browser.story_page import mark, open_story
from tests.browser.waits import expect_state


def test_the_story_waits_for_the_readers_mark_and_shows_no_curve_before(clocked, served):
    story = open_story(clocked, served, 6)
    clocked.clock.run_for(120_000)
    expect_state(story, index=6, asking="true")
    expect(clocked.locator(".xp-curve")).to_be_hidden()
    expect(clocked.locator(".sy-verdict")).to_be_hidden()


def test_the_readers_mark_keeps_its_name_at_the_edge_of_the_window(page, served):
    named = open_story(page, served, 6, still=True).locator(".xp-bars .sy-line text")
    expect(named).to_be_visible()  # before it is moved
    mark(page, min(served.told.stop + 12, len(served.told.order) - 1))
    page.get_by_role("button", name="Stop here").click()
    expect(named).to_be_visible()
    text, picture = named.bounding_box(), page.locator(".xp-bars svg").bounding_box()
    assert text["x"] + text["width"] <= picture["x"] + picture["width"]


def test_the_readers_mark_is_measured_against_the_expediter(page, served):
    story = open_story(page, served, 6, still=True)
    mark(page, 4)
    page.get_by_role("button", name="Stop here").click()
    expect_state(story, asking="false")
    expect(page.locator(".xp-curve")).to_be_visible()
    path = served.told.path
    verdict = page.locator(".sy-verdict")
    expect(verdict).to_contain_text(f"{rate(path[4])} words/s")
    expect(verdict).to_contain_text(f"{rate(served.told.theta)} words/s")
    expect(page.locator(".sy-point")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect_state(story, asking="true", index=6)


def test_nothing_hints_at_the_answer_and_the_load_is_weighed_meanwhile(page, served):
    open_story(page, served, 6, still=True)
    slider, brings, takes = page.get_by_role("slider"), *page.locator(".sy-meters dd").all()
    path, seconds = served.told.path, served.told.step_seconds
    expect(slider).to_have_value("0")
    for place in (0, 7, len(path) - 1):
        mark(page, place)
        expect(brings).to_have_text(f"{path[place] * seconds[place]:.1f} words on average")
        expect(takes).to_have_text(f"{1000 * seconds[place]:.1f} ms")
        expect(page.locator(".xp-word[data-mine]")).to_have_count(place)
    page.get_by_role("button", name="Stop here").click()
    expect(page.locator(".xp-word[data-mine]")).to_have_count(0)


def test_the_line_is_dragged_along_the_pile(page, served):
    open_story(page, served, 6, still=True)
    box = page.locator(".xp-bars svg").first.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2, steps=4)
    expect(page.locator(".xp-word[data-mine]")).not_to_have_count(0)
    page.mouse.up()
    chosen = int(page.get_by_role("slider").input_value())
    assert 0.6 < chosen / len(served.told.order) < 0.76
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2)
    expect(page.get_by_role("slider")).to_have_value(str(chosen))  # let go


def test_a_finger_marks_the_place_too(browser, served):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    try:
        page = context.new_page()
        open_story(page, served, 6, still=True)
        strip = page.locator(".xp-strip-bed")
        strip.scroll_into_view_if_needed()
        box = strip.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator(".sy-mark-text")).to_contain_text(re.compile(r": (2[6-9]|3[0-4]) of 60"))
        chosen = page.get_by_role("slider").input_value()
        touched = {
            "pointerType": "touch",
            "isPrimary": True,
            "bubbles": True,
            "buttons": 1,
            "clientX": box["x"] + 9,
            "clientY": box["y"] + 9,
        }
        strip.dispatch_event("pointerdown", touched)
        strip.dispatch_event("pointercancel", touched)  # the finger scrolls the page instead
        expect(page.get_by_role("slider")).to_have_value(chosen)
    finally:
        context.close()


def test_a_tap_on_the_pile_marks_the_place(page, served):
    open_story(page, served, 6, still=True)
    bars = page.locator(".xp-bars svg").first
    box = bars.bounding_box()
    bars.click(position={"x": box["width"] * 0.25, "y": box["height"] * 0.5})
    chosen = int(page.get_by_role("slider").input_value())
    assert 0.15 < chosen / len(served.told.order) < 0.32
    expect(page.locator(".sy-mark-text")).to_contain_text(f"{chosen} of {len(served.told.order)}")


def test_the_mark_works_by_keyboard_alone(page, served):
    story = open_story(page, served, 6, still=True)
    slider = page.get_by_role("slider")
    slider.focus()
    before = int(slider.input_value())
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(str(before + 1))
    page.keyboard.press("Enter")
    expect_state(story, asking="false")
    expect(page.locator(".sy-verdict")).to_be_visible()


def test_who_does_not_want_to_guess_is_simply_shown(page, served):
    story = open_story(page, served, 6, still=True)
    page.keyboard.press("ArrowRight")
    expect_state(story, asking="false", index=6)
    expect(page.locator(".sy-verdict")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect_state(story, index=7)
