"""The block drafter against everything recomputed from nothing, through refusals, pauses, newcomers, other loads and depths."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from expediter.engine import matrix
from expediter.engine.drafter import Draft
from expediter.engine.dspark import BlockDrafter
from expediter.engine.dspark_config import as_json, is_dspark, parse
from expediter.engine.dspark_model import DSparkModel
from expediter.engine.requests import Requests
from expediter.engine.sampling import pick
from expediter.engine.target import Target
from expediter.engine.uniforms import DRAFT, uniforms
from models.recipes.dspark_net import DSparkNet
from tests.engine import tiny

CONFIG = tiny.dspark_config()
WEIGHTS = tiny.dspark_weights(CONFIG)


def reference() -> DSparkNet:
    net = DSparkNet(CONFIG, 200)
    net.load_state_dict(WEIGHTS)
    return net.eval()


PLAIN, NET = tiny.model(), reference()


class Serving:
    """A target, a drafter and requests, moved on by the test."""

    def __init__(self, lengths: list[int], markov: bool = True):
        model = tiny.model()
        self.target = Target(model, tiny.PLACE, CONFIG.features)
        self.requests = Requests(len(lengths))
        self.store = self.target.store(len(lengths), 176)
        self.drafter = BlockDrafter(DSparkModel(CONFIG, WEIGHTS, model, 176), len(lengths), self.store, markov)
        self.rng = np.random.default_rng(4)
        self.started = 0
        for slot, n in enumerate(lengths):
            self.start(slot, n)

    def start(self, slot: int, length: int) -> None:
        self.requests.start(slot, self.started, self.rng.integers(1, 64, length).tolist(), 160, "stories", "")
        self.target.prefill(self.store, self.requests, np.array([slot]))
        self.started += 1

    def move(self, load: int, draft: Draft | None) -> None:
        """The target reads random lengths of what was drafted; random prefixes pass, and a random word follows."""
        guesses = draft.tokens if draft else np.zeros((load, 0), dtype=np.int64)
        sent = self.rng.integers(0, guesses.shape[1] + 1, load)
        tokens = np.concatenate([self.requests.anchors(load)[:, None], guesses], axis=1)
        self.target.read(self.store, tokens, 1 + sent, self.requests.length[:load] - 1, np.arange(load))
        for slot in range(load):
            accepted = int(self.rng.integers(0, sent[slot] + 1))
            self.requests.commit(slot, [*guesses[slot, :accepted].tolist(), int(self.rng.integers(1, 64))], frozenset())


@torch.inference_mode()
def expected(text: np.ndarray, tokens: np.ndarray, markov: bool = True) -> tuple[torch.Tensor, torch.Tensor]:
    """Hidden states and logits of one block behind a committed text, from plain modules. → [γ, d + rank], [γ, V]"""
    depth = len(tokens)
    ids = torch.from_numpy(text)[None]
    out = PLAIN.model(ids, output_hidden_states=True, use_cache=False)
    features = torch.cat([_layer_output(ids, layer, out) for layer in CONFIG.features], dim=-1)
    hidden = NET(ids, features, torch.tensor([[len(text) - 1]]), depth, PLAIN.model.embed_tokens.weight)[0, 0]  # [γ, d]
    before = NET.before(torch.from_numpy(np.concatenate([text[-1:], tokens[:-1]])))  # [γ, rank]
    logits = PLAIN.lm_head(hidden) + (NET.bias(before) if markov else 0)
    return torch.cat([hidden, before], dim=-1), logits


def _layer_output(ids: torch.Tensor, layer: int, out) -> torch.Tensor:
    """A layer's own output; transformers lists the last one only behind the final norm."""
    if layer + 1 < len(out.hidden_states) - 1:
        return out.hidden_states[layer + 1]
    kept = []
    handle = PLAIN.model.layers[layer].register_forward_hook(lambda module, args, output: kept.append(output))
    PLAIN.model(ids, use_cache=False)
    handle.remove()
    return kept[0]


