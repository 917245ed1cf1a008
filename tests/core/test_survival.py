"""The sorted pool."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.survival import rank, sorted_gains, surest_first, survival

probabilities = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
rows = st.lists(st.lists(probabilities, max_size=5), min_size=1, max_size=6)


def test_survival_is_the_running_product():
    assert survival(np.array([[0.5, 0.5, 0.0, 1.0]])).tolist() == [[0.5, 0.25, 0.0, 0.0]]


close = st.integers(0, 40).map(lambda n: 0.7 + n * 2.0**-50) | st.integers(0, 9).map(lambda n: n * 1e-300)  # equal in 32 bits


@given(st.lists(st.sampled_from([-0.0, 0.0, 0.25, 1.0]) | close | st.floats(0, 1), max_size=60))
def test_the_fast_sort_is_stable(chances):
    chances = np.array(chances)
    assert surest_first(chances).tolist() == np.argsort(-chances, kind="stable").tolist()


def test_the_fast_sort_is_stable_at_full_size():
    chances = survival(np.random.default_rng(1).beta(4, 2, (256, 16))).ravel()
    for many in (chances, chances.astype(np.float32).astype(float), np.round(chances, 2), np.zeros(4096)):
        assert surest_first(many).tolist() == np.argsort(-many, kind="stable").tolist()


@given(rows)
def test_equal_survivals_go_by_position_then_request(rows):
    pool = rank(rows)
    keys = list(zip((-pool.gains).tolist(), pool.position.tolist(), pool.request.tolist(), strict=True))
    assert keys == sorted(keys)
    assert (pool.gains > 0).all()


@given(rows)
def test_the_survivals_alone_come_out_the_same(rows):
    assert sorted_gains(rows).tolist() == rank(rows).gains.tolist()


def test_requests_without_drafts_still_count():
    pool = rank([[], [0.5], []])
    assert (pool.requests, pool.request.tolist(), pool.drafted) == (3, [1], True)
    assert not rank([[], []]).drafted


def test_one_long_row_among_many_empty_ones_is_not_padded():
    pool = rank([*([[]] * 20_000), [1.0] * 20_000])
    assert pool.position.tolist() == list(range(1, 20_001))
