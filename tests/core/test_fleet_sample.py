"""The fleet against recorded real runs: what replayed texts bring under each policy is what the models brought.

The samples are frozen (tests/benchmarks/fleet_sample.py makes them). They ask whether walking along recorded texts stands for decoding, not
how fast a machine is: both sides are put on the same table. tests/benchmarks/fleet_check.py asks the same of the models that are there now,
and of the clock on the wall.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from expediter.core.pause import LEAST, REQUESTS
from expediter.core.policy import Policy
from expediter.core.profile_file import profile_from_json
from expediter.core.recorded_places import unstacked
from expediter.core.simulation import Fleet, simulate

FOLDER = Path(__file__).parent
SAMPLES = sorted(FOLDER.glob("fleet_sample_*.json"))
CLOSE = 0.05


def read(path: Path) -> tuple[dict, object]:
    """A sample's real runs and its texts."""
    with np.load(path.with_suffix(".npz"), allow_pickle=False) as file:
        parts = {name: file[name] for name in file.files}
    return json.loads(path.read_text()), unstacked(parts, parts["temperature"], 4)[0]


@pytest.mark.parametrize("load", [4, 16, 64])
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_ratios_between_policies_are_those_of_a_real_run(path, load):
    sample, texts = read(path)
    table = profile_from_json(sample["profile"]).at(texts.temperature)
    real = {row["policy"]: row["words"] / row["table_seconds"] for row in sample["real"] if row["load"] == load}

    def simulated(policy: str) -> float:
        warm = max(LEAST, REQUESTS // load)
        made = simulate(texts, table, Policy.parse(policy), Fleet(load, steps=warm + 12_000 // load))
        return made.after(warm).words_per_second

    replayed = {policy: simulated(policy) for policy in real}
    assert {"all", "fixed:2", "threshold:0.5", "early-stop"} <= set(real)
    for policy in real:
        assert replayed[policy] / replayed["all"] == pytest.approx(real[policy] / real["all"], rel=CLOSE), policy


def test_there_is_a_sample():
    assert SAMPLES
