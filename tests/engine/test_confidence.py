"""Confidence: the batched probe against core's reference, no peeking at the sampled token, and a fit that finds the truth."""

import numpy as np
import pytest
import torch

from expediter.core.calibration import Calibration
from expediter.engine.calibrate import TEMPERATURES, calibrate, fit_probe
from expediter.engine.calibration_store import read_calibration, write_calibration
from expediter.engine.collect import Blocks, collect, joined
from expediter.engine.confidence import TOGETHER, Probe, best_two, evidence, width
from expediter.engine.drafter import Draft
from tests.engine import tiny

HIDDEN, V = 6, 11


def some_draft(seed: int = 0, r: int = 3, depth: int = 4) -> Draft:
    g = torch.Generator().manual_seed(seed)
    tokens = torch.randint(0, V, (r, depth), generator=g).numpy()
    return Draft(tokens, None, torch.randn(r, depth, HIDDEN, generator=g), torch.randn(r, depth, V, generator=g))


def some_calibration() -> Calibration:
    rng = np.random.default_rng(1)
    weights, bends = rng.normal(0, 0.3, (3, width(HIDDEN))), rng.uniform(0.3, 2, (3, 4))
    return Calibration([0.0, 0.8, 1.5], weights, rng.normal(0, 1, 3), rng.uniform(0.5, 2, (3, 8)), bends)


def test_the_batched_probe_equals_the_reference():
    draft, calibration = some_draft(), some_calibration()
    features = evidence(draft).double().numpy()
    for temperature in (0.0, 0.3, 0.8, 1.1, 1.5):
        expected = np.stack([calibration.confidence(features[:, k], k + 1, temperature) for k in range(4)], axis=1)
        np.testing.assert_allclose(Probe(calibration, torch.device("cpu")).score(draft, temperature), expected, atol=1e-5)


def test_the_evidence_is_what_it_says():
    draft = some_draft()
    log_p = draft.logits.log_softmax(dim=-1)
    shape = evidence(draft)[..., HIDDEN : HIDDEN + 3]
    expected = torch.cat([log_p.sort(dim=-1, descending=True).values[..., :2], -(log_p.exp() * log_p).sum(-1, keepdim=True)], dim=-1)
    torch.testing.assert_close(shape, expected)


def test_the_evidence_of_a_large_load_is_that_of_each_request():
    g = torch.Generator().manual_seed(2)
    many, words = 40, 4096
    assert many * 4 > TOGETHER // words, "taken in several parts"
    draft = Draft(np.zeros((many, 4), dtype=int), None, torch.randn(many, 4, HIDDEN, generator=g), torch.randn(many, 4, words, generator=g))
    for r in (0, 17, many - 1):
        alone = Draft(draft.tokens[[r]], None, draft.hidden[[r]], draft.logits[[r]])
        torch.testing.assert_close(evidence(draft)[r], evidence(alone)[0])
    log_p = draft.logits.log_softmax(dim=-1)
    entropy = -(log_p.exp() * log_p).sum(-1)
    torch.testing.assert_close(evidence(draft)[..., HIDDEN + 2], entropy, atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("words", [11, 256, 4096])
def test_the_best_two_are_the_two_largest(words):
    logits = torch.randn(6, 3, words, generator=torch.Generator().manual_seed(words))
    logits[0, 0, 4] = logits[0, 0, 7] = 9.0  # equal
    logits[1, 1, 0], logits[1, 1, words // 2] = 8.0, 9.0  # in one column
    assert torch.equal(best_two(logits), logits.topk(2, dim=-1).values)


def test_the_probe_cannot_see_the_sampled_token():
    draft = some_draft()
    other = Draft((draft.tokens + 1) % V, None, draft.hidden, draft.logits)
    assert torch.equal(evidence(draft), evidence(other))


def test_the_fit_finds_a_true_probe():
    rng = np.random.default_rng(0)
    features = torch.from_numpy(rng.normal(0, 1, (4000, 3, 5))).float()
    w = np.array([1.0, -0.5, 0.0, 0.3, 0.0])
    chance = torch.from_numpy(1 / (1 + np.exp(-(features.numpy() @ w + 0.4)))).float()
    found, bias = fit_probe(Blocks(features, chance, torch.zeros(4000)))
    np.testing.assert_allclose(found, w, atol=0.02)
    assert abs(bias - 0.4) < 0.02


def test_collected_blocks_pass_as_often_as_c_star_says():
    blocks = joined(list(collect(tiny.pair(scale=0.2), [f"p{i}" for i in range(32)], 6000, 3, 1.0, 1, load=32)))
    passed = blocks.passed[:, None] > torch.arange(3)
    reached = blocks.passed[:, None] >= torch.arange(3)
    for k in range(3):
        n = int(reached[:, k].sum())
        assert n > 300
        gap = float(passed[reached[:, k], k].float().mean() - blocks.chance[reached[:, k], k].mean())
        assert abs(gap) < 4 * 0.5 / n**0.5


def test_calibrate_measures_every_temperature_and_survives_the_disk(tmp_path):
    fitted, figures = calibrate(tiny.pair(), [f"p{i}" for i in range(30)], (300, 300, 300))
    assert list(figures["temperatures"]) == [f"{t:g}" for t in TEMPERATURES]
    for f in figures["temperatures"].values():
        assert f["blocks"] >= 300
        assert len(f["ece"]) == len(f["auc"]) == 8
    write_calibration(tmp_path / "tiny", fitted, figures)
    again = read_calibration(tmp_path / "tiny")
    np.testing.assert_allclose(again.weights, fitted.weights, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(again.bend, fitted.bend, rtol=1e-6)


@pytest.mark.parametrize(("prompts", "blocks"), [([], 10), (["a", "b"], 10), (["a", "b", "c"], 0)])
def test_too_little_to_calibrate_on_is_refused_in_one_sentence(prompts, blocks):
    with pytest.raises(ValueError, match="at least 3 different prompts"):
        calibrate(tiny.pair(), prompts, (blocks,) * 3)
