"""The story in a real browser, told with dice: it plays by itself, can be paused and walked, asks before it shows, keeps nobody out."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from expediter.ui.story_data import SCENES
from expediter.ui.story_steps import hero
from tests.browser.story_page import open_and_stop, open_story
from tests.browser.waits import expect_state
from tests.browser.waits import still as settled


def test_it_plays_on_opening_and_goes_on_by_itself(clocked, served):
    story, first = open_and_stop(clocked, served)
    assert [first[name] for name in ("index", "running", "auto", "part")] == ["1", "true", "true", "0.00"]
    clocked.clock.run_for(45_000)
    expect(story).not_to_have_attribute("data-index", "1")


def test_text_comes_first_then_motion(clocked, served):
    story, first = open_and_stop(clocked, served, 5)
    assert first["part"] == "0.00"
    assert first["title"] == "5. One pile, surest first"
    assert "request by request" in first["bars"]
    clocked.keyboard.press("Space")  # paused, so that the story stays in this scene
    clocked.keyboard.press("ArrowLeft")
    clocked.keyboard.press("ArrowRight")
    clocked.clock.run_for(60_000)
    expect_state(story, index=5, part="1.00")
    expect(clocked.locator(".xp-bars-title")).to_contain_text("surest first")
    expect(clocked.locator(".sy-after")).to_be_visible()


def test_space_pauses_and_goes_on(clocked, served):
    story, _ = open_and_stop(clocked, served)
    clocked.keyboard.press("Space")
    expect_state(story, running="false", auto="false")
    expect(clocked.get_by_role("button", name="Play", exact=True)).to_be_visible()
    clocked.keyboard.press("Space")
    expect_state(story, running="true", auto="true")


def test_arrows_and_dots_walk_through_all_scenes(page, served):
    story = open_story(page, served, still=True)
    page.keyboard.press("ArrowRight")
    expect_state(story, index=2)
    expect(page).to_have_url(re.compile(r"[?&]scene=2\b"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_state(story, index=1)
    for scene in range(SCENES, 0, -1):
        page.get_by_role("button", name=f"Scene {scene}:").click()
        expect_state(story, index=scene)
        expect(page.locator(".sy-dot[aria-current=step]")).to_have_text(str(scene))


@pytest.mark.parametrize(("asked", "scene"), [("99", SCENES), ("-2", 1), ("words", 1), ("4", 4)])
def test_a_scene_in_the_address_is_clamped(page, served, asked, scene):
    story = open_story(page, served, asked, still=True)
    expect_state(story, index=scene)
    expect(page).to_have_url(re.compile(rf"[?&]scene={scene}\b"))


def test_a_reading_goes_through_every_layer_before_a_word_comes_out(clocked, served):
    open_and_stop(clocked, served)
    slats, lit = clocked.locator(".sy-model-big i"), clocked.locator(".sy-model-big i[data-lit=true]")
    expect(clocked.locator(".sy-model-big")).to_contain_text("The big model: 12 layers")
    expect(slats).to_have_count(12)
    expect(lit).to_have_count(0)
    expect(clocked.locator(".sy-proof")).to_be_hidden()
    for _ in range(400):
        if lit.count():
            break
        clocked.clock.run_for(100)
    expect(lit).not_to_have_count(0)
    clocked.keyboard.press("Space")
    clocked.keyboard.press("ArrowRight")
    expect(clocked.locator(".sy-model-small i")).to_have_count(2)


def test_what_a_reading_takes_is_shown_when_the_words_are_there(page, served):
    open_story(page, served, 1, still=True)
    expect(page.locator(".sy-proof")).to_be_visible()
    expect(page.locator(".sy-proof")).to_contain_text("16.2 ms")
    expect(page.locator(".sy-after")).to_contain_text("one word in 13.1")


def test_every_guess_of_the_answer_meets_its_fate(page, served):
    open_story(page, served, 7, still=True)
    request = served.told.requests[hero(served.told)]
    states = [request.fate(j) for j in range(1, len(request.tokens) + 1)]
    own = request.accepted + (request.sent > request.accepted)
    chips = page.locator(".sy-chip[data-here=true]")
    expect(chips).to_have_count(len(states) + 1)
    shown = [chip.get_attribute("data-state") for chip in chips.all()]
    assert shown == [*states[:own], "own", *states[own:]]


def test_rush_hour_shows_both_loads(page, served):
    open_story(page, served, 8, still=True)
    expect(page.locator(".sy-row")).to_have_count(2)
    deepest = max(len(request.tokens) for request in served.told.requests)
    expect(page.locator(".sy-row").first.locator(".sy-parcel[data-made]")).to_have_count(deepest)
    expect(page.locator(".sy-compare")).to_contain_text("64 requests")
    expect(page.locator(".xp-aboard")).to_contain_text("64 standing orders")


def test_reduced_motion_moves_nothing_and_the_reader_advances(clocked, served):
    story = open_story(clocked, served, 4, still=True)
    clocked.clock.run_for(60_000)
    expect_state(story, index=4, running="false", part="1.00")
    expect(clocked.locator(".sy-after")).to_be_visible()
    clocked.keyboard.press("Space")
    expect_state(story, index=5, running="false")


def test_the_last_scene_opens_the_dock_with_the_same_settings(page, served):
    open_story(page, served, SCENES, still=True)
    page.get_by_role("button", name="Open the live dock").click()
    expect(page.get_by_role("heading", name="Loading dock")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"[?&]load={served.told.load}\b"))
    expect(page.get_by_role("slider", name="Server load")).to_have_value(str(served.told.load))


def test_a_story_that_was_left_leaves_the_address_alone(clocked, served):
    open_story(clocked, served)
    clocked.get_by_role("link", name="Loading dock").click()
    expect(clocked.get_by_role("heading", name="Loading dock")).to_be_visible()
    clocked.clock.run_for(60_000)
    assert "scene=" not in clocked.url
    clocked.keyboard.press("Space")
    expect(clocked.locator(".xp[data-revision]")).to_have_count(1)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_nothing_keeps_anyone_out(page, served, width, scheme):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    open_story(page, served, 1, still=True)
    found = {}
    for scene in range(1, SCENES + 1):
        page.get_by_role("button", name=f"Scene {scene}:").click()
        settled(page)
        page.wait_for_function("(width) => document.documentElement.scrollWidth <= width", arg=width)
        found[scene] = [(v["id"], [node["html"][:120] for node in v["nodes"]]) for v in Axe().run(page).response["violations"]]
        if scene == 6:
            page.get_by_role("button", name="Stop here").click()
            settled(page)
            found["stop"] = [(v["id"], [node["html"][:120] for node in v["nodes"]]) for v in Axe().run(page).response["violations"]]
    assert not {scene: violations for scene, violations in found.items() if violations}
