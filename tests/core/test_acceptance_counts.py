"""Conditional acceptance by draft position."""

import numpy as np

from expediter.core.acceptance_counts import acceptance_counts


def test_a_position_counts_only_blocks_that_came_so_far():
    counts = acceptance_counts(np.array([0, 1, 3, 3]), depth=3)
    assert counts.judged.tolist() == [4, 3, 2]
    assert counts.passed.tolist() == [3, 2, 2]
    np.testing.assert_allclose(counts.rate, [3 / 4, 2 / 3, 1])


def test_a_position_that_no_block_reached_has_no_rate():
    counts = acceptance_counts(np.array([0, 0]), depth=2)
    assert counts.judged.tolist() == [2, 0]
    assert counts.rate[0] == 0
    assert np.isnan(counts.rate[1])
