"""Training a block drafter: what it loses, what it may see, that it learns, what a restart repeats."""

import copy
import math

import numpy as np
import pytest
import torch

from expediter.engine.requests import Requests
from expediter.engine.target import Target
from models.recipes import dspark
from models.recipes.dspark_loss import Batch, judge, loss_of, terms
from models.recipes.dspark_net import DSparkNet
from models.recipes.dspark_texts import Texts
from models.recipes.target import build, resume, save_state
from tests.engine import tiny
from tests.recipes.stand_in import Tokenizer

CONFIG = tiny.dspark_config(block=4)
V, WIDTH = CONFIG.vocabulary, CONFIG.width


@pytest.fixture
def target():
    torch.manual_seed(1)
    return build(2, WIDTH, Tokenizer(V)).eval().requires_grad_(False)


@pytest.fixture
def net():
    torch.manual_seed(2)
    return DSparkNet(CONFIG, 64)


def some_texts(target, tmp_path, count: int = 12) -> Texts:
    rng = np.random.default_rng(3)
    docs = [np.concatenate([[1, 9, 2], rng.integers(3, V, rng.integers(12, 20))]).astype(np.int32) for _ in range(count)]
    return Texts(docs, target, CONFIG.features, [2] * count, tmp_path / "own.f16")


def test_the_three_terms_are_the_papers():
    p_d, p_t = torch.tensor([[0.5, 0.5]]), torch.tensor([[0.7, 0.3]])
    z, weight = torch.zeros(1), torch.ones(1)
    loss = float(terms(p_d.log(), p_t, torch.tensor([0]), z, weight, torch.tensor(0.0)))
    assert loss == pytest.approx(0.1 * math.log(2) + 0.9 * 0.4 + math.log(2), abs=1e-6)  # c* = .8, the head says .5
    sure = float(terms(p_d.log(), p_t, torch.tensor([0]), torch.tensor([math.log(4)]), weight, torch.tensor(0.0)))
    assert sure < loss  # σ(log 4) = .8


def test_what_is_never_proposed_counts_as_distance_and_teaches_no_word():
    p_d, p_t = torch.tensor([[0.5, 0.5]]), torch.tensor([[0.4, 0.2]])  # the target gives .4 to words that the draft cannot guess
    z, weight = torch.zeros(1), torch.ones(1)
    loss = float(terms(p_d.log(), p_t, torch.tensor([-1]), z, weight, torch.tensor(0.0)))
    assert loss == pytest.approx(0.9 * 0.8 + math.log(2), abs=1e-6)  # ‖p_d − p_t‖₁ = .1 + .3 + .4


def test_a_drafter_of_few_words_learns_and_is_judged_over_all(target, tmp_path):
    few = tiny.dspark_config(block=4, proposes=24)
    ids = torch.arange(0, 2 * 24, 2)
    net = DSparkNet(few, 64, ids)
    texts = some_texts(target, tmp_path)
    embedding, head = target.model.embed_tokens.weight, target.lm_head.weight
    batch = texts.draw(np.arange(6), 4, np.random.default_rng(1))
    seen = []
    loss_of(net, batch, embedding, head[ids], 0.5, lambda *a: seen.append(a) or a[0].sum())
    logits, p_target, token = seen[0][:3]
    assert logits.shape == p_target.shape
    assert p_target.shape[1] == 24
    assert (p_target.sum(-1) < 1).all()
    assert (token < 0).any()
    at, real = batch.places()
    right = batch.ids[real.nonzero(as_tuple=True)[0], at[real]]
    assert (ids[token[token >= 0]] == right[token >= 0]).all()
    for report in judge(net, texts.test(4), embedding, head).values():
        assert 1 <= report["tokens_per_step"] < 5


def test_later_places_weigh_less(net, target, tmp_path):
    batch = some_texts(target, tmp_path).draw(np.arange(4), CONFIG.block, np.random.default_rng(0))
    weights = []
    loss_of(net, batch, target.model.embed_tokens.weight, target.lm_head.weight, 0.0, lambda *a: weights.append(a[4]) or a[0].sum())
    assert sorted({round(float(w), 5) for w in weights[0]}, reverse=True) == [round(math.exp(-k / 4), 5) for k in range(batch.depth)]


def test_a_block_sees_what_stands_before_its_anchor_and_no_more(net, target, tmp_path):
    batch = some_texts(target, tmp_path).batch(np.arange(2), np.array([[6, 9], [4, 8]]), CONFIG.block)
    embedding = target.model.embed_tokens.weight
    seen = net(batch.ids, batch.features, batch.anchors, batch.depth, embedding)
    features, ids = batch.features.clone(), batch.ids.clone()
    features[0, 6:] += 1
    features[1, 4:] += 1
    ids[0, 7:] = 5
    changed = net(ids, features, batch.anchors[:, :1], batch.depth, embedding)
    torch.testing.assert_close(changed[:, 0], seen[:, 0])
    features[:, 3] += 1
    assert not torch.allclose(net(ids, features, batch.anchors[:, :1], batch.depth, embedding)[:, 0], seen[:, 0], atol=1e-3)


