"""The charts draw the numbers they are given, and nothing is told by colour alone."""

import numpy as np
import pytest

from expediter.core.tables import TABLES
from expediter.ui.figures_roads import lag_figure, score_figure, speed_figure
from expediter.ui.scenarios import WAYS, scenarios
from expediter.ui.theme import STATES
from tests.fakes import profile

ROAD = scenarios()["staircase-traps-early-stop"].road()
PLANS = {way: ROAD.plan(way) for way in WAYS}


def named(figure, name: str):
    return next(trace for trace in figure.data if trace.name == name)


def looks(figure) -> list[tuple]:
    """What tells a trace from the others without its colour."""
    return [(t.mode, t.line.dash if t.mode == "lines" else t.marker.symbol) for t in figure.data]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_score_is_the_plans_path_with_its_stops(scheme):
    figure = score_figure(PLANS, scheme)
    assert len(set(looks(figure))) == len(figure.data)
    stop, best = named(figure, "expediter stops here"), named(figure, "highest point anywhere")
    assert (stop.x[0], stop.y[0]) == (4, 400)
    assert (best.x[0], best.y[0]) == (16, PLANS["global"].theta)
    walked, beyond = named(figure, "score while loading"), named(figure, "what if loading had gone on")
    assert len(walked.x) + len(beyond.x) == len(PLANS["early-stop"].path) + 1
    assert stop.marker.color == getattr(STATES["refused"], scheme)
    assert figure.layout.yaxis.rangemode == "tozero"


def test_a_table_is_drawn_with_its_own_lookup_and_the_others():
    figure = speed_figure(TABLES["published-gpu"].step_rate(16), (16, 96), "light")
    assert {t.name for t in figure.data} == {
        "table, next larger size", "next smaller size", "straight line between sizes", "sizes in the table"
    }  # fmt: skip
    own = named(figure, "table, next larger size")
    assert own.y[list(own.x).index(49)] == pytest.approx(51.29)
    assert list(named(figure, "sizes in the table").x) == [6, 12, 24, 48, 96, 192, 384]


def test_a_huge_table_is_drawn_around_the_step():
    figure = speed_figure(TABLES["flat"].step_rate(16), (16, 96), "light")
    assert max(figure.data[0].x) <= 8 * 96


def test_a_measured_machine_is_points_with_noise_and_a_fit():
    machine = profile("measured here")
    rate = machine.at(0.0).step_rate(16, 64, 5)
    figure = speed_figure(rate, (16, 96), "dark", machine.at(0.0).raw(16, 64, 5), rate)
    points, fit = named(figure, "measured, with noise"), named(figure, "fit that the scheduler uses")
    assert points.error_y.array is not None
    assert len(figure.data) == 2, "the road is the machine: no table beside it"
    assert np.all(np.diff(fit.y) <= 1e-9), "never faster with a fuller batch"


def test_budgets_are_marked_with_what_they_send():
    figure = lag_figure({"0": PLANS["global"], "cold": PLANS["stale"]}, PLANS["early-stop"], "light")
    budget = named(figure, "budget of this age")
    assert list(budget.text) == ["12 sent", "12 sent"]
    assert list(named(figure, "expediter, no budget").y) == [400, 400]