def check(serving: Serving, draft: Draft, load: int, markov: bool = True) -> None:
    for r in range(load):
        text = serving.requests.tokens[r, : serving.requests.length[r]]
        hidden, logits = expected(text, draft.tokens[r], markov)
        torch.testing.assert_close(draft.hidden[r], hidden, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(draft.logits[r], logits, atol=1e-3, rtol=1e-4)


def test_blocks_equal_the_slow_reference_through_any_history():
    serving = Serving([5, 12, 30])
    for step in range(14):
        if step == 9:  # more slots
            serving.requests.grow(5)
            serving.store.grow(5)
            serving.start(3, 6)
            serving.start(4, 11)
        if step in (4, 6):  # newcomers, one shorter and one longer than who left
            serving.start(1, 4 if step == 4 else 40)
        load = [3, 2, 3, 1, 3][step % 5] if step < 9 else [5, 3, 5][step % 3]
        if step in (2, 7):  # not drafting: the target reads the anchors alone
            serving.move(load, None)
            continue
        draft = serving.drafter.propose(serving.requests, load, 1 + step % CONFIG.block, 0.8 if step % 2 else 0.0, 7)
        check(serving, draft, load)
        serving.move(load, draft)


def test_without_the_markov_head_the_base_logits_are_sampled():
    serving = Serving([5, 12], markov=False)
    check(serving, serving.drafter.propose(serving.requests, 2, 5, 1.0, 3), 2, markov=False)


def test_a_late_drafter_knows_what_an_early_one_knows():
    serving = Serving([5, 12])
    for _ in range(3):
        serving.move(2, serving.drafter.propose(serving.requests, 2, 4, 1.0, 3))
    late = BlockDrafter(serving.drafter.model, 2, serving.store)
    a, b = (d.propose(serving.requests, 2, 4, 1.0, 5) for d in (serving.drafter, late))
    torch.testing.assert_close(a.logits, b.logits, atol=1e-5, rtol=0)


@pytest.mark.parametrize("temperature", [0.4, 1.0])
def test_the_distribution_returned_is_the_one_sampled_from(temperature):
    serving = Serving([5, 12, 30])
    draft = serving.drafter.propose(serving.requests, 3, 6, temperature, 11)
    torch.testing.assert_close(draft.distribution, (draft.logits / temperature).softmax(-1))
    places = np.arange(6)
    u = uniforms(11, serving.requests.number[:3, None], serving.requests.length[:3, None] + places, DRAFT, places)
    for k in places:
        assert pick(draft.distribution[:, k], u[:, k]).tolist() == draft.tokens[:, k].tolist()


def test_what_is_known_at_a_place_does_not_depend_on_the_word_sampled_there():
    serving = Serving([5, 12, 30])
    drafts = [serving.drafter.propose(serving.requests, 3, 6, 1.5, seed) for seed in range(6)]
    seen = 0
    for a in drafts:
        for b in drafts:
            for r in range(3):
                differ = np.flatnonzero(a.tokens[r] != b.tokens[r])
                if len(differ):
                    k = differ[0]
                    assert torch.equal(a.hidden[r, : k + 1], b.hidden[r, : k + 1])
                    assert torch.equal(a.logits[r, : k + 1], b.logits[r, : k + 1])
                    seen += 1
    assert seen > 20


def test_the_same_address_gives_the_same_block_whoever_else_is_served():
    serving = Serving([5, 12, 30])
    many, few = (serving.drafter.propose(serving.requests, load, 6, 1.0, 2) for load in (3, 1))
    assert many.tokens[0].tolist() == few.tokens[0].tolist()


def test_a_drafter_without_the_targets_store_says_what_it_needs():
    serving = Serving([5])
    drafter = BlockDrafter(serving.drafter.model, 1, None)
    assert drafter.max_depth == CONFIG.block
    with pytest.raises(ValueError, match="target's store"):
        drafter.propose(serving.requests, 1, 3, 0.0, 0)


def test_a_drafter_of_another_target_is_refused():
    with pytest.raises(ValueError, match="do not belong together"):
        DSparkModel(CONFIG, WEIGHTS, tiny.model(vocabulary=32), 176)
    with pytest.raises(ValueError, match="layer 1 of its target, which has 1"):
        DSparkModel(CONFIG, WEIGHTS, tiny.model(layers=1), 176)
    with pytest.raises(ValueError, match=r"lack fc\.weight"):
        DSparkModel(CONFIG, {k: v for k, v in WEIGHTS.items() if k != "fc.weight"}, tiny.model(), 176)


def test_what_the_recipe_writes_is_read_back(tmp_path):
    NET.write(tmp_path)
    data = json.loads((tmp_path / "config.json").read_text())
    assert is_dspark(data)
    assert parse(data, "d") == CONFIG
    weights = load_file(tmp_path / "model.safetensors")
    assert weights.keys() == WEIGHTS.keys()
    torch.testing.assert_close(weights["fc.weight"].float(), WEIGHTS["fc.weight"], atol=1e-2, rtol=1e-2)


@pytest.mark.parametrize(
    ("change", "say"),
    [
        ({"block_size": None}, "does not give block_size"),
        ({"block_size": "7"}, "no sensible block_size"),
        ({"hidden_size": True}, "no sensible hidden_size"),
        ({"target_layer_ids": 3}, "no sensible target_layer_ids"),
        ({"rms_norm_eps": 2}, "no sensible rms_norm_eps"),
        ({"architectures": ["Gemma4DSparkModel"]}, "is a Gemma4DSparkModel"),
        ({"rope_parameters": {"rope_type": "yarn"}}, "kind yarn"),
        ({"markov_head_type": "rnn"}, "no plain low-rank Markov head"),
        ({"layer_types": ["sliding_attention"]}, "windowed attention"),
    ],
)
def test_a_layout_that_is_not_read_is_refused_by_name(change, say):
    data = {k: v for k, v in (as_json(CONFIG) | change).items() if v is not None}
    with pytest.raises(ValueError, match=say):
        parse(data, "models/x")


def test_products_in_a_shorter_format_guess_nearly_the_same(monkeypatch):
    monkeypatch.setattr(matrix, "LEAST", 0)  # this one is small
    drafts = []
    for products in (None, torch.bfloat16):
        serving = Serving([5, 12, 30])
        serving.drafter = BlockDrafter(DSparkModel(CONFIG, WEIGHTS, tiny.model(), 176, products), 3, serving.store)
        drafts.append(serving.drafter.propose(serving.requests, 3, 5, 1.0, 3))
    exact, short = drafts
    assert short.hidden.dtype == short.logits.dtype == torch.float32
    torch.testing.assert_close(short.hidden[:, 0], exact.hidden[:, 0], atol=0.1, rtol=0.05)  # later places follow what was sampled
    assert not torch.equal(short.hidden, exact.hidden)
