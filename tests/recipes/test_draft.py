"""Distilling a draft: where it starts, what it loses, how it is judged, what a restart repeats."""

import math

import numpy as np
import pytest
import torch

from models.recipes.distil import Student, acceptance, distil, start_embedding
from models.recipes.draft import Batches, padded
from models.recipes.target import build
from models.recipes.teacher import hidden_states
from tests.recipes.stand_in import Tokenizer


@pytest.fixture
def target():
    torch.manual_seed(1)
    return build(2, 64, Tokenizer(64)).eval().requires_grad_(False)


def test_the_distance_is_zero_only_for_the_target_itself():
    logits = torch.randn(20, 8, generator=torch.Generator().manual_seed(2))
    token = torch.zeros(20, dtype=torch.long)
    ce = 0.1 * torch.nn.functional.cross_entropy(logits, token)
    assert distil(logits, logits.softmax(-1), token, 0.0) == pytest.approx(float(ce), abs=1e-6)
    assert distil(logits, logits.flip(-1).softmax(-1), token, 0.0) > ce + 0.1


def test_the_distance_counts_twice_the_chance_of_a_refusal():
    p_d, p_t = torch.tensor([[0.5, 0.5]]), torch.tensor([[0.7, 0.3]])
    loss = float(distil(p_d.log(), p_t, torch.tensor([0]), 0.0))
    assert loss == pytest.approx(0.1 * math.log(2) + 0.9 * 2 * 0.2, abs=1e-6)


def test_a_draft_of_the_target_s_width_starts_with_the_same_distances_between_words(target):
    draft = build(1, 64, Tokenizer(64))
    start_embedding(draft, target)
    mine, theirs = draft.model.embed_tokens.weight, target.lm_head.weight
    torch.testing.assert_close(mine @ mine.T, theirs @ theirs.T, atol=1e-5, rtol=1e-4)


def test_a_draft_wider_than_its_target_is_refused(target):
    with pytest.raises(ValueError, match="width 128 is wider than the target's 64"):
        start_embedding(build(1, 128, Tokenizer(64)), target)


def test_the_target_accepts_all_of_its_own_guesses(target, tmp_path):
    docs = [np.array([1, 9, 2, 10, 11, 12]), np.array([1, 2, 30, 31])]
    states = hidden_states(target, padded(docs), tmp_path / "test.f16")
    scores = acceptance(target, target.lm_head.weight, docs, states, answer=2)
    assert scores["0"] == 1
    assert scores["0.8"] == pytest.approx(1, abs=2e-3)  # the states are kept in half precision
    other = acceptance(build(1, 64, Tokenizer(64)), target.lm_head.weight, docs, states, answer=2)
    assert other["1"] < scores["1"]


def test_states_are_read_once_and_continued_after_an_interruption(target, tmp_path):
    ids, file = np.arange(50, dtype=np.int64).reshape(5, 10), tmp_path / "corpus.f16"
    whole = np.array(hidden_states(target, ids, file, together=2))
    done = file.with_suffix(".done")
    name, count = done.read_text().split()
    assert count == "5"

    np.memmap(file, dtype=np.float16, mode="r+", shape=whole.shape)[:] = 0
    done.write_text(f"{name} 4")
    again = np.array(hidden_states(target, ids, file, together=2))
    assert not again[:4].any()  # trusted, not read again
    np.testing.assert_array_equal(again[4], whole[4])


def test_states_of_other_text_or_another_model_are_read_anew(target, tmp_path):
    ids, file = np.arange(20, dtype=np.int64).reshape(2, 10), tmp_path / "corpus.f16"
    first = np.array(hidden_states(target, ids, file))
    assert not np.array_equal(np.array(hidden_states(target, ids + 1, file)), first)
    target.model.norm.weight.data.mul_(2)
    assert not np.array_equal(np.array(hidden_states(target, ids, file)), first)


def test_batches_visit_every_row_before_any_twice_and_the_same_way_after_a_restart():
    batches, again = Batches(12, 4, 7), Batches(12, 4, 7)
    taken = [batches.take() for _ in range(6)]
    assert sorted(np.concatenate(taken[:3])) == list(range(12))
    assert all(np.array_equal(a, again.take()) for a in taken)


def test_an_interrupted_training_goes_on_as_if_it_had_not_been(target, tmp_path):
    ids = torch.arange(40).reshape(2, 20)
    p_target = target(ids).logits[:, :-1].flatten(0, 1).softmax(-1)

    def student():
        torch.manual_seed(4)
        one, step = Student.begin(build(1, 32, Tokenizer(64)), 1e-3, tmp_path / "work", tmp_path / "out")
        one.body = one.model.model  # not compiled: the test is about what is kept
        return one, step

    first, step = student()
    assert step == 0
    for _ in range(3):
        first.learn(distil, ids, p_target, 0.5, 1.0)
    first.save(3, {})
    second, step = student()
    assert step == 3
    assert [second.learn(distil, ids, p_target, 0.5, 1.0) for _ in range(3)] == [
        first.learn(distil, ids, p_target, 0.5, 1.0) for _ in range(3)
    ]
