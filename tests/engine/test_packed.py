"""One packed forward of B tokens gives what one request at a time gives."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from expediter.engine.requests import Requests
from expediter.engine.target import Target
from tests.engine import tiny


def started(lengths: list[int], vocabulary: int, seed: int = 0) -> Requests:
    rng = np.random.default_rng(seed)
    requests = Requests(len(lengths))
    for slot, n in enumerate(lengths):
        requests.start(slot, slot, rng.integers(0, vocabulary, n).tolist(), 160, "stories", "")
    return requests


@pytest.mark.parametrize("kind", ["llama", "qwen3", "gpt-neox", "gpt2"])
def test_packed_logits_equal_one_by_one(kind):
    reference = tiny.model(kind)
    target = Target(tiny.model(kind), tiny.PLACE)
    requests = started([3, 40, 17, 2], 64)
    slots = np.arange(4)
    store = target.store(4, 176)
    target.prefill(store, requests, slots)
    rng = np.random.default_rng(1)
    tokens = np.concatenate([requests.anchors(4)[:, None], rng.integers(0, 64, (4, 5))], axis=1)
    counts = np.array([1, 6, 3, 2])
    logits = target.read(store, tokens, counts, requests.length - 1, slots)
    assert logits.shape == (counts.sum(), 64)
    row = 0
    for r, count in enumerate(counts):
        alone = np.concatenate([requests.tokens[r, : requests.length[r] - 1], tokens[r, :count]])
        with torch.inference_mode():
            expected = reference(torch.from_numpy(alone)[None]).logits[0, -count:]
        torch.testing.assert_close(logits[row : row + count], expected, atol=1e-4, rtol=0)
        row += count


def test_a_prefill_of_some_slots_leaves_the_others_alone():
    target = Target(tiny.model(), tiny.PLACE)
    requests = started([8, 9, 10], 64)
    store = target.store(3, 176)
    target.prefill(store, requests, np.arange(3))
    before = store.keys[:, 0].clone(), store.keys[:, 2].clone()
    requests.start(1, 7, [5, 6, 7, 8, 9, 10], 160, "code", "")
    target.prefill(store, requests, np.array([1]))
    assert torch.equal(store.keys[:, 0], before[0])
    assert torch.equal(store.keys[:, 2], before[1])


def test_store_after_rejections_equals_a_fresh_prefill():
    from expediter.core.settings import Settings
    from expediter.engine.loop import Engine

    pair = tiny.pair()
    engine = Engine(pair, Settings(pair="tiny", load=5, depth=4, temperature=1.0, policy="all", seed=3), tiny.rising())
    refusals = 0
    for _ in range(12):
        trace = engine.step()
        refusals += trace.count("refused")
    assert refusals > 10
    requests = engine.requests
    fresh = pair.target.store(5, requests.tokens.shape[1])
    pair.target.prefill(fresh, requests, np.arange(5))
    for slot in range(5):
        read = requests.length[slot] - 1
        torch.testing.assert_close(engine.store.keys[:, slot, :, :read], fresh.keys[:, slot, :, :read], atol=1e-4, rtol=0)
        torch.testing.assert_close(engine.store.values[:, slot, :, :read], fresh.values[:, slot, :, :read], atol=1e-4, rtol=0)


step = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=3, max_size=3)


@settings(max_examples=15)
@given(st.lists(step, min_size=1, max_size=6), st.integers(0, 2**16))
def test_any_sequence_of_refusals_leaves_what_a_fresh_prefill_would(steps, seed):
    """Per step and request: how many drafts are sent, how many of them pass at most, and whether a fresh request then takes its place."""
    target = Target(tiny.model(), tiny.PLACE)
    requests, rng = started([3, 20, 8], 64, seed), np.random.default_rng(seed)
    store = target.store(3, 176)
    target.prefill(store, requests, np.arange(3))
    for done in steps:
        sent = np.array([n for n, _, _ in done])
        tokens = np.concatenate([requests.anchors(3)[:, None], rng.integers(0, 64, (3, 4))], axis=1)
        target.read(store, tokens, 1 + sent, requests.length - 1, np.arange(3))
        for slot, (n, most, leaves) in enumerate(done):
            requests.commit(slot, [*tokens[slot, 1 : 1 + min(n, most)].tolist(), int(rng.integers(64))], frozenset())
            if leaves:
                requests.start(slot, 9, rng.integers(0, 64, 5).tolist(), 160, "code", "")
                target.prefill(store, requests, np.array([slot]))
    fresh = target.store(3, 176)
    target.prefill(fresh, requests, np.arange(3))
    for slot, read in enumerate(requests.length - 1):
        torch.testing.assert_close(store.keys[:, slot, :, :read], fresh.keys[:, slot, :, :read], atol=1e-4, rtol=0)
        torch.testing.assert_close(store.values[:, slot, :, :read], fresh.values[:, slot, :, :read], atol=1e-4, rtol=0)


def test_growing_keeps_what_is_stored():
    target = Target(tiny.model(), tiny.PLACE)
    requests = started([8, 9], 64)
    store = target.store(2, 176)
    target.prefill(store, requests, np.arange(2))
    before = store.values.clone()
    store.grow(6)
    assert store.slots == 6
    assert torch.equal(store.values[:, :2], before)
