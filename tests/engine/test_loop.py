"""The decoding loop: what a step leaves behind, and what a change of settings may and may not touch."""

import json
from dataclasses import replace

import numpy as np
import pytest

from expediter.core.pause import PROBE_EVERY, Pause
from expediter.core.policy import Policy
from expediter.core.scheduler import schedule
from expediter.core.settings import Settings
from expediter.core.step_rate import StepRate
from expediter.core.trace import from_json, to_json
from expediter.engine import loop
from expediter.engine.loop import Engine
from tests.engine import tiny

PAIR = tiny.pair()
BASE = Settings(pair="tiny", load=6, depth=4, temperature=0.8, seed=2)


def engine(table=None, **changes) -> Engine:
    return Engine(PAIR, replace(BASE, **changes), table or tiny.rising())


def test_a_trace_adds_up():
    run = engine()
    run.step()
    for _ in range(6):
        before = run.requests.length[:6].copy()
        trace = run.step()
        assert trace.batch == trace.load + sum(r.sent for r in trace.requests) == trace.load + trace.stop
        assert trace.got == trace.count("passed") + sum(r.own is not None for r in trace.requests)
        assert sum(trace.count(fate) for fate in ("passed", "refused", "behind", "left")) == 6 * 4
        np.testing.assert_array_equal(run.requests.length[:6] - before, [r.committed for r in trace.requests])
        assert len(trace.path) == len(trace.step_seconds) == len(trace.order) + 1
        for slot, request in enumerate(trace.requests):
            sent = [j for s, j in trace.order[: trace.stop] if s == slot]
            assert sent == list(range(1, request.sent + 1))
            np.testing.assert_allclose(request.survival, np.cumprod(request.confidence))
        assert from_json(json.loads(json.dumps(to_json(trace)))) == trace


def test_the_same_settings_give_the_same_words():
    a, b = engine(), engine()
    for _ in range(5):
        assert [r.tokens for r in a.step().requests] == [r.tokens for r in b.step().requests]


def test_another_load_keeps_the_requests_and_their_text():
    run = engine()
    for _ in range(3):
        run.step()
    text = [run.requests.answer(slot).tolist() for slot in range(6)]
    run.change(Settings(pair="tiny", load=2, depth=4, temperature=0.8, seed=2))
    assert run.step().load == 2
    run.change(Settings(pair="tiny", load=9, depth=4, temperature=0.8, seed=2))
    trace = run.step()
    assert trace.load == 9
    for slot in range(2, 6):  # parked meanwhile, now continued
        assert run.requests.answer(slot).tolist()[: len(text[slot])] == text[slot]
        assert trace.requests[slot].number == slot
    assert {r.number for r in trace.requests} == set(range(9))


def test_another_seed_or_workload_begins_a_new_run():
    run = engine()
    run.step()
    run.change(Settings(pair="tiny", load=6, depth=4, temperature=0.8, seed=3))
    trace = run.step()
    assert trace.step == 0
    assert all(r.before == "" for r in trace.requests)
    run.change(Settings(pair="tiny", load=6, depth=4, temperature=0.8, seed=3, workload="code"))
    assert {r.workload for r in run.step().requests} == {"code"}


def test_another_pair_is_refused():
    with pytest.raises(ValueError, match="make another"):
        engine().change(Settings(pair="other"))


def test_a_finished_request_makes_room_for_a_fresh_one():
    run = Engine(PAIR, BASE, tiny.rising(), limit=(10, 14))
    numbers = set()
    for _ in range(12):
        trace = run.step()
        for request in trace.requests:
            numbers.add(request.number)
            if request.ended:
                assert len(request.before) + request.committed + len(PAIR.tokenizer.prompt) >= 10
    assert len(numbers) > 12


