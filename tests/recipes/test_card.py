"""What a card says of a draft's training: whatever its record knows, and under which terms the pair is here."""

from pathlib import Path

import pytest

from expediter.core.pairs import MODELS, pairs
from expediter.engine.calibration_store import read_calibration, read_figures
from models.recipes.card import _licence, made_by


def test_an_ordinary_draft_tells_steps_time_loss_and_seed():
    record = {"steps": 537, "seed": 3, "seconds": 120.0, "train_loss": 0.5}
    said = made_by(MODELS / "pocket-draft-good", record)
    assert "537 steps of 16 × 256 tokens, 2 minutes, loss 0.500 in the end, seed 3" in said


def test_what_was_not_kept_is_not_told():
    assert "537 steps of 16 × 256 tokens, seed 1" in made_by(MODELS / "pocket-draft-good", {"steps": 537})


def test_a_block_drafter_tells_its_data_time_and_loss():
    said = made_by(MODELS / "pocket-dspark", {"step": 10, "tokens": [1000, 500], "seconds": 60.0, "train_loss": 1.25, "seed": 1})
    assert "on 1,500 tokens (10 steps, 1 minutes, loss 1.250 in the end, seed 1)" in said


def test_a_fetched_target_keeps_its_own_terms():
    assert _licence(Path("smollm2-135m")) == "Licence: MIT, like the project. The target is fetched: SmolLM2-135M-Instruct, Apache-2.0."
    assert _licence(MODELS / "pocket") == "Licence: MIT, like the project."


@pytest.mark.parametrize("name", ["pocket-dspark", "pocket-good", "pocket-cheap", "mini-good", "smollm2-draft", "smollm2-dspark"])
def test_every_shipped_pair_s_card_states_its_terms(name):
    card = (MODELS / "pairs" / name / "README.md").read_text(encoding="utf-8")
    assert "Licence: MIT" in card
    assert "seed" in card


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_every_shipped_pair_has_the_calibration_that_its_card_tells_of(pair):
    fitted, told = read_calibration(pair.folder), read_figures(pair.folder)["temperatures"]
    assert fitted.temperatures == pytest.approx([float(temperature) for temperature in told])
    card = (pair.folder / "README.md").read_text(encoding="utf-8")
    assert all(f"## Temperature {temperature}\n" in card for temperature in told)
