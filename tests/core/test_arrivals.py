"""When requests come."""

import numpy as np
import pytest

from expediter.core.arrivals import PEAK, SHARE, Arrivals


def test_a_steady_stream_comes_at_its_rate():
    np.testing.assert_allclose(Arrivals("poisson", 4.0).at(np.array([0.0, 2.0, 8.0])), [0.0, 0.5, 2.0])


def test_bursts_keep_the_mean_rate_and_come_in_the_first_quarter():
    arrivals = Arrivals("bursts", rate=2.0, period=10.0)
    times = arrivals.at(np.arange(0.0, 60.0, 0.25))  # 20 requests a period
    assert (np.diff(times) > 0).all()
    assert arrivals.at(np.array([20.0, 40.0])) == pytest.approx([10.0, 20.0])
    inside = (times % 10.0) < SHARE * 10.0
    assert inside.mean() == pytest.approx(PEAK * SHARE, abs=0.02)


def test_a_closed_crowd_is_there_from_the_start():
    assert not Arrivals().at(np.array([1.0, 2.0])).any()


@pytest.mark.parametrize("wrong", [{"kind": "tide"}, {"kind": "poisson"}, {"kind": "bursts", "rate": 1.0, "period": 0.0}])
def test_impossible_arrivals_are_refused(wrong):
    with pytest.raises(ValueError, match="arriv"):
        Arrivals(**wrong)
