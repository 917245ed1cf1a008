"""Drawing by the inverse of the cumulative weights, however many there are."""

import numpy as np
import pytest
import torch

from expediter.engine.sampling import MANY, chances, likeliest, pick


def some_weights(rows: int, words: int) -> torch.Tensor:
    """Half of them 0, runs of 0 at both ends, not normalised."""
    g = torch.Generator().manual_seed(rows)
    weights = torch.rand(rows, words, generator=g) * (torch.rand(rows, words, generator=g) < 0.5)
    weights[:, : words // 8] = weights[:, -words // 8 :] = 0
    weights[:, words // 2] = 1
    return weights


@pytest.mark.parametrize(("rows", "words"), [(5, 64), (30, 4096), (2, 50_257), (70, 1000)])
def test_the_word_is_the_one_where_the_sum_passes_the_number(rows, words):
    weights = some_weights(rows, words)
    assert words in (64, 1000) or weights.numel() > MANY
    total = weights.double().cumsum(-1)
    for seed in range(20):
        u = np.random.default_rng(seed).random(rows)
        token = pick(weights, u)[:, None]
        assert (weights.gather(-1, token) > 0).all()
        end, asked = total.gather(-1, token), torch.from_numpy(u)[:, None] * total[:, -1:]
        slack = 1e-6 * total[:, -1:]
        assert (asked < end + slack).all()
        assert (asked >= end - weights.gather(-1, token) - slack).all()


@pytest.mark.parametrize(("rows", "words"), [(5, 64), (30, 4096)])
def test_the_ends_of_the_unit_interval_never_draw_an_impossible_word(rows, words):
    weights = some_weights(rows, words)
    possible = weights > 0
    for u, end in ((0.0, possible.int().argmax(-1)), (1 - 1e-17, words - 1 - possible.flip(-1).int().argmax(-1))):
        assert pick(weights, np.full(rows, u)).tolist() == end.tolist()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_of_equal_words_the_first_is_likeliest(dtype):
    logits = torch.tensor([[[0.0, 2.0, 2.0, 1.0], [3.0, 3.0, 3.0, 3.0]]], dtype=dtype)
    assert likeliest(logits).tolist() == [[1, 0]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_chances_are_those_of_a_plain_softmax_and_leave_the_logits_alone(dtype):
    logits = torch.randn(7, 3, 1000, generator=torch.Generator().manual_seed(1)).to(dtype)
    before = logits.clone()
    assert torch.equal(chances(logits, 0.8), torch.softmax(before.float() * (1 / 0.8), dim=-1))
    assert torch.equal(logits, before)
