"""What a job is asked for: two jobs are the same only where nothing could make their results differ."""

from dataclasses import replace

import pytest

from expediter.core.settings import Settings
from expediter.ui import answer_runs, asked, honest_blocks, machine_choice, proofs, sweeps
from expediter.ui.page import page_words

SETTINGS = Settings(pair="pocket")
TEXT = page_words("same_answer")


@pytest.fixture(autouse=True)
def weights(monkeypatch):
    """A pair of no disk, whose weights may change."""
    known = {"now": "abc"}
    monkeypatch.setattr(asked, "title", lambda pair: f"<{pair}>")
    monkeypatch.setattr(asked, "weights_now", lambda pair: known["now"])
    return known


KINDS = {
    "blocks": (honest_blocks.asked, {"temperature", "seed"}),
    "bench": (proofs.asked, {"temperature"}),
    "sweep": (sweeps.asked, {"depth", "temperature", "workload", "seed"}),
    "block": (machine_choice._asked, {"load", "depth", "temperature", "workload", "policy", "seed"}),
    "answers": (lambda settings: answer_runs.comparing(settings, "float32", TEXT), {"depth", "seed"}),
}
OTHERS = {"load": 3, "depth": 2, "temperature": 0.3, "workload": "code", "policy": "fixed:2", "seed": 9, "hardware": "flat"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_changes_with_what_could_change_the_result_and_with_nothing_else(kind, weights):
    make, matters = KINDS[kind]
    usual = make(SETTINGS)
    assert usual.key.split(" ")[0] == kind
    changed = {name for name, value in OTHERS.items() if make(replace(SETTINGS, **{name: value})).key != usual.key}
    assert changed == matters
    assert make(replace(SETTINGS, pair="mini")).key != usual.key
    weights["now"] = "def"
    assert make(SETTINGS).key != usual.key, "a pair that was calibrated anew is another one"


def test_what_samples_are_drawn_of_is_told_in_a_readers_words():
    drawn = answer_runs.drawing(SETTINGS, "fixed:2", "code", 4096, "accept-always", TEXT)
    decided = "5 words guessed, “Same number for everyone: 2”, requests: code, seed 1"
    assert drawn.about == f"<pocket>, {decided}, 4,096 samples, accept every guess"
    others = [("all", "code", 4096, "honest"), ("fixed:2", "stories", 4096, "honest"), ("fixed:2", "code", 1024, "honest")]
    keys = {answer_runs.drawing(SETTINGS, *other, TEXT).key for other in others} | {drawn.key}
    assert len(keys) == 4
