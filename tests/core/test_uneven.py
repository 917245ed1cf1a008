"""Made-up crowds: how long the longest request of a batch becomes."""

import numpy as np
import pytest

from expediter.core.uneven import CROWDS, DEEPEST, lengths, longest


@pytest.mark.parametrize("requests", [1, 2, 7, 64])
@pytest.mark.parametrize("depth", [1, 3, 8])
def test_the_longest_request_grows_from_its_anchor_to_the_whole_depth(requests, depth):
    tokens = longest(requests, depth)
    assert len(tokens) == 1 + requests * depth
    assert (tokens[0], tokens[-1]) == (1, 1 + depth)
    assert (np.diff(tokens) >= 0).all()
    assert (tokens >= 1 + np.ceil(np.arange(len(tokens)) / requests)).all(), "never shorter than an even batch"


def test_one_request_sends_all_there_is():
    assert longest(1, 8).tolist() == list(range(1, 10))


def test_fewer_drafts_make_a_batch_less_uneven():
    assert (longest(64, 2)[:129] <= longest(64, 8)[:129]).all()
    assert longest(64, 8)[128] > longest(64, 2)[128] + 2


@pytest.mark.parametrize("drafts", [0, 1, 20, 64, 70])
def test_a_crowds_lengths_add_up_and_are_of_the_length_that_is_told(drafts):
    made = [lengths(8, drafts, crowd) for crowd in range(CROWDS)]
    assert {int(each.sum()) for each in made} == {drafts}
    if drafts <= 8 * DEEPEST:
        assert np.mean([each.max() for each in made]) + 1 == pytest.approx(longest(8, 8)[drafts])
