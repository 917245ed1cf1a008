"""The quick calibration learns from few blocks what is there to learn, lets others have their turns, and can be stopped."""

import threading

import numpy as np
import pytest
import torch

from expediter.core.calibration import sigmoid
from expediter.engine import quick_calibrate as module
from expediter.engine.calibrate import fit_probe
from expediter.engine.collect import Blocks
from expediter.engine.confidence import Probe, width
from expediter.engine.quick_calibrate import SHARES, TEMPERATURES, fit_directions, quick_calibrate
from tests.engine import tiny
from tests.engine.test_lean import serving

PROMPTS = ["a", "b", "c", "d", "e", "f"]


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(module, "LEAST", 12)
    monkeypatch.setattr(module, "STEPS", 3)


def blocks(n: int, hidden: int, seed: int) -> Blocks:
    """A hidden state whose numbers all follow one hidden cause, and chances that follow it too."""
    g = torch.Generator().manual_seed(seed)
    cause = torch.randn(n, 4, 1, generator=g)
    state = cause * torch.linspace(0.5, 1.5, hidden) + 0.7 * torch.randn(n, 4, hidden, generator=g)
    shape = torch.randn(n, 4, 3, generator=g)
    place = torch.eye(4, 8).expand(n, -1, -1)
    chance = torch.sigmoid(1.5 * cause[..., 0] + 0.5)
    passed = (torch.rand(n, 4, generator=g) < chance).long().cumprod(dim=1).sum(dim=1)
    return Blocks(torch.cat([state, shape, place], dim=-1), chance, passed)


def test_from_few_blocks_it_learns_more_than_a_probe_over_every_number():
    probe, scaling, test = blocks(80, 300, 1), blocks(40, 300, 2), blocks(400, 300, 3)
    quick, whole = fit_directions(probe, scaling), fit_probe(probe)
    assert quick[0].shape == (width(300),)
    errors = [
        float((torch.from_numpy(sigmoid((test.features.double().numpy() @ w) + b)) - test.chance).abs().mean()) for w, b in (quick, whole)
    ]
    assert errors[0] < 0.7 * errors[1]


def test_a_pair_is_calibrated_at_its_temperatures_and_says_how():
    said = []
    calibration, figures = quick_calibrate(tiny.pair(), PROMPTS, lambda share, what: said.append((share, what)), seconds=0.01)
    assert calibration.temperatures.tolist() == list(TEMPERATURES)
    assert figures["quick"]
    assert figures["prompts"] == 6
    assert all(row["blocks"] >= 12 and len(row["acceptance"]) == 8 for row in figures["temperatures"].values())
    shares = [share for share, _ in said]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert len({what.split(",")[0] for _, what in said}) == 2 + len(TEMPERATURES) * len(SHARES)
    pair = tiny.pair()
    draft = pair.drafter(2).propose(serving([5, 9]), 2, 8, 0.8, 0)
    confidence = Probe(calibration, torch.device("cpu")).score(draft, 0.8)
    assert confidence.shape == (2, 8)
    assert np.isfinite(confidence).all()


def test_the_lock_is_free_between_steps_and_held_in_them():
    lock, free = threading.Lock(), []
    quick_calibrate(tiny.pair(), PROMPTS, lambda share, what: free.append(not lock.locked()), lock, seconds=0.01)
    assert all(free)


def test_a_report_that_raises_stops_it():
    def stop(share: float, what: str) -> None:
        if share > 0.5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        quick_calibrate(tiny.pair(), PROMPTS, stop, seconds=0.01)


def test_too_few_prompts_are_told():
    with pytest.raises(ValueError, match="2 prompts are too few"):
        quick_calibrate(tiny.pair(), PROMPTS[:2])
