"""The charts of Rush hour draw the sweep, and nothing is told by colour alone."""

import pytest

from expediter.ui.figures_rush import frontier_figure, lines, rate_figure, ratio_figure, sent_figure, wasted_figure
from expediter.ui.policy_look import BEST, LOOKS, name, ordered
from tests.fake_sweeps import sweep


def named(figure, wanted: str):
    return next(trace for trace in figure.data if trace.name == wanted)


def test_limits_by_hand_are_drawn_as_the_best_of_them():
    assert list(lines(sweep())) == ["early-stop", "off", "all", BEST, "threshold:0.5"]
    best = named(rate_figure(sweep(), 64, "light"), "best limit by hand")
    assert list(best.y) == [175, 750, 2100]
    assert "at most 3 each" in best.hovertext[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "make", [lambda s, c: rate_figure(s, 8, c), lambda s, c: ratio_figure(s, None, c), sent_figure, wasted_figure, frontier_figure]
)
def test_every_policy_has_its_own_mark_and_dash(make, scheme):
    drawn = [trace for trace in make(sweep(), scheme).data if "markers" in trace.mode]
    assert len({trace.marker.symbol for trace in drawn}) == len(drawn) >= 4
    assert len({(trace.line.dash, trace.line.width) for trace in drawn}) >= 4


def test_bars_reach_from_the_slowest_to_the_fastest_round():
    mine = named(rate_figure(sweep(), None, "light"), "expediter")
    assert list(mine.error_y.array) == pytest.approx([0.1 * y for y in mine.y])
    assert list(mine.error_y.arrayminus) == pytest.approx([0.1 * y for y in mine.y])


def test_the_crossing_is_marked_where_there_is_one():
    assert len(rate_figure(sweep(), 64, "light").layout.shapes) == 1
    assert not rate_figure(sweep(), None, "light").layout.shapes


def test_ratios_are_to_no_guessing_at_the_same_load():
    figure = ratio_figure(sweep(), None, "light")
    assert list(named(figure, "expediter").y) == pytest.approx([1.82, 790 / 600, 1.075])
    assert set(named(figure, "no guessing").y) == {1.0}


def test_the_frontier_has_one_users_speed_across():
    mine = named(frontier_figure(sweep(), "light"), "expediter")
    assert list(mine.x) == pytest.approx([182, 790 / 8, 2150 / 64])
    assert list(mine.text) == ["1", "8", "64"]


def test_names_and_order():
    assert name("fixed:3") == "at most 3 each"
    assert name("threshold:0.5") == "chance at least 0.5"
    assert ordered(["all", "early-stop", "fixed:2", BEST, "off"]) == ["early-stop", "off", "all", BEST, "fixed:2"]
    assert len({(look.dash, look.symbol) for look in LOOKS.values()}) == len(LOOKS)
