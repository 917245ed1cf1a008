"""Deciding is cheap beside sorting: one run, both timed in turn, so that a busy machine slows both."""

from time import perf_counter

import numpy as np
import pytest

from expediter.core.policy import Policy
from expediter.core.scheduler import schedule
from expediter.core.step_rate import StepRate


@pytest.mark.parametrize("policy", ["early-stop", "global", "stale"])
def test_deciding_takes_at_most_twice_a_stable_sort(policy):
    confidence = np.random.default_rng(1).beta(4, 2, (256, 16))
    survivals = np.cumprod(confidence, axis=1).ravel()
    batch = np.unique(np.geomspace(256, 4352, 17).astype(int))
    rate, policy = StepRate(batch, 0.008 + 0.0002 * batch), Policy.parse(policy)
    sorting, deciding = [], []
    for _ in range(200):
        start = perf_counter()
        np.argsort(survivals, kind="stable")
        middle = perf_counter()
        schedule(confidence, rate, policy)
        sorting.append(middle - start)
        deciding.append(perf_counter() - middle)
    assert np.median(deciding) <= 2 * np.median(sorting)
