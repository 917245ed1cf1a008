"""While a component's script loads, Streamlit can call it with the newer data first. The newer picture must stay."""

import pytest
from playwright.sync_api import Page, expect

from expediter.core.settings import Settings
from expediter.ui import stage, words
from expediter.ui.stage_data import payload
from tests.fakes import recording

OLD, NEW = recording(Settings(load=2), steps=2)

CALL = """async ({ script, calls }) => {
  const module = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const parentElement = document.querySelector("main");
  const ends = calls.map((data) => module.default({ data, parentElement, setTriggerValue: () => {} }));
  window.end = (call) => ends[call]();
}"""


def words_data(*seen) -> dict:
    return {"letters": words.letters(seen), "legend": words.legend()}


def mount(page: Page, html: str, script: str, calls: list[dict]) -> None:
    """Call a component's script as Streamlit does, once for each of the data, on a clock that the test moves."""
    page.set_content(f"<!doctype html><main>{html}</main>")
    page.evaluate(CALL, {"script": script, "calls": calls})


@pytest.fixture
def stage_script() -> str:
    return "\n".join(stage._read(f"{name}.js") for name in stage.SCRIPTS)


def test_the_stage_keeps_the_newer_picture(clocked, stage_script):
    old, new = payload(OLD, revision="old"), payload(NEW, revision="new")
    mount(clocked, stage._read("stage.html"), stage_script, [new, old])
    clocked.evaluate("window.end(1)")  # Streamlit ends the stale call as soon as it returns
    clocked.clock.run_for(1000)
    expect(clocked.locator(".xp")).to_have_attribute("data-revision", "new")


def test_the_stage_goes_on_when_the_calls_come_in_order(clocked, stage_script):
    old, new = payload(OLD, revision="old"), payload(NEW, revision="new")
    mount(clocked, stage._read("stage.html"), stage_script, [old, new])
    clocked.evaluate("window.end(0)")
    clocked.clock.run_for(1000)
    expect(clocked.locator(".xp")).to_have_attribute("data-revision", "new")


@pytest.mark.parametrize(("order", "stale"), [(("new", "old"), 1), (("old", "new"), 0)])
def test_the_words_stay_the_newer_ones(clocked, order, stale):
    data = {"old": words_data(OLD), "new": words_data(OLD, NEW)}
    mount(clocked, "<div class='ex-words'></div>", words.read("words.js"), [data[name] for name in order])
    clocked.evaluate(f"window.end({stale})")
    clocked.clock.run_for(1000)
    told = clocked.locator(".ex-letter").first.locator(".ex-newest [data-request]").all_text_contents()
    newest = [piece for piece in data["new"]["letters"][0]["pieces"] if not piece["kind"].startswith("past")]
    assert len(told) == len(newest)
    assert all(piece["text"].strip() in text for piece, text in zip(newest, told, strict=True))
