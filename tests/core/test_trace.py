"""A step as a value: nothing of it can be changed, and its file gives back the same step."""

import json
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from expediter.core.phases import PHASES
from expediter.core.trace import PhaseSeconds, StepTrace, load, save

RECORDED = sorted((Path(__file__).parents[2] / "assets" / "traces").glob("*.json"))


@pytest.fixture(scope="module", params=RECORDED, ids=lambda path: path.stem)
def steps(request) -> list[StepTrace]:
    return load(request.param)


def test_nothing_of_a_step_can_be_changed(steps):
    step = steps[0]
    assert len({hash(s) for s in steps}) == len(steps)  # a list or an array anywhere inside would have no hash
    for value in (step, step.requests[0], step.seconds):
        for field in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, field.name, None)


def test_a_step_has_the_whole_order_and_the_time_of_every_phase(steps):
    for step in steps:
        candidates = [(slot, j) for slot, r in enumerate(step.requests) for j, a in enumerate(r.survival, 1) if a > 0]
        survival = [step.requests[slot].survival[j - 1] for slot, j in step.order]
        assert sorted(step.order) == candidates
        assert survival == sorted(survival, reverse=True)
        assert len(step.path) == len(step.step_seconds) == len(step.order) + 1
        assert [sum(slot == r for slot, _ in step.order[: step.stop]) for r in range(step.load)] == [r.sent for r in step.requests]
        assert step.reason in ("peak", "exhausted", "budget", "policy")
        assert len(step.table) == 12
        assert all(getattr(step.seconds, phase) > 0 for phase in PHASES)
    assert {f.name for f in fields(PhaseSeconds)} == {*PHASES, "prefill"}


def test_a_file_gives_back_the_same_steps(steps, tmp_path):
    save(tmp_path / "deep" / "run.json", steps[:3], "where it is from: Θ")
    assert load(tmp_path / "deep" / "run.json") == steps[:3]
    assert json.loads((tmp_path / "deep" / "run.json").read_bytes())["about"] == "where it is from: Θ"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"steps": 3}', '{"steps": [3]}', '{"steps": [{"requests": [3]}]}', "[" * 100_000])
def test_a_file_that_holds_no_steps_is_refused(tmp_path, text):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises((ValueError, KeyError, TypeError)):
        load(tmp_path / "run.json")
