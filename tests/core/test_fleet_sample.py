"""The fleet against a recorded real run: what replayed blocks bring under each policy is what the models brought.

The sample is frozen. It asks whether dealing recorded blocks stands for decoding, not how fast a machine is: both sides are put on the
same recorded table. tests/benchmarks/fleet_check.py asks the same of the models that are there now, and of the clock on the wall.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from expediter.core.pause import LEAST, REQUESTS
from expediter.core.policy import Policy
from expediter.core.simulation import Fleet, simulate
from expediter.core.step_rate import StepRate

SAMPLE = json.loads(Path(__file__).with_name("fleet_sample.json").read_text())
CONFIDENCE, PASSED = np.array(SAMPLE["confidence"]), np.array(SAMPLE["passed"])
DEPTH = CONFIDENCE.shape[1]
CONTEXTS = (32, 128)  # tokens
CLOSE = 0.05
# Blocks are recorded with everything checked. A policy that often stops before a word that would have passed meets that word again in its
# next block, which dealing does not know: it makes a threshold look up to an eighth better than it is.
LOOSE = {"threshold:0.5": 0.15}


@dataclass(frozen=True)
class Recorded:
    """The step times that the run was planned on, at the loads of the run: linear between two contexts, as a profile is."""

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        table = SAMPLE["tables"][str(requests)]
        short, long = (np.array(table["seconds"][str(tokens)]) for tokens in CONTEXTS)
        share = np.clip((context - CONTEXTS[0]) / (CONTEXTS[1] - CONTEXTS[0]), 0, 1)
        return StepRate(np.array(table["batch"]), short + share * (long - short), draft_seconds=table["draft"][depth])


def simulated(policy: str, load: int) -> float:
    """Words per second over 12,000 request-steps."""
    warm = max(LEAST, REQUESTS // load)
    made = simulate(CONFIDENCE, PASSED, Recorded(), Policy.parse(policy), Fleet(load, steps=warm + 12_000 // load))
    return made.after(warm).words_per_second


@pytest.mark.parametrize("load", [4, 16, 64])
def test_ratios_between_policies_are_those_of_a_real_run(load):
    real = {row["policy"]: row["words"] / row["table_seconds"] for row in SAMPLE["real"] if row["load"] == load}
    replayed = {policy: simulated(policy, load) for policy in real}
    assert len(real) == 4
    for policy in real:
        assert replayed[policy] / replayed["all"] == pytest.approx(real[policy] / real["all"], rel=LOOSE.get(policy, CLOSE)), policy
