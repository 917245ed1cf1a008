"""The story in a real browser, told with dice: it plays by itself, can be paused and walked, asks before it shows, keeps nobody out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from expediter.core.settings import DEFAULT_PAIR
from expediter.core.trace import StepTrace, save
from expediter.ui.captions import rate
from expediter.ui.story_data import SCENES
from expediter.ui.story_steps import hero, telling
from tests.browser.stage_runs import run
from tests.browser.waits import still as settled
from tests.browser.waits import stop_clock

APP = Path(__file__).with_name("story_app.py")


@dataclass(frozen=True)
class Served:
    url: str
    told: StepTrace


@pytest.fixture(scope="module")
def served(serve, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("runs")
    quiet = run(load=12)
    save(folder / f"{DEFAULT_PAIR}.json", quiet, "dice")
    save(folder / "rush-hour.json", run(load=64), "dice")
    with serve(APP, STORY_RUNS=str(folder)) as url:
        yield Served(url, telling(quiet))


def open_story(page: Page, served: Served, scene: object = 1, *, still: bool = False) -> Locator:
    page.emulate_media(reduced_motion="reduce" if still else "no-preference")
    page.goto(f"{served.url}/the-story?scene={scene}")
    story = page.locator(".sy[data-index]")
    story.wait_for()
    return story


def expect_state(story: Locator, **facts: object) -> None:
    for name, value in facts.items():
        expect(story).to_have_attribute(f"data-{name}", str(value))


def mark(page: Page, place: int) -> None:
    page.get_by_role("slider", name="How many words go aboard").fill(str(place))


FIRST = """new MutationObserver(() => {
  const story = document.querySelector(".sy[data-index]");
  const said = (name) => document.querySelector(name).textContent;
  window.first ??= story && { ...story.dataset, title: said(".sy-title"), bars: said(".xp-bars-title") };
}).observe(document, { attributes: true, childList: true, subtree: true })"""


def open_and_stop(page: Page, served: Served, scene: object = 1) -> tuple[Locator, dict]:
    """Open a story whose clock then only moves by hand; the story and what it showed first."""
    page.add_init_script(FIRST)
    story = open_story(page, served, scene)
    stop_clock(page)
    return story, page.evaluate("window.first")


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
