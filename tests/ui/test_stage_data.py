"""The stage's payload says exactly what the trace says, in plain JSON."""

import json
from dataclasses import replace

import pytest

from expediter.core.settings import Settings
from expediter.core.trace import StepTrace
from expediter.ui.stage_data import payload
from tests.fakes import FakeEngine


def step(**settings) -> StepTrace:
    return FakeEngine(Settings(**{"load": 8, "depth": 5, **settings})).step()


@pytest.fixture(scope="module")
def trace() -> StepTrace:
    return step()


@pytest.fixture(scope="module")
def data(trace: StepTrace) -> dict:
    return payload(trace, revision=7)


def test_every_drafted_word_appears_once_and_the_candidates_come_in_admission_order(trace: StepTrace, data: dict):
    places = [(word["r"], word["j"]) for word in data["words"]]
    assert tuple(places[: len(trace.order)]) == trace.order
    assert sorted(places) == [(r, j) for r in range(8) for j in range(1, 6)]


def test_words_without_a_chance_follow_the_candidates(trace: StepTrace):
    hopeless = replace(trace, order=trace.order[:-3], path=trace.path[:-3], step_seconds=trace.step_seconds[:-3], stop=2)
    data = payload(hopeless, revision=1)
    assert data["candidates"] == len(trace.order) - 3
    last = [(word["r"], word["j"]) for word in data["words"]][-3:]
    assert sorted(last) == sorted(trace.order[-3:])
    assert [j for _, j in last] == sorted(j for _, j in last)


def test_a_word_carries_its_survival_and_its_fate(trace: StepTrace, data: dict):
    for word in data["words"]:
        request = trace.requests[word["r"]]
        assert word["a"] == pytest.approx(request.survival[word["j"] - 1], abs=1e-4)
        assert word["fate"] == request.fate(word["j"])


def test_a_number_is_rounded_once_by_whoever_shows_it(trace: StepTrace):
    first = replace(trace.requests[0], survival=(0.99996, *trace.requests[0].survival[1:]))
    path = (*trace.path[: trace.stop], 3.9497 / trace.step_seconds[trace.stop], *trace.path[trace.stop + 1 :])
    data = payload(replace(trace, path=path, requests=(first, *trace.requests[1:])), revision=1)
    assert f"{data['tau']:.1f}" == "3.9", "as the table of numbers has it"
    assert max(word["a"] for word in data["words"]) < 1, "nearly certain is not certain"


def test_exactly_the_admitted_words_were_sent(trace: StepTrace, data: dict):
    admitted = [word["fate"] != "left" for word in data["words"]]
    assert admitted == [place < trace.stop for place in range(len(admitted))]


def test_curve_times_and_directions_belong_together(trace: StepTrace, data: dict):
    assert len(data["path"]) == len(data["ms"]) == len(data["rise"]) + 1 == data["candidates"] + 1
    assert data["ms"][0] == pytest.approx(1000 * trace.step_seconds[0], abs=1e-4)
    assert set(data["rise"][: data["stop"]]) == {1}, "early stop never loads a word that lowers the score"
    assert data["rise"][data["stop"]] < 1
    assert data["path"][data["peak"]] == max(data["path"])


def test_requests_get_what_was_committed(trace: StepTrace, data: dict):
    assert sum(request["got"] for request in data["requests"]) == trace.got == data["got"]
    assert all(request["got"] == request["accepted"] + (request["own"] is not None) for request in data["requests"])


def test_it_is_plain_json_with_finite_numbers(data: dict):
    assert json.loads(json.dumps(data, allow_nan=False)) == data


@pytest.mark.parametrize("policy", ["early-stop", "global", "stale", "fixed:2", "threshold:0.5", "all", "off"])
def test_every_policy_has_an_honest_end(policy: str):
    trace = step(policy=policy)
    data = payload(trace, revision=1)
    assert data["stop"] == trace.batch - trace.load
    assert data["end"]
    assert ("So loading stops here" in data["end"]) == (trace.reason == "peak" and trace.stop < len(trace.order))
    if trace.reason == "policy" and trace.order:
        assert "The policy stops here, not the score." in data["end"]


def test_a_step_without_drafts_says_why():
    off = step(policy="off")
    assert payload(off, revision=1)["words"] == []
    assert "the policy drafts nothing" in payload(off, revision=1)["captions"]["draft"]
    rested = replace(off, policy="early-stop", drafting=False)
    assert "plain decoding is faster" in payload(rested, revision=1)["captions"]["draft"]


def test_the_revision_is_text_so_that_one_and_1_are_the_same_picture(trace: StepTrace):
    assert payload(trace, revision=1)["revision"] == payload(trace, revision="1")["revision"] == "1"


def test_an_unknown_settle_is_refused_with_the_known_ones(trace: StepTrace):
    with pytest.raises(ValueError, match="start, load, end"):
        payload(trace, revision=1, settle="middle")


def test_a_big_step_stays_small_enough_to_send():
    assert len(json.dumps(payload(step(load=64, depth=8), revision=1))) < 90_000
