"""What the Garage reads off the shipped pairs' folders, and the states that it tells apart. No model is loaded for any of it."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st

from expediter.core import cache
from expediter.core.pairs import listed, user_models, user_pairs
from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import live
from expediter.ui.garage_data import LOADS, cards, speed
from expediter.ui.live import Progress
from tests.fakes import PAIRS, FakeSource, profile

LOOK = """
import sys
from expediter.core.pairs import listed
from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import garage, garage_compare, garage_form
from expediter.ui.garage_data import cards
assert all(card.speeds and card.figures for card in cards(listed(), DEFAULT_PAIR, 0.8) if card.state != "missing")
assert not {"torch", "transformers"} & set(sys.modules), "the first paint would wait for them"
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """No pair is loaded, and the cache is empty."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(live, "source", FakeSource)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def test_every_shipped_pair_has_all_that_a_card_tells():
    found = {card.info.name: card for card in cards(listed(), DEFAULT_PAIR, 0.8)}
    for name in ("pocket-dspark", "pocket-good", "pocket-cheap", "mini-good"):
        card = found[name]
        assert [one.load for one in card.speeds] == list(LOADS)
        assert card.target.size
        assert card.draft.size
        assert card.disk > card.target.size.weights + card.draft.size.weights
        assert card.table.source == "recorded on another machine"
        assert card.figures.blocks > 1000
        assert card.chosen is (name == DEFAULT_PAIR)
    assert found[DEFAULT_PAIR].kin != ()
    assert found["mini-good"].kin == ()


def test_the_page_is_painted_without_torch():
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize(
    ("progress", "state", "loaded"),
    [
        (Progress("idle"), "idle", False),
        (Progress("loading"), "loading", False),
        (Progress("live", 0.3), "measuring", True),
        (Progress("live"), "live", True),
        (Progress("failed", problem="no"), "failed", False),
    ],
)
def test_a_state_says_what_the_pair_does(progress, state, loaded):
    live.live_pair(PAIRS[0].name).progress = progress
    card = cards([PAIRS[0]], DEFAULT_PAIR, 0.0)[0]
    assert (card.state, card.loaded, card.problem) == (state, loaded, progress.problem)


def test_a_pair_that_waits_names_what_to_fetch():
    waiting = replace(PAIRS[0], target=user_models() / "smollm2-135m", missing="Fetch it.")
    card = cards([waiting], "", 0.0)[0]
    assert (card.state, card.problem, card.speeds) == ("missing", "Fetch it.", ())
    assert card.to_fetch.name == "smollm2-135m"
    gone = replace(PAIRS[0], missing="Put it back.")
    assert cards([gone], "", 0.0)[0].to_fetch is None


def test_a_pair_of_ones_own_is_known_by_where_it_lies():
    assert cards([replace(PAIRS[0], folder=user_pairs() / "mine")], "", 0.0)[0].own
    assert not cards([PAIRS[0]], "", 0.0)[0].own
    assert user_pairs().parent == cache.folder()


def test_a_damaged_calibration_counts_as_none(tmp_path):
    (tmp_path / "calibration.json").write_text("[1, 2]")
    assert cards([replace(PAIRS[0], folder=tmp_path)], "", 0.0)[0].figures is None


def test_guessing_is_worth_what_the_table_and_the_guesses_say():
    sure, unsure = (speed(profile("measured here").at(0.0), 1, [c] * 5) for c in (0.95, 0.01))
    assert sure.guessing > 2 * sure.plain
    assert unsure.guessing == unsure.plain
    assert speed(profile("measured here").at(0.0), 1, ()).guessing is None
