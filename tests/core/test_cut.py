"""The decision for thousands of requests is the scheduler's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.cut import cut
from expediter.core.policy import Policy
from expediter.core.scheduler import schedule
from expediter.core.step_rate import LOOKUPS, StepRate
from expediter.core.survival import sorted_gains, survival

PROBABILITIES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5, 0.75, 0.9, 1.0])  # few values: many ties
POLICIES = ("early-stop", "global", "stale", "all", "off", "fixed:0", "fixed:2", "fixed:9", "threshold:0.25", "threshold:1.0")


@st.composite
def blocks(draw):
    requests, drafts = draw(st.integers(1, 12)), draw(st.integers(0, 5))
    rows = draw(st.lists(st.lists(PROBABILITIES, min_size=drafts, max_size=drafts), min_size=requests, max_size=requests))
    return np.array(rows, dtype=np.float64).reshape(requests, drafts)


@st.composite
def rates(draw):
    sizes = sorted(draw(st.sets(st.integers(1, 80), min_size=1, max_size=6)))
    seconds = [draw(st.sampled_from([0.01, 0.011, 0.012, 0.02, 0.04])) for _ in sizes]
    return StepRate(np.array(sizes), np.array(seconds), draw(st.sampled_from(LOOKUPS)), draw(st.sampled_from([0.0, 0.004])))


@given(confidence=blocks(), older=blocks(), rate=rates(), spelling=st.sampled_from(POLICIES), cold=st.booleans())
def test_lengths_are_exactly_the_schedulers(confidence, older, rate, spelling, cold):
    policy = Policy.parse(spelling)
    stale = policy.kind == "stale" and not cold
    plan = schedule(confidence, rate, policy, older=older if stale else None)
    made = cut(survival(confidence), rate, policy, earlier=sorted_gains(older) if stale else None)
    np.testing.assert_array_equal(made.lengths, plan.lengths)
    assert made.tau == pytest.approx(plan.tau)
    assert made.seconds == plan.step_seconds[plan.stop]


def test_the_same_holds_for_a_crowd():
    rng = np.random.default_rng(3)
    confidence = rng.beta(4, 2, (700, 5)).round(2)  # rounded: thousands of ties
    rate = StepRate(np.array([1, 700, 1400, 4200]), np.array([0.01, 0.02, 0.028, 0.09]), draft_seconds=0.002)
    for spelling in POLICIES:
        plan, made = schedule(confidence, rate, Policy.parse(spelling)), cut(survival(confidence), rate, Policy.parse(spelling))
        np.testing.assert_array_equal(made.lengths, plan.lengths)
        if not spelling.startswith(("fixed", "off")):
            np.testing.assert_array_equal(made.gains, sorted_gains(confidence))
