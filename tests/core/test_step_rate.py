"""The cost table between, below and above its measured sizes."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.step_rate import LOOKUPS, StepRate
from tests.core.reference import step_time

tables = st.dictionaries(st.integers(1, 40), st.integers(1, 50), min_size=1, max_size=7)


@given(tables, st.sampled_from(LOOKUPS), st.integers(1, 200))
def test_every_lookup_follows_the_written_rules(table, lookup, batch):
    sizes = sorted(table)
    rate = StepRate(np.array(sizes), np.array([float(table[b]) for b in sizes]), lookup)
    exact = step_time(batch, {b: Fraction(t) for b, t in table.items()}, lookup)
    assert rate.verify_seconds(np.array([batch]))[0] == pytest.approx(float(exact))


def stairs(lookup: str, draft: float = 0.0) -> StepRate:
    return StepRate(np.array([4, 8, 16]), np.array([10.0, 14.0, 16.0]), lookup, draft)


@pytest.mark.parametrize(
    ("lookup", "seconds"),
    [("interp", [10, 10, 11, 14, 15, 16, 32]), ("ceil", [10, 10, 14, 14, 16, 16, 32]), ("floor", [10, 10, 10, 14, 14, 16, 32])],
)
def test_the_three_lookups_differ_only_between_the_measured_sizes(lookup, seconds):
    assert stairs(lookup).verify_seconds(np.array([1, 4, 5, 8, 12, 16, 32])).tolist() == seconds


def test_drafting_adds_its_time_to_the_step_and_not_to_the_check():
    assert stairs("interp", 3.0).step_seconds(4) == 13.0
    assert stairs("interp", 3.0).verify_seconds(4) == 10.0


@pytest.mark.parametrize(
    ("batch", "seconds", "more", "word"),
    [
        ([], [], {}, "at least one"),
        ([1, 2], [1.0], {}, "as many"),
        ([2, 1], [1.0, 1.0], {}, "ascend"),
        ([1, 1], [1.0, 1.0], {}, "ascend"),
        ([0], [1.0], {}, "ascend"),
        ([1], [0.0], {}, "seconds"),
        ([1], [float("nan")], {}, "seconds"),
        ([1], [float("inf")], {}, "seconds"),
        ([1], [1.0], {"lookup": "nearest"}, "lookup"),
        ([1], [1.0], {"draft_seconds": -1.0}, "draft time"),
        ([1], [1.0], {"draft_seconds": float("nan")}, "draft time"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(batch, seconds, more, word):
    with pytest.raises(ValueError, match=word):
        StepRate(np.array(batch, dtype=int), np.array(seconds), **more)
