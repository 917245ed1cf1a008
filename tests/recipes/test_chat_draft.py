"""Training a one-layer draft that knows few of its target's words: what it loses, what it learns from, what is written."""

import argparse

import numpy as np
import pytest
import torch

from expediter.engine.model_folder import read_few
from models.recipes import chat_draft
from models.recipes.chat_draft import acceptance, build, guesses, loss, write
from models.recipes.dspark_texts import Texts
from models.recipes.target import build as a_target
from models.recipes.target import optimizers
from tests.engine import tiny
from tests.recipes.stand_in import Tokenizer

V, FEW = 200, 90
IDS = torch.arange(0, 2 * FEW, 2)
ROW = torch.full((V,), FEW).index_copy(0, IDS, torch.arange(FEW))
OPTIONS = argparse.Namespace(width=64, peak=4e-3)


@pytest.fixture
def target():
    torch.manual_seed(1)
    return a_target(2, 64, Tokenizer(V)).eval().requires_grad_(False)


@pytest.fixture
def texts(target, tmp_path):
    rng = np.random.default_rng(3)
    docs = [np.concatenate([[1, 9, 2], rng.integers(3, V, rng.integers(12, 20))]).astype(np.int32) for _ in range(12)]
    return Texts(docs, target, (), [2] * len(docs), tmp_path / "train.f16")


def student(target):
    return build(OPTIONS, target.lm_head.weight[IDS] * target.model.norm.weight, 0)


def test_a_word_that_is_never_proposed_counts_as_distance_and_teaches_nothing():
    logits, p_target = torch.tensor([[0.5, 0.5]]).log(), torch.tensor([[0.4, 0.2]])  # .4 falls on words that it does not know
    assert float(loss(logits, p_target, torch.tensor([2]), torch.tensor(0.0))) == pytest.approx(0.9 * 0.8)  # .1 + .3 + .4
    known = 0.1 * float(-logits[0, 1])
    assert float(loss(logits, p_target, torch.tensor([1]), torch.tensor(0.0))) == pytest.approx(0.9 * 0.8 + known)


def test_it_learns_from_the_answers_only(target, texts):
    model = student(target)
    pick = np.array([0, 3])
    logits, state, log_z, token = guesses(model.model, model, texts, pick, ROW)
    right = np.concatenate([texts.ids[i, 3 : texts.lengths[i]] for i in pick])  # from the token behind the prompt's last on
    torch.testing.assert_close(token, ROW[torch.from_numpy(right)])
    assert logits.shape == (len(right), FEW)
    whole = state @ target.lm_head.weight.T
    torch.testing.assert_close(whole.logsumexp(-1), log_z, atol=2e-2, rtol=1e-2)  # the states are kept in half precision


def test_it_starts_unsure_and_comes_nearer(target, texts):
    model, whole = student(target), target.lm_head.weight
    before = acceptance(model, texts, ROW, whole, IDS)
    opts = optimizers(model, 4e-3)
    for _ in range(40):
        logits, state, log_z, token = guesses(model.model, model, texts, np.arange(12), ROW)
        assert logits.std() < 30
        p_target = (state @ whole[IDS].T - log_z[:, None]).exp()
        loss(logits, p_target, token, torch.tensor(0.5)).backward()
        for opt in opts:
            opt.param_groups[0]["lr"] = 4e-3
            opt.step()
            opt.zero_grad()
    after = acceptance(model, texts, ROW, whole, IDS)
    assert after["1"] > before["1"] + 0.02
    assert all(0 <= value <= 1 for value in after.values())


def test_what_is_written_is_what_the_engine_reads(target, tmp_path):
    model = student(target)
    write(model, IDS, tmp_path / "draft")
    read, ids = read_few(tmp_path / "draft", tiny.PLACE)
    assert torch.equal(ids, IDS)
    torch.testing.assert_close(read.lm_head.weight, model.lm_head.weight.bfloat16().float())
    assert read.config.draft_vocab_size == FEW


def test_its_options_are_the_ones_of_its_help(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["chat_draft", "--help"])
    with pytest.raises(SystemExit):
        chat_draft.options()
    assert "--proposes" in capsys.readouterr().out
