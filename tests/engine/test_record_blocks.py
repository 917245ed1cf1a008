"""Blocks are recorded whole: as many as asked, none dropped, on prompts that no fit has seen, and true to the models."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from expediter.__main__ import main
from expediter.core.calibration import Calibration
from expediter.core.recorded_blocks import load_blocks
from expediter.core.workloads import PROMPTS
from expediter.engine import loader
from expediter.engine.calibrate import TEMPERATURES
from expediter.engine.confidence import Probe, width
from expediter.engine.drafter import Draft
from expediter.engine.record_blocks import draft_probability, record_blocks, recording, unscaled, unseen_prompts
from tests.door import Door
from tests.engine import tiny

PROMPTED = unseen_prompts(fitted_on_workloads=False, seed=1)


def probed(scale: float = 2.0):
    """A tiny pair with a probe of its own."""
    rng = np.random.default_rng(0)
    found = Calibration([0.8], rng.normal(0, 0.3, (1, width(32))), [0.5], np.full((1, 8), scale))
    return replace(tiny.pair(), scorer=Probe(found, torch.device("cpu")))


def test_exactly_so_many_blocks_are_kept_and_they_pass_as_c_star_says():
    pair = tiny.pair(scale=0.2)
    shares = []
    blocks = record_blocks(pair, pair.scorer, PROMPTED, 1.0, 3000, 1, shares.append)
    assert (len(blocks), blocks.depth, shares[-1]) == (3000, 8, 1.0)
    assert shares == sorted(shares)
    assert set(blocks.workload) == {0, 1, 2, 3}
    first = float((blocks.passed > 0).mean())
    assert abs(first - blocks.chance[:, 0].mean()) < 4 * 0.5 / 3000**0.5
    assert abs(first - blocks.draft_probability[:, 0].mean()) > 0.05, "the draft's own belief is another thing"


def test_before_calibration_is_the_same_probe_without_its_scale():
    pair = probed(scale=2.0)
    blocks = record_blocks(pair, unscaled(pair.scorer), PROMPTED, 0.8, 64, 1)
    odds = np.log(blocks.confidence / (1 - blocks.confidence))
    np.testing.assert_allclose(np.log(blocks.before / (1 - blocks.before)), 2 * odds, rtol=1e-4, atol=1e-4)


def test_what_is_not_calibrated_is_its_own_before():
    scorer = tiny.pair().scorer
    assert unscaled(scorer) is scorer


def test_the_draft_probability_is_that_of_the_drawn_token():
    logits = torch.tensor([[[0.0, 1.0, 2.0], [3.0, 1.0, 2.0]]])
    p = torch.softmax(logits / 0.5, dim=-1)
    sampled = Draft(np.array([[1, 0]]), p, torch.zeros(1, 2, 4), logits)
    np.testing.assert_allclose(draft_probability(sampled), [[p[0, 0, 1], p[0, 1, 0]]])
    greedy = Draft(np.array([[2, 0]]), None, torch.zeros(1, 2, 4), logits)
    np.testing.assert_allclose(draft_probability(greedy), logits.softmax(-1).max(-1).values, rtol=1e-6)


def test_a_pair_fitted_on_the_apps_own_prompts_is_measured_on_the_third_that_it_never_saw():
    every = [text for texts in PROMPTS.values() for text in texts]
    unseen = [text for _, text in unseen_prompts(fitted_on_workloads=True, seed=1)]
    assert sorted(unseen) == sorted(every[2::3])
    assert sorted(text for _, text in PROMPTED) == sorted(every)
    assert {name for name, _ in PROMPTED[:4]} == set(PROMPTS)


@pytest.mark.parametrize(("prompts", "blocks"), [([], 10), (PROMPTED, 0)])
def test_too_little_to_record_is_refused_in_one_sentence(prompts, blocks):
    pair = tiny.pair()
    with pytest.raises(ValueError, match="give at least one of each"):
        record_blocks(pair, pair.scorer, prompts, 0.8, blocks, 1)


def test_each_step_is_one_turn_at_the_processor():
    door, pair = Door(), tiny.pair()
    record_blocks(pair, pair.scorer, PROMPTED, 0.0, 130, 1, lock=door)
    assert door.entered == 3, "64 requests a step"


def test_the_command_writes_a_file_that_reads(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(loader, "load", lambda name: probed())
    out = tmp_path / "tiny.npz"
    assert main(["blocks", "mini-good", "--out", str(out), "--blocks", "70", "--texts", "3"]) == 0
    made = load_blocks(out)
    assert (made.origin.pair, len(made.origin.weights), len(made.blocks[0])) == ("mini-good", 12, 70)
    assert [b.temperature for b in made.blocks] == [p.temperature for p in made.places] == list(TEMPERATURES)
    assert [p.texts for p in made.places] == [3] * len(TEMPERATURES)
    assert "70 blocks of 8" in capsys.readouterr().out


def test_recording_the_same_again_gives_the_same(monkeypatch):
    from expediter.core.pairs import find

    one, two = (recording(probed(), find("mini-good"), (0.8,), 64, 2, 3).blocks[0] for _ in range(2))
    np.testing.assert_array_equal(one.confidence, two.confidence)
    np.testing.assert_array_equal(one.passed, two.passed)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["no-such-pair"], "There is no pair called"),
        (["mini-good", "--blocks", "0"], "at least 1"),
        (["mini-good", "--blocks", "1", "--texts", "0"], "at least 1"),
    ],
)
def test_bad_input_ends_with_2_and_one_line(arguments, told, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(loader, "load", lambda name: probed())
    assert main(["blocks", *arguments, "--out", str(tmp_path / "x.npz")]) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert told in error
    assert not (tmp_path / "x.npz").exists()
