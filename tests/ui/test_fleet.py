"""The fleet's numbers, sentences and charts, on made-up texts."""

import pytest

from expediter.core.clock import SimulatedClock
from expediter.core.recorded_places import Places
from expediter.core.tables import TABLES, table
from expediter.ui import fleet_run
from expediter.ui import fleet_words as words
from expediter.ui.captions import rate
from expediter.ui.durations import duration
from expediter.ui.figures_fleet import budget_figure, crowd_figure, day_figure, through_figure
from expediter.ui.fleet_run import POLICIES, TIMED, crowds, day
from tests.fake_blocks import some_places
from tests.fakes import profile

GPU = SimulatedClock(TABLES["published-gpu"])


@pytest.fixture(scope="module")
def texts() -> Places:
    return some_places(0.8)


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Few steps."""
    monkeypatch.setattr(fleet_run, "BLOCKS", 40)
    monkeypatch.setattr(fleet_run, "DAY", (60, 60, 1))


@pytest.fixture
def served(texts):
    return crowds(("dice",), texts, GPU, 256)


def test_every_policy_serves_every_crowd_up_to_the_lanes(served):
    assert tuple(served) == POLICIES
    assert [crowd.lanes for crowd in served["off"]] == [1, 2, 4, 8, 16, 32, 64, 256]
    assert all(crowd.sent == 5 for crowd in served["all"])


def test_the_budget_of_one_request_falls_with_the_crowd(served):
    said = words.budget_sentence(served)
    first, last = served["early-stop"][0], served["early-stop"][-1]
    assert last.sent < first.sent
    assert f"From 1 request to 256 at once the budget of one request falls from {first.sent:.1f} to {last.sent:.1f}" in said


def test_where_checking_everything_stops_paying_is_told_from_the_runs(served):
    said = words.through_sentence(served)
    slower = [off.lanes for off, every in zip(served["off"], served["all"], strict=True) if every.words_per_second < off.words_per_second]
    assert (f"slower than no guessing from {slower[0]} at once on" in said) == bool(slower)
    assert said.startswith("With 256 at once the expediter brings")


def test_a_dip_that_the_expediter_stops_at_is_told_where_a_budget_passes_it(texts):
    stairs = table("stairs", "Stairs", "", {1: 10.0, 4: 10.0, 5: 14.0, 24: 14.2}, "ceil")
    caught = crowds(("stairs",), texts, SimulatedClock(stairs), 4)
    assert "With 4 at once a budget from the step before brings" in words.dip_sentence(caught)
    smooth = crowds(("smooth",), texts, SimulatedClock(TABLES["smooth"]), 4)
    assert words.dip_sentence(smooth) == ""


@pytest.mark.parametrize("clock", [GPU, profile()], ids=["published", "profile"])
def test_a_day_has_the_same_arrivals_for_every_policy(texts, clock):
    made = day(("dice",), texts, clock, "bursts", 16, 0.9)
    assert tuple(made.runs) == TIMED
    assert all(run.active.max() <= 16 for run in made.runs.values())
    assert all(run.clock[-1] >= made.seconds for run in made.runs.values())
    table = words.day_table(made)
    assert table.count("<th scope='row'>") == len(TIMED)
    assert f"<td>{rate(made.runs['all'].words_per_second)}</td><td>{rate(made.runs['all'].felt)}</td>" in table
    said, run = words.swing_sentence(made), made.runs["early-stop"]
    middle = (run.active.min() + run.active.max() + 1) // 2
    assert said.startswith((f"While {middle} requests or more are being served", "The crowd hardly changes"))
    assert f"over {duration(made.seconds)} of simulated time" in words.crowd_alt(made)
    assert "on average" in words.day_alt(made)


def test_a_day_that_a_small_crowd_serves_is_as_long_for_every_policy(texts):
    made = day(("small",), texts, GPU, "poisson", 10_000, 0.9)
    ends = [run.clock[-1] for run in made.runs.values()]
    assert all(made.seconds <= end for end in ends)
    assert all(run.clock[-2] < made.seconds for run in made.runs.values()), "waiting at the end is compared at one moment"


def test_giving_up_guessing_is_told_where_it_happens(texts):
    made = day(("dear",), texts, SimulatedClock(table("dear", "Dear", "", {1: 1.0, 1000: 1000.0})), "poisson", 16, 2.0)
    share = made.runs["early-stop"].drafting.mean()
    assert bool(words.resting_sentence(made)) == (share < 1)


def test_the_charts_draw_the_runs(texts, served):
    budget, through = budget_figure(served, "light"), through_figure(served, "dark")
    mine = next(trace for trace in budget.data if trace.name == "expediter")
    assert list(mine.y) == [crowd.sent for crowd in served["early-stop"]]
    assert set(next(trace for trace in through.data if trace.name == "no guessing").y) == {1.0}
    assert len({trace.marker.symbol for trace in through.data}) == len(through.data)
    run = day(("dice",), texts, GPU, "poisson", 64, 0.9).runs["early-stop"]
    crowd = crowd_figure(run, "light")
    assert len(crowd.data) == 2
    assert all(said == duration(at) for said, at in zip(crowd.layout.xaxis.ticktext, crowd.layout.xaxis.tickvals, strict=True))
    drawn = day_figure(run, "light").data[0]
    assert drawn.y.max() <= 5
    assert words.budget_alt(served).startswith("Words sent per request against requests at once. Expediter:")
    assert "No guessing: 1.00 at 1" in words.through_alt(served)
