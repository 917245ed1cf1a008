"""Samples of the first two tokens: the exact joint, a prompt that is read once, and samples in the order of their numbers."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
import torch

from expediter.core.first_two import NONE
from expediter.core.settings import Settings
from expediter.engine.first_two import ReadOnce, exact, first_two
from expediter.engine.requests import Requests
from expediter.engine.target import Target
from tests.engine import tiny

V = 6
PROMPT = (3, 1, 4, 1, 5)


def test_the_joint_is_the_models_own():
    model = tiny.model("llama", V, seed=14, scale=0.25)
    found = exact(model, list(PROMPT), 0.7, samples=100_000, end=frozenset({2}))
    assert found.p.sum() == pytest.approx(1)
    assert (np.diff(found.p[:-1]) <= 0).all()
    assert found.tokens[found.tokens[:, 0] == 2].tolist() == [[2, NONE]]
    first, second = found.tokens[0].tolist()
    with torch.inference_mode():
        once = torch.softmax(model(torch.tensor([PROMPT])).logits[0, -1] / 0.7, -1)[first]
        then = torch.softmax(model(torch.tensor([[*PROMPT, first]])).logits[0, -1] / 0.7, -1)[second]
    assert found.p[0] == pytest.approx(float(once * then), rel=1e-5)


def test_rare_pairs_are_left_to_the_last_cell():
    model = tiny.model("llama", V, seed=14, scale=0.25)
    few = exact(model, list(PROMPT), 1.0, samples=200, end=frozenset())
    assert (few.p[:-1] * 200 >= 10).all()
    assert few.p[-1] > 0
    none = exact(model, list(PROMPT), 1.0, samples=5, end=frozenset())
    assert (len(none.tokens), none.p.tolist()) == (0, [1.0])


@pytest.mark.parametrize("features", [(), (0, 1)])
def test_a_prompt_that_is_read_once_leaves_the_store_that_reading_each_would(features):
    target = Target(tiny.model(), tiny.PLACE, features)
    requests = Requests(3)
    for slot in range(3):
        requests.start(slot, slot, list(PROMPT), 50, "stories", "")
    each, copied, once = target.store(3, 20), target.store(3, 20), ReadOnce(target)
    target.prefill(each, requests, np.arange(3))
    once.prefill(copied, requests, np.array([0, 2]))
    once.prefill(copied, requests, np.array([1]))
    torch.testing.assert_close(copied.keys, each.keys)
    torch.testing.assert_close(copied.values, each.values)
    if features:
        torch.testing.assert_close(copied.features, each.features)


def test_samples_do_not_depend_on_how_many_are_drawn():
    """Whoever finished first would come first otherwise, and quick answers are other answers."""
    settings = Settings(pair="tiny", load=8, depth=3, temperature=1.0, seed=3)
    pair = tiny.pair(vocabulary=V, scale=0.25)
    drawn = [
        [sample for step in first_two(pair, settings, tiny.rising(), "", n, nullcontext()) for sample in step.samples] for n in (20, 60)
    ]
    assert [len(samples) for samples in drawn] == [20, 60]
    assert drawn[0] == drawn[1][:20]


def test_an_answer_that_ends_at_once_is_a_sample_too():
    settings = Settings(pair="tiny", load=8, depth=3, temperature=1.0, seed=3)
    pair = tiny.pair(vocabulary=V, scale=0.25)
    ends = replace(pair, tokenizer=replace(pair.tokenizer, eos_token_id=2))
    samples = [sample for step in first_two(ends, settings, tiny.rising(), "", 100, nullcontext()) for sample in step.samples]
    assert {second for first, second in samples if first == 2} == {NONE}
    assert all(second != NONE for first, second in samples if first != 2)