@pytest.mark.parametrize("temperature", [0.0, 0.8])
@pytest.mark.parametrize(("policy", "sent"), [("off", {0}), ("fixed:2", {2}), ("all", {4}), ("threshold:0", {4})])
def test_a_policy_sends_what_its_name_says(policy, sent, temperature):
    run = engine(policy=policy, temperature=temperature)
    assert {r.sent for _ in range(3) for r in run.step().requests} == sent


def test_fixed_drafts_no_more_than_it_sends():
    trace = engine(policy="fixed:2").step()
    assert all(len(r.tokens) == 2 for r in trace.requests)


def test_off_drafts_nothing_and_pays_nothing_for_it():
    trace = engine(policy="off").step()
    assert all(r.tokens == () and r.own is not None for r in trace.requests)
    assert trace.path == (trace.theta_off,)
    assert trace.drafting


def test_stale_takes_its_budget_from_the_step_before():
    run = engine(policy="stale")
    run.step()
    older = run.older[0]
    trace = run.step()
    confidence = np.array([r.confidence for r in trace.requests])
    assert trace.stop == schedule(confidence, run.profile.rate, Policy("stale"), older=older).stop


def test_drafting_stops_where_it_does_not_pay_and_is_tried_again():
    slow = tiny.Table(StepRate(np.array([6, 60]), np.array([0.01, 0.5]), draft_seconds=0.05))
    run = engine(slow)
    first = run.pause.steps.maxlen
    drafted = [run.step().drafting for _ in range(first + 2 * PROBE_EVERY)]
    assert drafted[:first] == [True] * first
    assert drafted[first : first + PROBE_EVERY - 1] == [False] * (PROBE_EVERY - 1)
    assert drafted[first + PROBE_EVERY - 1]
    assert drafted.count(True) == first + 2


def test_one_requests_unlucky_streak_does_not_stop_drafting():
    pause = Pause(load=1)
    for step in range(200):
        assert not pause.rests(theta_off=150.0)
        unlucky = step % 30 < 12  # a dozen steps in a row that bring less than plain decoding
        pause.drafted(*((1.2, 0.010) if unlucky else (4.0, 0.013)))


def test_what_counts_is_tokens_over_time_not_the_mean_of_the_rates():
    pause = Pause(load=64)
    for _ in range(4):
        pause.drafted(10.0, 0.01)  # 1,000 tokens/s, soon over
        pause.drafted(30.0, 0.1)  # 300 tokens/s, for ten times as long: 364 tokens/s in all, 650 in the mean
    assert pause.rests(theta_off=400.0)


def test_depth_and_load_beyond_the_limits_are_clamped():
    run = Engine(PAIR, Settings(pair="tiny", load=1000, depth=99, temperature=9.0), tiny.rising())
    assert (run.settings.load, run.settings.depth, run.settings.temperature) == (64, 8, 1.5)
    assert run.step().load == 64


def test_a_gpu_takes_more_requests(monkeypatch):
    monkeypatch.setattr(loop, "widest", lambda device: 256)
    run = Engine(PAIR, Settings(pair="tiny", load=60, depth=2), tiny.rising())
    assert run.step().load == 60
    run.change(replace(run.settings, load=200))
    assert run.step().load == 200
    run.change(replace(run.settings, load=1000))
    assert run.settings.load == 256


def test_a_table_noisier_than_the_peak_makes_the_stop_uncertain(monkeypatch):
    run, plans = engine(), []
    monkeypatch.setattr(loop, "schedule", lambda *rest, **more: plans.append(schedule(*rest, **more)) or plans[-1])
    for more in (0.0, 1e-6):
        run.profile.noise = lambda load, more=more: max(plans[-1].margin, 0.0) + more
        assert run.step().uncertain == (more > 0)


def test_a_new_table_serves_from_the_next_step_on():
    run = engine()
    run.step()
    flat = tiny.Table(StepRate(np.array([6]), np.array([0.01])), fingerprint="other")
    run.adopt(flat)
    assert run.step().table == "other"
