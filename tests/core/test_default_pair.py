"""What opens without a choice: the default pair is recorded for every page, and its first step shows the rule at its clearest."""

from pathlib import Path

import pytest

from expediter.core.pairs import listed
from expediter.core.settings import DEFAULT_PAIR, TEMPERATURE
from expediter.core.trace import StepTrace, load

ASSETS = Path(__file__).parents[2] / "assets"
PEAK = 1.15  # times no guessing, and times checking everything: the curve's peak can be seen from across a room
LONGEST = 14  # letters of a guess that fits under its bar


@pytest.fixture(scope="module")
def first() -> StepTrace:
    """The step that the dock paints before any model is loaded."""
    return load(ASSETS / "traces" / f"{DEFAULT_PAIR}.json")[0]


def test_the_default_pair_is_listed_first_and_can_run():
    info = listed()[0]
    assert (info.name, info.missing) == (DEFAULT_PAIR, "")


@pytest.mark.parametrize("kind", ["traces/{}.json", "sweeps/{}.json", "blocks/{}.npz", "machines/{}.json", "answers/{}.json"])
def test_every_page_has_a_recording_of_it(kind):
    assert (ASSETS / kind.format(DEFAULT_PAIR)).exists()


def test_a_benchmark_of_it_is_shipped():
    assert list((ASSETS / "bench").glob(f"{DEFAULT_PAIR}-*.json"))


def test_the_first_step_peaks_well_above_no_guessing_and_above_checking_everything(first):
    assert (first.pair, first.policy, first.temperature) == (DEFAULT_PAIR, "early-stop", TEMPERATURE)
    assert first.theta >= PEAK * first.theta_off
    assert first.theta >= PEAK * first.theta_all


def test_the_first_step_stops_clearly_and_shows_every_fate(first):
    assert (first.reason, first.uncertain) == ("peak", False)
    assert all(first.count(fate) for fate in ("passed", "refused", "left"))


def test_the_first_steps_guesses_can_be_read(first):
    guesses = [word for request in first.requests for word in request.drafts]
    assert max(map(len, guesses)) <= LONGEST
    assert sum(word.strip().isalpha() for word in guesses) > len(guesses) / 2
