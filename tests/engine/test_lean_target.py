"""The lean packed forward of a target gives the numbers of transformers' own modules, for every kind of batch."""

import numpy as np
import pytest
import torch

from expediter.engine.device import Place
from expediter.engine.packed import pack
from expediter.engine.requests import Requests
from expediter.engine.target import Target
from tests.engine import tiny

LENGTHS = (5, 30, 12)


def served(target: Target) -> tuple[Requests, object]:
    rng = np.random.default_rng(0)
    requests = Requests(len(LENGTHS))
    for slot, length in enumerate(LENGTHS):
        requests.start(slot, slot, rng.integers(0, 64, length).tolist(), 100, "", "")
    return requests, target.store(len(LENGTHS), requests.tokens.shape[1])


def theirs(target: Target) -> Target:
    """The same target through transformers' modules."""
    target.lean = None
    return target


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("counts", [(1, 1, 1), (4, 4, 4), (1, 5, 3)])
@torch.inference_mode()
def test_logits_are_those_of_the_modules(counts, dtype):
    place = Place(torch.device("cpu"), dtype)
    logits = []
    for through in (lambda target: target, theirs):
        model = tiny.model()
        for weight in model.parameters():  # and not the angles' frequencies, which loading in a short format leaves as they are
            weight.data = weight.data.to(dtype)
        target = through(Target(model, place))
        requests, store = served(target)
        slots = np.arange(len(LENGTHS))
        target.prefill(store, requests, slots)
        tokens = np.random.default_rng(1).integers(0, 64, (len(LENGTHS), max(counts)))
        logits.append(target.read(store, tokens, np.array(counts), requests.length - 1, slots))
    assert logits[0].shape == (sum(counts), 64)
    assert logits[0].float() == pytest.approx(logits[1].float(), abs=1e-5 if dtype == torch.float32 else 0)


@torch.inference_mode()
def test_features_are_those_of_the_modules():
    ours = Target(tiny.model(), tiny.PLACE, features=(0, 1))
    plain, outputs = tiny.model(), []
    requests, store = served(ours)
    ours.prefill(store, requests, np.arange(len(LENGTHS)))
    for layer in plain.model.layers:
        layer.register_forward_hook(lambda module, arguments, output: outputs.append(output[0]))
    for slot, length in enumerate(LENGTHS):
        outputs.clear()
        plain(input_ids=torch.from_numpy(requests.tokens[slot, : length - 1])[None], use_cache=False)
        assert store.features[slot, : length - 1] == pytest.approx(torch.cat(outputs, dim=-1), rel=1e-5, abs=1e-5)


@torch.inference_mode()
def test_a_text_longer_than_any_before_has_angles_too():
    target = Target(tiny.model(), tiny.PLACE)
    requests = Requests(1, room=200)
    requests.start(0, 0, [7] * 180, 190, "", "")
    store = target.store(1, 216)
    target.prefill(store, requests, np.array([0]))
    slots = np.array([0])
    packed = pack(np.array([[3, 4]]), np.array([2]), requests.length - 1, slots, store, target.groups)
    lean = target.forward(packed)
    assert lean == pytest.approx(theirs(target).forward(packed), abs=1e-5)


@pytest.mark.parametrize("kind", ["gpt2", "gpt-neox", "qwen3"])
def test_other_kinds_keep_their_own_forward(kind):
    assert Target(tiny.model(kind), tiny.PLACE).lean is None
    assert Target(tiny.model(), tiny.PLACE).lean is not None
