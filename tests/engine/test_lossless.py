"""Above temperature 0 the words keep the target's own distribution: the first two tokens of 40,960 requests against the exact joint.

Pearson's statistic; its critical value and its power are simulated, not looked up. Four wrong rules must fail the same test.
"""

import numpy as np
import pytest
import torch

from expediter.core.settings import Settings
from expediter.core.step_rate import StepRate
from expediter.engine import acceptance
from expediter.engine.acceptance import Verdict
from expediter.engine.loop import Engine
from tests.engine import tiny

V, R, RUNS, ALPHA, DISTANCE = 6, 64, 640, 0.001, 0.03
FEW = 160  # runs that are enough to catch a wrong rule
ALONE = 600  # runs of a single request


def by_word(draft, temperature):
    """Place 1 falls from slot to slot; place 2 is sure or hopeless depending on the word before it, as in Appendix A."""
    r, depth = draft.tokens.shape
    c = np.empty((r, depth))
    c[:, 0] = np.linspace(0.8, 0.2, r)
    c[:, 1] = np.where(draft.tokens[:, 0] % 2 == 0, 0.95, 0.05)
    c[:, 2:] = 0.5
    return c


PAIR = tiny.pair(vocabulary=V, rule=by_word, target_seed=14, draft_seed=16, scale=0.25)
# Loading pays for most, not all, of the surest words: lengths of 0, 1 and more occur side by side.
CONVEX = StepRate(np.array([R, R + 42, R + 75, R + 4 * R]), np.array([1.0, 1.25, 1.7, 9.0]))
# Every first word costs more than it brings, but first and second together pay: only who looks past the dip loads.
DIP = StepRate(np.array([1, 2, 3, 4]), np.array([1.0, 2.0, 2.2, 4.0]))


def target_joint() -> np.ndarray:
    """P(t1, t2) behind the prompt, straight from the model. [V, V]"""
    model, prompt = PAIR.target.model, [i % V for i in PAIR.tokenizer.prompt]
    plain = tiny.model("llama", V, 14, 0.25)
    plain.load_state_dict(model.state_dict())
    with torch.inference_mode():
        first = torch.softmax(plain(torch.tensor([prompt])).logits[0, -1].double(), -1)
        then = torch.softmax(plain(torch.tensor([[*prompt, t] for t in range(V)])).logits[:, -1].double(), -1)
    return (first[:, None] * then).numpy()


def sampled(policy: str, rate: StepRate, load: int, runs: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts of the first two committed tokens [V, V], and how often each length was sent in the first two steps [γ + 1]."""
    counts, lengths = np.zeros((V, V)), np.zeros(5)
    for seed in range(runs):
        engine = Engine(PAIR, Settings(pair="tiny", load=load, depth=4, temperature=1.0, policy=policy, seed=seed), tiny.Table(rate))
        while (engine.requests.length - engine.requests.prompt_length).min() < 2 or engine.steps == 0:
            for request in engine.step().requests:
                lengths[request.sent] += 1
        start = engine.requests.prompt_length
        rows = np.arange(load)
        np.add.at(counts, (engine.requests.tokens[rows, start], engine.requests.tokens[rows, start + 1]), 1)
    return counts, lengths


def cells(counts: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cells expected below 10 pooled into one. → counts, probabilities"""
    rare = p.ravel() * counts.sum() < 10
    pool = lambda x: np.append(x.ravel()[~rare], x.ravel()[rare].sum())  # noqa: E731
    pooled = pool(p)
    return (pool(counts), pooled) if pooled[-1] > 0 else (pool(counts)[:-1], pooled[:-1])


def pearson(counts: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Σ (n − Np)² / Np along the last axis."""
    expected = counts.sum(axis=-1, keepdims=True) * p
    return ((counts - expected) ** 2 / expected).sum(axis=-1)


def critical(p: np.ndarray, n: int) -> float:
    """The statistic that the true distribution exceeds with probability ALPHA."""
    draws = np.random.default_rng(0).multinomial(n, p, size=60_000)
    return float(np.quantile(pearson(draws, p), 1 - ALPHA))


def fails(counts: np.ndarray) -> bool:
    """Whether the test says that these counts are not the target's."""
    counts, p = cells(counts, target_joint())
    return bool(pearson(counts, p) > critical(p, int(counts.sum())))


def test_the_test_sees_a_total_variation_of_three_hundredths():
    joint = target_joint()
    n = R * RUNS
    order = np.argsort(joint, axis=None)
    bent = joint.ravel().copy()
    half = len(order) // 2
    bent[order[half:]] -= DISTANCE * bent[order[half:]] / bent[order[half:]].sum()
    bent[order[:half]] += DISTANCE * bent[order[:half]] / bent[order[:half]].sum()
    assert np.abs(bent - joint.ravel()).sum() / 2 == pytest.approx(DISTANCE)
    _, p = cells(np.full((V, V), n / V**2), joint)
    rare = joint.ravel() * n < 10
    q = np.append(bent[~rare], bent[rare].sum()) if rare.any() else bent
    draws = np.random.default_rng(1).multinomial(n, q, size=4000)
    assert (pearson(draws, p) > critical(p, n)).mean() >= 0.99


def test_early_stop_keeps_the_targets_distribution():
    counts, lengths = sampled("early-stop", CONVEX, R, RUNS)
    share = lengths / lengths.sum()
    assert min(share[0], share[1], share[2:].sum()) >= 0.1
    assert counts.sum() == R * RUNS
    assert not fails(counts)


def test_early_stop_keeps_it_beside_a_dip():
    counts, _ = sampled("early-stop", DIP, 1, ALONE)
    assert not fails(counts)


def always(draft, lengths, logits, temperature, seed, number, start):
    honest = acceptance.judge(draft, lengths, logits, temperature, seed, number, start)
    first = np.cumsum(1 + lengths) - (1 + lengths)
    p = torch.softmax(logits[torch.from_numpy(first + lengths)], dim=-1)
    own = acceptance.pick(p, acceptance.uniforms(seed, number, start + lengths, acceptance.OWN)).numpy()
    return Verdict(lengths.copy(), np.where(honest.accepted == lengths, honest.own, own))


def bonus_from_draft(draft, lengths, logits, temperature, seed, number, start):
    honest = acceptance.judge(draft, lengths, logits, temperature, seed, number, start)
    depth = draft.tokens.shape[1]
    rows = torch.arange(len(lengths))
    p = draft.distribution[rows, torch.from_numpy(np.minimum(lengths, depth - 1))]
    own = acceptance.pick(p, acceptance.uniforms(seed, number, start + lengths, acceptance.OWN)).numpy()
    return Verdict(honest.accepted, np.where((honest.accepted == lengths) & (lengths < depth), own, honest.own))


@pytest.mark.parametrize("wrong", [always, bonus_from_draft])
def test_a_wrong_verdict_fails(wrong, monkeypatch):
    monkeypatch.setattr("expediter.engine.loop.judge", wrong)
    assert fails(sampled("early-stop", CONVEX, R, FEW)[0])


def test_a_residual_drawn_from_the_target_fails(monkeypatch):
    monkeypatch.setattr(acceptance, "own_distribution", lambda p_target, p_draft, refused: p_target)
    assert fails(sampled("early-stop", CONVEX, R, FEW)[0])


def test_peeking_past_a_dip_fails():
    assert fails(sampled("global", DIP, 1, ALONE)[0])
