"""Durations as people say them: nobody reads 952 seconds."""

import pytest

from expediter.ui.durations import TICKS, duration, lapse, ticks


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (0.42, "0.4 s"),
        (7, "7 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (60, "1 min"),
        (952, "15 min 52 s"),
        (3599.7, "1 h"),
        (7500, "2 h 5 min"),
        (86_399, "1 d"),
        (200_000, "2 d 8 h"),
    ],
)
def test_a_duration_has_its_two_largest_units(seconds, said):
    assert duration(seconds) == said


def test_a_lapse_may_be_short():
    assert (lapse(0.00245), lapse(1.0), lapse(952)) == ("2.45 ms", "1 s", "15 min 52 s")


@pytest.mark.parametrize("longest", [2.1, 10, 61, 952, 3600, 50_000, 1e6, 1e9])
def test_an_axis_has_a_few_round_moments(longest):
    moments = ticks(longest)
    assert moments[0] == 0
    assert 2 <= len(moments) <= TICKS + 1
    assert moments[-1] <= longest
    assert len({duration(moment) for moment in moments}) == len(moments)
