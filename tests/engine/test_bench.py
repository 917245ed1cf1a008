"""The benchmark on random models: same words for everybody, ceilings that are ceilings, and a result that holds together."""

import math
from dataclasses import replace

import numpy as np
import pytest

from expediter.core.bench import from_json, to_json
from expediter.core.clock import SimulatedClock
from expediter.core.settings import Settings
from expediter.core.tables import table
from expediter.engine.attention import NAME
from expediter.engine.bench import Plan, bench
from expediter.engine.loop import Engine
from expediter.engine.measure_policy import Block, Subject
from expediter.engine.overhead import outside_share
from expediter.engine.peers import Generate
from expediter.engine.read_once import read_once
from tests.door import Door
from tests.engine.tiny import dspark_pair, even, few_pair, pair
from tests.fakes import profile

CLOCK = SimulatedClock(table("t", "t", "a made-up table", {1: 10.0, 8: 11.0, 64: 20.0, 512: 90.0}))

DEAR = SimulatedClock(replace(CLOCK.table, draft_seconds=0.5))


def subject(policy: str, temperature: float = 0.0, clock: SimulatedClock = CLOCK, rule=even, load: int = 3) -> Subject:
    settings = Settings(pair="tiny", load=load, depth=4, temperature=temperature, policy=policy, seed=5)
    return Subject(pair(rule=rule), settings, clock)


def answers_now(engine: Engine) -> dict[int, list[int]]:
    """What each request has got so far, tokens by number."""
    requests = engine.requests
    return {int(requests.number[slot]): requests.answer(slot).tolist() for slot in range(engine.settings.load)}


def answers(one: Subject, words: int) -> dict[int, list[int]]:
    """What each request got, tokens by number, over a block."""
    requests, found = one.engine.requests, {}
    while sum(map(len, found.values())) < words:
        one.block(1)
        for slot in range(one.load):
            found[int(requests.number[slot])] = requests.answer(slot).tolist()
    return found


@pytest.mark.parametrize("policy", ["all", "early-stop", "best-plan", "oracle"])
def test_at_temperature_0_everybody_decodes_the_same_words(policy):
    plain, other = answers(subject("off"), 60), answers(subject(policy), 60)
    for number in set(plain) & set(other):
        both = min(len(plain[number]), len(other[number]))
        assert plain[number][:both] == other[number][:both]


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_the_oracle_sends_nothing_that_does_not_pass(temperature):
    one = subject("oracle", temperature)
    block = one.block(120)
    assert block.wasted == 0
    assert block.tokens > block.steps * one.load  # and does send what passes


def test_the_oracle_sends_all_that_passes_where_batches_cost_nothing():
    flat = SimulatedClock(table("t", "t", "flat", {1: 10.0, 512: 10.0}))
    knowing, everything = subject("oracle", clock=flat).block(60), subject("all", clock=flat).block(60)
    assert knowing.steps == everything.steps
    assert knowing.tokens == everything.tokens


def test_the_best_plan_is_the_best_of_every_prefix_and_of_not_drafting():
    for clock in (CLOCK, DEAR):
        one = subject("best-plan", 0.8, clock)
        for _ in range(10):
            trace = one.engine.step()
            theta = max(trace.path)
            assert trace.theta == pytest.approx(theta)
            if not one.ceiling.drafts:
                assert trace.batch == trace.load


def test_a_step_that_is_better_without_drafts_is_not_charged_for_them():
    one = subject("best-plan", 0.8, DEAR)
    trace = one.engine.step()
    assert not one.ceiling.drafts
    assert one.ceiling.seconds(trace) < trace.seconds.step - trace.seconds.draft
    assert one.block(30).wasted == 0


def test_blocks_add_up_to_the_words_that_were_asked_for():
    one = subject("all")
    blocks = [one.block(50) for _ in range(6)]
    got = sum(block.tokens for block in blocks)
    assert got == pytest.approx(300)
    assert all(block.tokens == pytest.approx(50) for block in blocks)
    assert all(block.batch == pytest.approx(15 * block.steps) for block in blocks)


def test_a_blocks_time_is_that_of_its_steps_and_of_its_share_of_the_last(monkeypatch):
    one, times = subject("all"), []
    step = one.engine.step

    def timed():
        trace = step()
        times.append((trace.got, trace.seconds.step))
        return trace

    monkeypatch.setattr(one.engine, "step", timed)
    first, second = one.block(40), one.block(40)
    words, seconds = (np.cumsum([0, *part]) for part in zip(*times, strict=True))
    ends = np.interp([0, 40, 80], words, seconds)
    assert (first.seconds, second.seconds) == pytest.approx(tuple(np.diff(ends)))


def test_several_turns_make_one_block():
    turns, whole = subject("all"), subject("all")
    for _ in range(4):
        turns.turn(10)
    told, block = turns.told(), whole.block(40)
    assert (told.tokens, told.steps, told.batch) == pytest.approx((block.tokens, block.steps, block.batch))


