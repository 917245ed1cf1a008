"""A card's HTML: escaped, with nothing that was not measured, and with words for what is drawn."""

import json
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from expediter.ui import garage_cards
from expediter.ui.garage_data import STATES
from tests.ui.garage_case import WAITING, card

TEXT = json.loads((Path(__file__).parents[2] / "assets" / "garage.json").read_text(encoding="utf-8"))


def whole(one) -> str:
    return (
        garage_cards.head(one, TEXT)
        + garage_cards.figures(one, TEXT)
        + garage_cards.facts(one, 16, TEXT)
        + garage_cards.everything(one, TEXT)
    )


@pytest.mark.parametrize("state", STATES)
def test_every_state_has_a_mark_a_name_and_a_meaning(state):
    html = garage_cards.head(card(state=state), TEXT)
    assert all(escape(TEXT["states"][state][part]) in html for part in ("mark", "name", "about"))


def test_words_of_a_pair_are_never_markup():
    info = replace(card().info, title="<b>T</b>", about="<i>a</i>", folder=Path("<u>"))
    html = whole(replace(card(), info=info, kin=("<s>kin</s>",)))
    assert not any(tag in html for tag in ("<b>T", "<i>a", "<u>", "<s>"))


def test_an_uncalibrated_unmeasured_pair_shows_no_number_for_either():
    html = garage_cards.figures(card(figures=None, table=None), TEXT)
    assert html.count("<b>–</b>") == 2
    assert "ex-spark" not in html
    assert TEXT["facts"]["honesty"] not in garage_cards.facts(card(figures=None), 16, TEXT)


def test_a_pair_that_is_not_there_has_no_speed():
    assert garage_cards.figures(card(state="missing", target=WAITING), TEXT) == ""


def test_the_bars_are_told_in_words():
    assert "role='img' aria-label='Guesses 1 to 2 pass, if all before them did: 66 %, 50 %.'" in garage_cards.figures(card(), TEXT)


def test_everything_is_there_by_position():
    html = garage_cards.everything(card(kin=("Pocket · cheap",)), TEXT)
    assert "<tr><th scope='row'>2</th><td>50 %</td><td>3.0</td><td>70 %</td></tr>" in html
    assert "Pocket · cheap" in html
    assert card().table.fingerprint in html
    assert "2.0 words a step" in html
