"""Counting pairs of first tokens, and what a run says before and after its last sample."""

import numpy as np
import pytest

from expediter.core.first_two import NONE, FirstTwo
from tests.answers import sampling

JOINT = FirstTwo(np.array([[1, 2], [1, 3], [7, NONE]]), np.array([0.5, 0.3, 0.1, 0.1]))


def test_every_pair_has_its_cell_and_the_others_share_the_last():
    assert JOINT.count([(1, 2), (1, 2), (7, NONE), (4, 4), (1, 3), (3, 1)]).tolist() == [2, 1, 1, 2]


def test_counts_are_tested_against_the_probabilities():
    assert JOINT.tested(np.array([500, 300, 100, 100])).p_value == pytest.approx(1)
    assert JOINT.tested(np.array([300, 500, 100, 100])).fails


def test_the_verdict_falls_at_the_planned_number_of_samples():
    run = sampling()
    assert run.complete
    assert not sampling(planned=run.drawn + 1).complete


def test_the_distance_is_the_total_variation_of_what_was_counted():
    run = sampling()
    assert 0 < run.distance < 0.1
    assert sampling(counts=(0, 0, 0, 0)).distance == pytest.approx(0.5)