@pytest.mark.parametrize("make", [pair, dspark_pair, few_pair])
@pytest.mark.parametrize("policy", ["off", "early-stop", "oracle"])
def test_everybody_goes_on_where_the_leader_stands(make, policy):
    made = make()
    settings = Settings(pair="tiny", load=3, depth=4, temperature=0.0, policy="early-stop", seed=5)
    leader, alone = Engine(made, settings, CLOCK), Engine(made, settings, CLOCK)
    for _ in range(12):
        leader.step()
    shared = read_once(made, 2)
    followers = [Subject(shared, replace(settings, policy=policy), CLOCK) for _ in range(2)]
    for one in followers:
        one.join(leader)
        assert answers_now(one.engine) == answers_now(leader)
    while alone.numbers <= leader.numbers + 2:  # as long a way as several fresh prompts
        alone.step()
    for one in followers:
        while one.engine.numbers <= leader.numbers + 2:
            one.turn(1)
        told, same = answers_now(one.engine), answers_now(alone)
        assert set(told) & set(same)
        for number in set(told) & set(same):
            both = min(len(told[number]), len(same[number]))
            assert told[number][:both] == same[number][:both]


def test_a_prompt_is_read_once_and_then_forgotten():
    made = pair()
    reads, prefill = [], made.target.prefill

    def counted(store, requests, slots):
        reads.extend(requests.number[slots].tolist())
        prefill(store, requests, slots)

    made.target.prefill = counted
    shared = read_once(made, 2)
    one, two = (Subject(shared, Settings(pair="tiny", load=3, depth=4, temperature=0.0, policy="off", seed=5), CLOCK) for _ in range(2))
    one.block(12)
    assert sorted(reads) == [0, 1, 2]
    two.block(12)
    assert sorted(reads) == [0, 1, 2]
    assert shared.target._kept == {}


def test_outside_share_is_a_share_and_leaves_the_engine_as_it_was():
    one = subject("early-stop")
    model = one.engine.drafter.model
    share = outside_share(one.engine, steps=6)
    assert 0 < share < 1
    assert one.engine.drafter.model is model
    assert not one.engine.pair.target.model._forward_hooks


def test_an_error_of_speed_is_one_of_words_and_one_of_time():
    block = Block(steps=1, tokens=10, seconds=2.0, batch=4, wasted=0, expected_tokens=11.0, expected_seconds=1.6)
    assert (block.words_error, block.seconds_error, block.error) == pytest.approx((0.1, -0.2, 5.5 / 4 - 1))


def test_a_whole_run_holds_together(info):
    plan = Plan(loads=(1, 8), policies=("off", "early-stop", "best-plan", "oracle"), peers=False, blocks=2, seconds=0.02, depth=3)
    said, made = [], pair()
    result = bench(made, info, profile(), plan, lambda share, sentence: said.append((share, sentence)))
    assert from_json(to_json(result)) == result
    assert [(row.load, row.policy) for row in result.rows] == [(load, policy) for load in (1, 8) for policy in plan.policies]
    assert all(len(row.blocks) == 2 and row.tokens_per_s > 0 for row in result.rows)
    assert result.row(8, "off").tokens_per_step == 8
    assert result.row(8, "oracle").wasted_share == 0
    assert set(result.overhead) == {"1", "8"}
    assert None not in (result.prediction.words, result.prediction.seconds, result.prediction.plain)
    shares = [share for share, _ in said]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_turns_are_taken_for_one_step_at_a_time(info):
    lock = Door()
    block = subject("all").block(60, lock)
    assert lock.entered == math.ceil(block.steps)


def test_own_depth_drafts_less_where_drafting_is_dear_and_decodes_the_same_words():
    dear = profile(seconds={1: 0.01, 512: 0.2})
    dear = replace(dear, draft=tuple(replace(time, seconds=0.02 * time.depth) for time in dear.draft))
    settings = Settings(pair="tiny", load=16, depth=4, temperature=0.0, policy="early-stop", seed=5)
    one, plain = Subject(pair(), settings, dear), subject("off", load=16)
    depths = [len(one.engine.step().requests[0].tokens) for _ in range(20)]
    assert depths[0] == 4
    assert 0 < min(d for d in depths if d) < 4
    told, same = answers(one, 64), answers(plain, 64)
    for number in set(told) & set(same):
        both = min(len(told[number]), len(same[number]))
        assert told[number][:both] == same[number][:both]


def test_a_peer_reads_the_same_prompts_and_gives_the_model_back():
    made = pair()
    block = Generate(made, 2, "mixed", 0.0, 1).block(70)
    assert block.tokens == 2 * 35
    assert block.seconds > 0
    assert made.target.model.config._attn_implementation == NAME
    assert subject("off").block(12).tokens >= 12
