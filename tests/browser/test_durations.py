"""The browser's own count of a duration reads like expediter.ui.durations: seconds in the first minute, then minutes and seconds."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from expediter.ui.durations import duration

CSS = (Path(__file__).parents[2] / "assets" / "page.css").read_text(encoding="utf-8")
SAID = """() => {
  const style = getComputedStyle(document.querySelector(".ex-seconds"), "::after");
  const counted = Object.fromEntries([...style.counterReset.matchAll(/(\\S+) (-?\\d+)/g)].map(([, name, value]) => [name, value]));
  return style.content.replace(/counter\\((\\S+?)\\)/g, (_, name) => counted[name]).replaceAll('"', "").replaceAll("  ", " ");
}"""


@pytest.mark.parametrize(("since", "said"), [(0, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (119, "1 min 59 s"), (952, "15 min 52 s")])
def test_the_count_reads_as_minutes_and_seconds(page: Page, since, said):
    page.set_content(f"<style>{CSS} .ex-seconds::after {{ animation-play-state: paused !important; }}</style>"
                     f"<span class='ex-seconds' style='--ex-since: -{since}.5s'></span>")  # fmt: skip
    assert page.evaluate(SAID) == said
    assert said.removesuffix(" 0 s" if since >= 60 else "") == duration(since)
