"""What every page begins with reaches the browser whole."""

import re
from pathlib import Path

import pytest

from expediter.ui.page import ASSETS, page_words
from expediter.ui.theme import STATES

SHEETS = [ASSETS / name for name in ("page.css", "same_answer.css")]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_sheet_holds_what_a_sanitizer_takes_for_markup(sheet):
    """One "<" followed by a letter, even inside a string, and the whole sheet is thrown away: every page then stands without styles."""
    assert not re.search(r"<[/\w!]", sheet.read_text(encoding="utf-8"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_every_colour_that_a_sheet_uses_is_one_of_the_words(sheet):
    used = set(re.findall(r"var\(--xp-([a-z]+)\)", sheet.read_text(encoding="utf-8")))
    assert used <= set(STATES)


def test_a_page_is_called_as_the_navigation_calls_it():
    app = (Path(__file__).parents[2] / "app.py").read_text(encoding="utf-8")
    named = dict(re.findall(r'st\.Page\("pages/([\w-]+)\.py", title="([^"]+)"', app))
    assert len(named) == 10
    words = {stem: "story" if stem == "the-story" else stem.replace("-", "_") for stem in named}
    assert {stem: page_words(words[stem])["title"] for stem in named} == named
