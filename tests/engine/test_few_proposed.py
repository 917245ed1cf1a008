"""A drafter that may guess only some of the target's words: exact all the same."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from expediter.core.settings import Settings
from expediter.engine.acceptance import judge
from expediter.engine.collect import decode, true_chance
from expediter.engine.drafter import Draft
from expediter.engine.dspark_model import DSparkModel
from expediter.engine.few_words import IDS
from expediter.engine.lean import LeanLlama
from expediter.engine.loop import Engine
from expediter.engine.model_folder import read_few
from expediter.engine.record_blocks import draft_probability
from models.recipes.dspark_net import DSparkNet
from tests.engine import tiny

V, FEW = 64, 24
CONFIG = tiny.dspark_config(V, proposes=FEW)
WEIGHTS = tiny.dspark_weights(CONFIG)


def few_and_whole(seed: int = 5, load: int = 7, depth: int = 4) -> tuple[Draft, Draft]:
    """The same draft told over the proposed tokens and over all."""
    g = torch.Generator().manual_seed(seed)
    ids = torch.randperm(V, generator=g)[:FEW].sort().values
    logits = torch.randn(load, depth, FEW, generator=g)
    p = logits.softmax(-1)
    tokens = ids[torch.multinomial(p.flatten(0, 1), 1, generator=g).view(load, depth)].numpy()
    wide = torch.zeros(load, depth, V).index_copy(-1, ids, p)
    low = torch.full((load, depth, V), -1e9).index_copy(-1, ids, logits)
    hidden = torch.zeros(load, depth, 3)
    return Draft(tokens, p, hidden, logits, ids), Draft(tokens, wide, hidden, low)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_verdict_is_the_one_over_all_words(temperature):
    for seed in range(40):
        few, whole = few_and_whole(seed)
        lengths = np.random.default_rng(seed).integers(0, 5, 7)
        logits = torch.randn(int((1 + lengths).sum()), V, generator=torch.Generator().manual_seed(seed))
        said = [judge(d, lengths, logits, temperature, seed, np.arange(7), np.arange(7) + 9) for d in (few, whole)]
        np.testing.assert_array_equal(said[0].accepted, said[1].accepted)
        np.testing.assert_array_equal(said[0].own, said[1].own)


def test_what_is_kept_of_a_block_is_the_same():
    few, whole = few_and_whole()
    logits = torch.randn(7, 4, V, generator=torch.Generator().manual_seed(1))
    for temperature in (0.0, 1.0):
        torch.testing.assert_close(true_chance(few, logits, temperature), true_chance(whole, logits, temperature))
    np.testing.assert_allclose(draft_probability(few), draft_probability(whole), rtol=1e-6)
    cold = [replace(d, distribution=None) for d in (few, whole)]
    np.testing.assert_allclose(*map(draft_probability, cold), rtol=1e-5)


@pytest.mark.parametrize("pair", [tiny.dspark_pair(V, proposes=FEW), tiny.few_pair(V, FEW)], ids=["block", "one by one"])
def test_only_proposed_words_are_guessed_and_the_text_is_the_targets(pair):
    may = set(pair.drafter(1).model.ids.tolist())
    settings = Settings(pair="tiny", load=4, depth=5, temperature=0.0, policy="all", seed=3)
    one, plain = Engine(pair, settings, tiny.rising()), Engine(pair, replace(settings, policy="off"), tiny.rising())
    for _ in range(25):
        trace = one.step()
        assert {t for r in trace.requests for t in r.tokens} <= may
    for _ in range(60):
        plain.step()
    for slot in range(4):
        both = min(one.requests.length[slot], plain.requests.length[slot])
        if one.requests.number[slot] == plain.requests.number[slot]:
            np.testing.assert_array_equal(one.requests.tokens[slot, :both], plain.requests.tokens[slot, :both])


@pytest.mark.parametrize("pair", [tiny.dspark_pair(V, proposes=FEW), tiny.few_pair(V, FEW)], ids=["block", "one by one"])
def test_blocks_are_decoded_above_temperature_zero(pair):
    for step in decode(pair, ["a", "b"], 8, 4, 1.0, seed=2):
        assert ((step.chance >= 0) & (step.chance <= 1)).all()


def test_the_lean_forward_and_the_trained_one_agree():
    net = DSparkNet(CONFIG, 200, WEIGHTS[IDS])
    net.load_state_dict(WEIGHTS)
    lean = DSparkModel(CONFIG, WEIGHTS, tiny.model(), 176)
    token = torch.arange(V)
    torch.testing.assert_close(lean.before[token], net.before(token))
    torch.testing.assert_close(lean.bias(lean.before[token]), net.bias(net.before(token)))
    hidden = torch.randn(3, CONFIG.width)
    torch.testing.assert_close(lean.logits(hidden), hidden @ tiny.model().lm_head.weight[WEIGHTS[IDS]].T)


@pytest.mark.parametrize("ids", [torch.arange(FEW - 1), torch.arange(FEW).flip(0), torch.arange(FEW) + V, None])
def test_a_list_that_names_no_tokens_is_refused(ids):
    weights = {name: value for name, value in WEIGHTS.items() if name != IDS} | ({} if ids is None else {IDS: ids})
    with pytest.raises(ValueError, match=f"does not name {FEW} of {V} tokens"):
        DSparkModel(CONFIG, weights, tiny.model(), 176)


def test_a_small_draft_of_few_words_says_what_transformers_says():
    ids = torch.arange(0, 2 * FEW, 2)
    model = tiny.model("llama", FEW + 1, layers=1)
    lean = LeanLlama(model, 32, ids, V)
    row = torch.full((V,), FEW)
    row[ids] = torch.arange(FEW)
    text = torch.randint(V, (2, 9), generator=torch.Generator().manual_seed(4))
    slots = torch.arange(2)
    hidden = lean.forward(text, torch.arange(9).expand(2, -1), slice(0, 2), slots, lean.store(2))
    with torch.no_grad():
        said = model(row[text]).logits[:, -1, :-1]
    torch.testing.assert_close(lean.logits(hidden), said, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("ids", [torch.arange(FEW - 1), torch.arange(FEW).flip(0), torch.arange(FEW) + V])
def test_a_small_drafts_list_that_names_no_tokens_is_refused(ids):
    with pytest.raises(ValueError, match=f"does not name {FEW} of {V} tokens"):
        LeanLlama(tiny.model("llama", FEW + 1, layers=1), 32, ids, V)


def few_folder(folder: Path, ids: torch.Tensor | None) -> Path:
    """A draft's folder as models/recipes/chat_draft.py leaves it."""
    model = tiny.model("llama", FEW + 1, layers=1)
    model.config.draft_vocab_size = FEW
    model.config.save_pretrained(folder)
    weights = {name: value.contiguous() for name, value in model.state_dict().items() if name != "lm_head.weight"}
    save_file(weights | ({} if ids is None else {IDS: ids}), folder / "model.safetensors")
    return folder


def test_a_small_draft_of_few_words_is_read_back(tmp_path):
    ids = torch.arange(0, 2 * FEW, 2)
    model, read = read_few(few_folder(tmp_path / "draft", ids), tiny.PLACE)
    assert torch.equal(read, ids)
    assert torch.equal(model.lm_head.weight, tiny.model("llama", FEW + 1, layers=1).lm_head.weight)


@pytest.mark.parametrize("ids", [None, torch.arange(FEW - 1)])
def test_a_small_draft_without_its_list_is_refused(tmp_path, ids):
    with pytest.raises(ValueError, match=f"{tmp_path}/draft lacks draft_to_target: restore the folder"):
        read_few(few_folder(tmp_path / "draft", ids), tiny.PLACE)
