"""A fleet that walks through recorded texts."""

from dataclasses import replace

import numpy as np
import pytest

from expediter.core.arrivals import Arrivals
from expediter.core.clock import SimulatedClock
from expediter.core.policy import Policy
from expediter.core.recorded_places import Places
from expediter.core.simulation import Fleet, simulate
from expediter.core.step_rate import StepRate
from expediter.core.tables import table
from expediter.core.walk import Walk

DEPTH = 4
ONE = Arrivals("poisson", rate=200.0)  # somebody is always waiting, and begins at the beginning
LINE = SimulatedClock(table("line", "Line", "Made up.", {1: 10.0, 64: 12.0, 512: 60.0}))


def texts(rows: int = 400, seed: int = 0) -> Places:
    """Honest confidences with their outcomes, in texts of forty words."""
    rng = np.random.default_rng(seed)
    confidence = rng.beta(4, 2, (rows, DEPTH))
    passed = np.cumprod(rng.random((rows, DEPTH)) < confidence, axis=1).sum(axis=1)
    return Places(0.8, confidence, passed, np.arange(rows) // 40, np.zeros(rows, dtype=np.int64))


def run(policy: str, fleet: Fleet, clock=LINE):
    return simulate(texts(), clock, Policy.parse(policy), fleet)


def test_without_drafts_every_request_gets_one_word_a_step():
    made = run("off", Fleet(lanes=8, steps=50))
    assert (made.words == 8).all()
    assert not made.sent.any()
    assert made.words_per_second == pytest.approx(8 / float(LINE.step_rate(8, 0, 0).verify_seconds(8)))


def test_checking_everything_sends_the_whole_depth():
    made = run("all", Fleet(lanes=8, steps=200, answer=(1000, 1000)))
    passed = texts().passed
    assert made.sent_per_request == DEPTH
    assert made.words_per_step == pytest.approx(1 + passed.mean(), rel=0.1)
    assert made.wasted == pytest.approx(1 - passed.mean() / DEPTH, abs=0.05)


def test_a_closed_crowd_never_shrinks():
    assert (run("early-stop", Fleet(lanes=32, steps=300)).active == 32).all()


def test_the_budget_of_a_request_falls_as_the_crowd_grows():
    sent = [run("early-stop", Fleet(lanes=lanes, steps=100)).sent_per_request for lanes in (1, 16, 64, 256)]
    assert sent == sorted(sent, reverse=True)
    assert sent[0] > 2 * sent[-1]


def test_open_arrivals_are_all_served_and_get_what_they_asked_for():
    fleet = Fleet(lanes=64, arrivals=Arrivals("poisson", rate=5.0), answer=(40, 40), steps=4000)
    made = run("early-stop", fleet)
    assert made.active.max() < 64
    assert not made.waiting.any() or made.waiting.max() < 5
    assert made.words.sum() / made.clock[-1] == pytest.approx(200, rel=0.1), "as many words as were asked for"


def test_those_who_find_no_lane_wait():
    made = run("off", Fleet(lanes=4, arrivals=Arrivals("poisson", rate=100.0), answer=(50, 50), steps=300))
    assert (made.active[10:] == 4).all()
    assert made.waiting[-1] > made.waiting[20] > 0


def test_time_ends_a_run():
    made = run("off", Fleet(lanes=4, seconds=0.5))
    assert made.clock[-2] < 0.5 <= made.clock[-1]


def test_two_policies_meet_the_same_crowd():
    fleet = Fleet(lanes=1000, arrivals=Arrivals("bursts", rate=50.0, period=4.0), steps=20)
    first, second = (run(policy, fleet) for policy in ("off", "fixed:0"))
    np.testing.assert_array_equal(first.active, second.active)


def test_drafting_that_does_not_pay_is_given_up():
    dear = SimulatedClock(table("dear", "Dear", "Made up.", {1: 1.0, 1000: 1000.0}))

    class Drafting:
        """The same times with a slow draft."""

        def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
            rate = dear.step_rate(requests, context, depth)
            return StepRate(rate.batch, rate.seconds, draft_seconds=0.5 if depth else 0.0)

    made = run("early-stop", Fleet(lanes=32, steps=200), Drafting())
    assert made.drafting[:8].all()
    assert made.drafting[8:].mean() < 0.1
    assert run("all", Fleet(lanes=32, steps=200), Drafting()).drafting.all(), "only a policy that watches the score gives up"


class Uneven:
    """Times of a crowd beyond what was measured: a table for deeper drafts is dearer throughout, even where none is sent."""

    fingerprint = "uneven"

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        batch = np.array([requests, requests * 6])
        return StepRate(batch, (1 + 0.05 * depth) * 0.001 * batch, draft_seconds=0.005 * depth)


def test_giving_up_drafting_is_judged_by_the_time_of_a_step_that_rests():
    made, off = (run(policy, Fleet(lanes=256, steps=80), clock=Uneven()).after(16) for policy in ("early-stop", "off"))
    assert made.drafting.mean() < 0.1
    assert made.words_per_second > 0.97 * off.words_per_second


def test_a_stale_budget_starts_cold_and_then_knows():
    made = run("stale", Fleet(lanes=128, steps=50))
    assert made.sent[0] > made.sent[1:].mean()


def test_a_fleet_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one recorded text"):
        simulate(texts(0), LINE, Policy(), Fleet(lanes=4))


def test_a_word_that_was_not_sent_is_written_by_the_target_and_the_next_block_begins_behind_it():
    # Place 0: both guesses agree, the second is doubtful and stays; the target writes that word, and place 2 comes next.
    sure, doubtful, wrong = [0.9, 0.2], [0.9, 0.9], [0.1, 0.1]
    nothing = np.zeros(20, dtype=np.int64)
    one = Places(0.0, np.array([sure, wrong, doubtful, wrong] * 5), np.array([2, 0, 2, 0] * 5), nothing, nothing)
    walked = simulate(one, LINE, Policy.parse("threshold:0.5"), Fleet(lanes=1, arrivals=ONE, answer=(20, 20), steps=20))
    assert walked.words.tolist()[:6] == [2, 3, 1, 3, 1, 3], "places 0, 2, 5, 6, 9, 10"


def test_a_text_that_ends_is_followed_by_another():
    short = Places(0.0, np.full((6, 2), 0.9), np.array([1, 0] * 3), np.repeat(np.arange(3), 2), np.zeros(6, np.int64))
    assert (simulate(short, LINE, Policy("all"), Fleet(lanes=1, arrivals=ONE, answer=(40, 40), steps=20)).words == 2).all()


def test_a_crowd_that_never_shrinks_has_answers_of_every_age_from_the_first_step():
    made = run("off", Fleet(lanes=400, answer=(40, 40), steps=3))
    assert (made.active == 400).all()
    assert Walk(texts().text, 1).begin(50).max() % 40 == 0
    assert len(set(Walk(texts().text, 1).anywhere(400) % 40)) > 30


def test_the_expediter_drafts_less_deep_where_that_pays_more():
    class Dear:
        """Every place drafted costs two milliseconds, a whole batch next to nothing more."""

        def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
            return StepRate(np.array([1, 4096]), np.array([0.010, 0.012]), draft_seconds=0.002 * depth)

    hopeless = replace(texts(), confidence=np.tile([0.9, 0.05, 0.05, 0.05], (400, 1)), passed=np.ones(400, np.int64))
    fleet = Fleet(lanes=64, steps=200)
    mine, whole = (simulate(hopeless, Dear(), Policy.parse(policy), fleet).after(20) for policy in ("early-stop", "all"))
    assert mine.seconds.mean() < whole.seconds.mean() - 0.004
    assert mine.words_per_second > 1.2 * whole.words_per_second
