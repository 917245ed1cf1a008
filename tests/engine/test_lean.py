"""The lean draft forward gives transformers' numbers, and the drafter's store survives refusals, pauses and newcomers."""

import numpy as np
import pytest
import torch

from expediter.engine.drafter import OneByOne, draw
from expediter.engine.lean import LeanLlama
from expediter.engine.requests import Requests
from tests.engine import tiny


def serving(lengths: list[int]) -> Requests:
    rng = np.random.default_rng(4)
    requests = Requests(len(lengths))
    for slot, n in enumerate(lengths):
        requests.start(slot, slot, rng.integers(0, 64, n).tolist(), 160, "stories", "")
    return requests


def check(model, requests: Requests, draft, load: int) -> None:
    """Every place's logits against the plain model on the whole text before it."""
    for r in range(load):
        text = np.concatenate([requests.tokens[r, : requests.length[r]], draft.tokens[r, :-1]])
        with torch.inference_mode():
            expected = model(torch.from_numpy(text)[None]).logits[0, -draft.tokens.shape[1] :]
        torch.testing.assert_close(draft.logits[r], expected, atol=1e-4, rtol=0)


def go_through_history(model, drafter: OneByOne, steps: int) -> None:
    """Refusals, a request that sits a step out, a step that did not draft and a newcomer; every draft is checked."""
    requests = serving([5, 12, 30])
    rng = np.random.default_rng(0)
    for step in range(steps):
        load = 2 if step == 3 else 3  # one request sits a step out
        draft = drafter.propose(requests, load, 4, 0.0, 0)
        check(model, requests, draft, load)
        for slot in range(load):
            accepted = int(rng.integers(0, 5))
            requests.commit(slot, [*draft.tokens[slot, :accepted].tolist(), int(rng.integers(0, 64))], frozenset())
        if step == 4:  # a step that did not draft
            requests.commit(0, [1, 2, 3], frozenset())
        if step == 5:
            requests.start(1, 9, [4, 5, 6], 160, "code", "")


@pytest.mark.parametrize("layers", [1, 3])
def test_drafts_equal_the_plain_model_through_refusals_pauses_and_newcomers(layers):
    model = tiny.model("llama", layers=layers, seed=3)
    drafter = OneByOne(LeanLlama(model, 176), 3)
    go_through_history(model, drafter, steps=8)


def test_more_slots_keep_what_is_known():
    model = tiny.model("llama", layers=1, seed=3)
    drafter = OneByOne(LeanLlama(model, 176), 1)
    requests = serving([7])
    drafter.propose(requests, 1, 3, 0.0, 0)
    requests.grow(4)
    requests.start(1, 1, [9, 8, 7], 160, "code", "")
    check(model, requests, drafter.propose(requests, 2, 3, 0.0, 0), 2)


def test_depth_is_clamped_to_what_the_drafter_can_do():
    drafter = OneByOne(LeanLlama(tiny.model("llama", layers=1), 176), 1)
    assert drafter.propose(serving([7]), 1, 99, 0.0, 0).tokens.shape == (1, drafter.max_depth)


def test_a_draft_of_another_kind_is_refused_by_name():
    with pytest.raises(ValueError, match="gpt2"):
        LeanLlama(tiny.model("gpt2"), 176)


def test_draw_follows_the_distribution_and_never_takes_an_impossible_token():
    logits = torch.tensor([[1.0, -torch.inf, 0.0, 2.0]]).expand(4000, -1)
    u = (np.arange(4000) + 0.5) / 4000
    token, p = draw(logits, 1.0, u)
    share = torch.bincount(token, minlength=4) / 4000
    torch.testing.assert_close(share, p[0], atol=5e-4, rtol=0)
    assert share[1] == 0
