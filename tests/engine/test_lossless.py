"""Above temperature 0 the words keep the target's own distribution: the first two tokens of 40,960 requests against the exact joint.

Pearson's test of core/goodness.py, as the page Same answer uses it. Four wrong rules must fail it.
"""

from collections import Counter
from contextlib import nullcontext

import numpy as np
import pytest

from expediter.core.first_two import FirstTwo
from expediter.core.goodness import Fit, fit, groups, power
from expediter.core.settings import Settings
from expediter.core.step_rate import StepRate
from expediter.engine.first_two import exact, first_two
from expediter.engine.loader import Pair
from expediter.engine.wrong_rules import RULES
from tests.engine import tiny

V, R, SAMPLES, DISTANCE = 6, 64, 40_960, 0.03
FEW = 5_120  # samples that are enough to catch a wrong rule
ALONE = 600  # samples of a single request at a time


def by_word(draft, temperature):
    """Place 1 falls from slot to slot; place 2 is sure or hopeless depending on the word before it, as in Appendix A."""
    r, depth = draft.tokens.shape
    c = np.empty((r, depth))
    c[:, 0] = np.linspace(0.8, 0.2, r)
    c[:, 1] = np.where(draft.tokens[:, 0] % 2 == 0, 0.95, 0.05)
    c[:, 2:] = 0.5
    return c


PAIR = tiny.pair(vocabulary=V, rule=by_word, target_seed=14, draft_seed=16, scale=0.25)
BLOCK = tiny.dspark_pair(vocabulary=V, rule=by_word, target_seed=14, draft_seed=16, scale=0.25)  # the same target
# Loading pays for most, not all, of the surest words: lengths of 0, 1 and more occur side by side.
CONVEX = StepRate(np.array([R, R + 42, R + 75, R + 4 * R]), np.array([1.0, 1.25, 1.7, 9.0]))
# Every first word costs more than it brings, but first and second together pay: only who looks past the dip loads.
DIP = StepRate(np.array([1, 2, 3, 4]), np.array([1.0, 2.0, 2.2, 4.0]))


def target_joint(samples: int) -> FirstTwo:
    """P(t1, t2) behind the prompt, from a model of the same weights with transformers' own attention."""
    plain = tiny.model("llama", V, 14, 0.25)
    plain.load_state_dict(PAIR.target.model.state_dict())
    return exact(plain, PAIR.encode(""), 1.0, samples, PAIR.end)


def sampled(policy: str, rate: StepRate, load: int, samples: int, rule: str = "honest", pair: Pair = PAIR) -> tuple[Fit, dict[int, float]]:
    """The test's verdict on real samples, and the share of each length among all that was sent."""
    settings = Settings(pair="tiny", load=load, depth=4, temperature=1.0, policy=policy, seed=1)
    steps = list(first_two(pair, settings, tiny.Table(rate), "", samples, nullcontext(), RULES[rule]))
    joint, pairs = target_joint(samples), [pair for step in steps for pair in step.samples]
    assert len(pairs) == samples
    sent = Counter(length for step in steps for length in step.sent)
    return fit(joint.count(pairs), joint.p), {length: n / sent.total() for length, n in sent.items()}


def test_the_test_sees_a_total_variation_of_three_hundredths():
    p = target_joint(SAMPLES).p
    assert power(np.bincount(groups(p, SAMPLES), p), SAMPLES, DISTANCE) >= 0.99


def test_early_stop_keeps_the_targets_distribution():
    found, share = sampled("early-stop", CONVEX, R, SAMPLES)
    assert min(share[0], share[1], sum(share[length] for length in share if length > 1)) >= 0.1
    assert found.samples == SAMPLES
    assert not found.fails


def test_early_stop_keeps_it_beside_a_dip():
    assert not sampled("early-stop", DIP, 1, ALONE)[0].fails


def test_early_stop_keeps_it_when_whole_blocks_are_drafted():
    found, share = sampled("early-stop", CONVEX, R, SAMPLES // 4, pair=BLOCK)
    assert min(share[0], share[1], sum(share[length] for length in share if length > 1)) >= 0.1
    assert not found.fails


@pytest.mark.parametrize("rule", [name for name in RULES if name != "honest"])
def test_a_wrong_verdict_fails(rule):
    assert sampled("early-stop", CONVEX, R, FEW, rule)[0].fails


def test_peeking_past_a_dip_fails():
    assert sampled("global", DIP, 1, ALONE)[0].fails
