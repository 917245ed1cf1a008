"""Blocks drawn beside a text that is already there are those that speculative sampling would have drawn on its way to it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from expediter.core.settings import Settings
from expediter.core.walk import Walk
from expediter.engine.loop import Engine
from expediter.engine.record_blocks import unseen_prompts
from expediter.engine.record_places import Beside, record_places
from tests.door import Door
from tests.engine import tiny

PROMPTED = unseen_prompts(fitted_on_workloads=False, seed=1)
TARGET, DRAFT = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.3, 0.1, 0.4])


def test_a_guess_and_its_word_meet_as_in_speculative_sampling():
    rng, n = np.random.default_rng(0), 200_000
    words = torch.from_numpy(rng.choice(4, size=n, p=TARGET))
    beside = Beside([words], [torch.from_numpy(TARGET).expand(n, 4)], rng.random((n, 1)))
    guesses, p = beside(torch.from_numpy(np.log(DRAFT)).expand(n, 4), 1.0, rng.random(n))
    np.testing.assert_allclose(p[0], DRAFT, atol=1e-6)
    joint = np.zeros((4, 4))
    np.add.at(joint, (guesses.numpy(), words.numpy()), 1 / n)
    both = np.minimum(TARGET, DRAFT)  # passed: guess and word are one
    apart = np.outer(DRAFT - both, TARGET - both) / (1 - both.sum())  # refused: each from its own excess
    np.testing.assert_allclose(joint, np.diag(both) + apart, atol=5 * 0.5 / n**0.5)
    assert float((beside.passed > 0).double().mean()) == pytest.approx(both.sum(), abs=5 * 0.5 / n**0.5)
    np.testing.assert_allclose(joint.sum(axis=1), DRAFT, atol=0.006)


def test_a_draft_of_few_words_meets_the_text_as_one_of_all_words_does():
    rng, n = np.random.default_rng(2), 200_000
    ids, few = torch.tensor([0, 1, 3]), np.array([0.3, 0.3, 0.4])
    words = torch.from_numpy(rng.choice(4, size=n, p=TARGET))
    beside = Beside([words], [torch.from_numpy(TARGET).expand(n, 4)], rng.random((n, 1)), ids)
    columns, p = beside(torch.from_numpy(np.log(few)).expand(n, 3), 1.0, rng.random(n))
    np.testing.assert_allclose(p[0], few, atol=1e-6)
    np.testing.assert_allclose(np.bincount(columns, minlength=3) / n, few, atol=0.006)
    both = np.minimum(TARGET, [0.3, 0.3, 0.0, 0.4])
    agree = np.bincount(words[ids[columns] == words], minlength=4) / n
    np.testing.assert_allclose(agree[[0, 1, 3]], both[[0, 1, 3]], atol=0.006)
    assert agree[2] == 0
    assert float((beside.passed > 0).double().mean()) == pytest.approx(both.sum(), abs=5 * 0.5 / n**0.5)


def test_behind_a_guess_that_differs_the_draft_goes_on_alone():
    rng, n = np.random.default_rng(1), 50_000
    words, chances = torch.zeros(n, dtype=torch.int64), torch.tensor([[1.0, 0.0, 0.0, 0.0]]).expand(n, 4)
    beside = Beside([words, words], [chances, chances], np.full((n, 2), 0.999))
    logits = torch.from_numpy(np.log(DRAFT)).expand(n, 4)
    first, _ = beside(logits, 1.0, rng.random(n))
    second, _ = beside(logits, 1.0, rng.random(n))
    assert not (first == 0).any(), "refused: drawn from where the draft believes more than the target"
    assert not beside.passed.any()
    np.testing.assert_allclose(np.bincount(second, minlength=4) / n, DRAFT, atol=0.015)


WALKS = [(tiny.pair, kind) for kind in ("all", "fixed:2", "threshold:0.5")] + [
    (make, kind) for make in (tiny.dspark_pair, tiny.few_pair) for kind in ("all", "threshold:0.5")
]


@pytest.mark.parametrize(("make", "policy"), WALKS)
def test_at_temperature_0_a_walk_along_the_text_is_what_the_engine_does(make, policy):
    pair = replace(make(scale=0.2), scorer=tiny.Told(tiny.even))
    texts = record_places(pair, PROMPTED, 0.0, 3, seed=4, longest=60)
    engine = Engine(pair, Settings("tiny", 3, 8, 0.0, policy=policy, seed=4), tiny.rising(), limit=(160, 160))
    walk = Walk(texts.text, 1)
    place = np.flatnonzero(np.diff(texts.text, prepend=-1))  # where each text begins
    for _ in range(10):
        trace = engine.step()
        for slot, request in enumerate(trace.requests):
            drafted = len(request.confidence)
            np.testing.assert_allclose(texts.confidence[place[slot], :drafted], request.confidence, atol=1e-9)
            assert min(texts.passed[place[slot]], request.sent) == request.accepted
        place = walk.on(place, np.array([request.accepted + 1 for request in trace.requests]))


def test_texts_end_at_their_end_mark_and_nothing_passes_behind_it():
    pair = tiny.pair(scale=0.2)
    ending = replace(pair, tokenizer=replace(pair.tokenizer, eos_token_id=7))
    texts = record_places(ending, PROMPTED, 1.0, 40, seed=2, longest=80)
    sizes = np.bincount(texts.text)
    assert sizes.min() < 40 < 80 == sizes.max()
    left = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(texts))  # words from here to the end, the own one included
    ended = np.repeat(sizes < 80, sizes)
    assert (texts.passed < left)[ended].all()
    assert (texts.passed >= left)[~ended].any(), "where the recording only stops, the text goes on"


def test_the_same_is_recorded_again_and_every_step_is_a_turn():
    door, shares, pair = Door(), [], tiny.pair()
    one, two = (record_places(pair, PROMPTED, 0.8, 70, 3, shares.append, door, longest=12) for _ in range(2))
    np.testing.assert_array_equal(one.confidence, two.confidence)
    np.testing.assert_array_equal(one.passed, two.passed)
    assert (one.texts, set(one.workload)) == (70, {0, 1, 2, 3})
    assert door.entered >= 4 * 12
    assert shares[len(shares) // 2 - 1] == shares[-1] == 1.0


@pytest.mark.parametrize(("prompts", "texts"), [([], 10), (PROMPTED, 0)])
def test_too_little_to_record_is_refused_in_one_sentence(prompts, texts):
    with pytest.raises(ValueError, match="give at least one of each"):
        record_places(tiny.pair(), prompts, 0.8, texts, 1)