def test_anchors_stand_in_answers_and_guesses_beyond_the_text_do_not_count(target, tmp_path):
    texts = some_texts(target, tmp_path)
    depths = set()
    for seed in range(12):
        batch = texts.draw(np.arange(8), CONFIG.block, np.random.default_rng(seed))
        depths.add(batch.depth)
        assert (batch.anchors >= 2).all()
        at, real = batch.places()
        assert real[..., 0].all()  # every anchor has a token behind it
        assert (at[real] < batch.lengths[:, None, None].expand_as(at)[real]).all()
        assert (at[~real] >= batch.lengths[:, None, None].expand_as(at)[~real]).all()
    assert CONFIG.block in depths
    assert len(depths) > 1


def test_it_begins_without_a_markov_head_and_learns(net, target, tmp_path):
    texts = some_texts(target, tmp_path)
    embedding, head = target.model.embed_tokens.weight, target.lm_head.weight
    test = texts.test(CONFIG.block)
    before = judge(net, test, embedding, head)
    assert before["markov, T=0.8"] == before["plain, T=0.8"]
    opts = dspark.optimizers(net, 4e-3)
    for step in range(30):
        batch = texts.draw(np.arange(12), CONFIG.block, np.random.default_rng(step))
        loss_of(net, batch, embedding, head, 0.5).backward()
        for opt in opts:
            opt.step()
            opt.zero_grad()
    after = judge(net, test, embedding, head)
    assert after["markov, T=0.8"]["tokens_per_step"] > before["markov, T=0.8"]["tokens_per_step"] + 0.03
    assert after["markov, T=0.8"] != after["plain, T=0.8"]


def test_a_restart_goes_on_as_if_nothing_had_been(net, target, tmp_path):
    texts = some_texts(target, tmp_path)
    embedding, head = target.model.embed_tokens.weight, target.lm_head.weight

    def go(net: DSparkNet, opts, steps: range) -> float:
        for step in steps:
            loss = loss_of(net, texts.draw(np.arange(4), CONFIG.block, np.random.default_rng(step)), embedding, head, 0.5)
            loss.backward()
            for opt in opts:
                opt.step()
                opt.zero_grad()
        return float(loss.detach())

    opts = dspark.optimizers(net, 4e-3)
    go(net, opts, range(3))
    save_state(tmp_path / "work", net, opts, 3, {})
    other = DSparkNet(CONFIG, 64)
    again = dspark.optimizers(other, 4e-3)
    assert resume(tmp_path / "work", other, again) == 3
    assert go(other, again, range(3, 6)) == go(net, opts, range(3, 6))


def test_texts_carry_the_features_that_the_engine_takes(target, tmp_path):
    texts = some_texts(target, tmp_path, 3)
    served = Target(copy.deepcopy(target), tiny.PLACE, CONFIG.features)
    requests = Requests(3)
    for slot in range(3):
        requests.start(slot, slot, texts.ids[slot, : texts.lengths[slot]].tolist(), 160, "", "")
    store = served.store(3, requests.tokens.shape[1])
    served.prefill(store, requests, np.arange(3))
    batch = texts.batch(np.arange(3), np.full((3, 1), 2), CONFIG.block)
    for slot in range(3):
        read = texts.lengths[slot] - 1
        torch.testing.assert_close(store.features[slot, :read], batch.features[slot, :read], atol=1e-3, rtol=2e-3)


def test_a_perfect_drafter_passes_everywhere(target, tmp_path):
    """If the net's hidden states were the target's, every place would pass: the judge lines up guesses and states."""
    texts = some_texts(target, tmp_path)

    class Oracle(DSparkNet):
        def forward(self, ids, features, anchors, depth, embedding):
            at = (anchors[..., None] + torch.arange(depth)).flatten(1)  # [N, K·γ]
            return self.states.gather(1, at[..., None].expand(-1, -1, WIDTH)).unflatten(1, (-1, depth))

    oracle = Oracle(CONFIG, 64)
    batch: Batch
    for batch in texts.test(CONFIG.block)[:2]:
        oracle.states = batch.states
        report = judge(oracle, [batch], target.model.embed_tokens.weight, target.lm_head.weight)
        assert report["plain, T=0"]["acceptance"] == [1.0] * 4
        assert report["plain, T=0.8"]["tokens_per_step"] == pytest.approx(5, abs=1e-3)
