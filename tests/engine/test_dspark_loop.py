"""The block drafter inside the engine: the same words as plain decoding at temperature 0, through every policy and every change."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from expediter.core.settings import Settings
from expediter.core.step_rate import StepRate
from expediter.engine.calibrate import calibrate
from expediter.engine.confidence import Probe
from expediter.engine.loop import Engine
from expediter.engine.profiler import measure
from tests.engine import tiny

PAIR = tiny.dspark_pair(scale=0.2)
TOKENS = 40
BUSY = tiny.Table(StepRate([8, 16, 32, 72], [0.020, 0.021, 0.040, 0.110]))


@torch.inference_mode()
def plain(length: int) -> list[int]:
    """Greedy decoding of the stand-in prompt, each token from the whole text before it."""
    model = tiny.model(scale=0.2)
    ids = list(PAIR.tokenizer.prompt)
    for _ in range(length):
        ids.append(int(model(torch.tensor([ids])).logits[0, -1].argmax()))
    return ids[len(PAIR.tokenizer.prompt) :]


@pytest.fixture(scope="module")
def expected() -> list[int]:
    return plain(TOKENS)


@pytest.mark.parametrize("policy", ["early-stop", "global", "stale", "fixed:2", "all", "off"])
def test_every_policy_writes_what_plain_decoding_writes(expected, policy):
    engine = Engine(PAIR, Settings(pair="tiny", load=8, depth=5, temperature=0.0, policy=policy, seed=5), BUSY, limit=(100, 100))
    sent = 0
    while (engine.requests.length - engine.requests.prompt_length).min() < TOKENS:
        sent += sum(r.sent for r in engine.step().requests)
    assert (sent > 0) == (policy != "off")
    for slot in range(8):
        assert engine.requests.answer(slot)[:TOKENS].tolist() == expected


def test_changes_on_the_way_do_not_change_the_words(expected):
    base = Settings(pair="tiny", load=3, depth=5, temperature=0.0, policy="all", seed=5)
    engine = Engine(PAIR, base, tiny.rising(), limit=(100, 100))
    for step in range(24):
        change = [{}, {"load": 6}, {"policy": "off"}, {"depth": 2}, {"load": 1}, {"load": 4, "depth": 8}][step % 6]
        engine.change(replace(base, **change))
        engine.step()
    served = [slot for slot in range(3) if engine.requests.length[slot] > len(PAIR.tokenizer.prompt) + 10]
    assert served
    for slot in served:
        answer = engine.requests.answer(slot)[:TOKENS].tolist()
        assert answer == expected[: len(answer)]


def test_it_is_calibrated_and_profiled_like_any_other():
    fitted, figures = calibrate(PAIR, [f"p{i}" for i in range(30)], (40, 40, 40))
    draft = Engine(PAIR, Settings(pair="tiny", load=4), tiny.rising())
    draft.step()
    made = draft.drafter.propose(draft.requests, 4, 5, 0.8, 1)
    confidence = Probe(fitted, torch.device("cpu")).score(made, 0.8)
    assert confidence.shape == (4, 5)
    assert ((confidence > 0) & (confidence < 1)).all()
    assert len(figures["temperatures"]["0.8"]["ece"]) == 8
    profile = measure(PAIR, loads=(2,), budget=0.1)
    assert np.isfinite(profile.at(0.6).step_rate(2, 64, 5).verify_seconds(2))


def test_features_of_refused_guesses_never_reach_the_context():
    engine = Engine(PAIR, Settings(pair="tiny", load=5, depth=6, temperature=1.0, policy="all", seed=3), tiny.rising())
    refusals = sum(engine.step().count("refused") for _ in range(10))
    assert refusals > 10
    fresh = PAIR.target.store(5, engine.requests.tokens.shape[1])
    PAIR.target.prefill(fresh, engine.requests, np.arange(5))
    late = PAIR.drafter(5, fresh)
    a, b = (d.propose(engine.requests, 5, 6, 1.0, 9) for d in (engine.drafter, late))
    torch.testing.assert_close(a.logits, b.logits, atol=1e-3, rtol=0)
