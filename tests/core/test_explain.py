"""A decision in words says the plan's own numbers, whatever they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.case import Case, read_case
from expediter.core.explain import explain
from expediter.core.plan import Plan
from expediter.core.scheduler import schedule

TWO = {"confidences": [[0.8, 0.2], [0.8, 0.2]], "step_ms": {"2": 10, "4": 10.9, "6": 12.1}}
STAIRS = {"confidences": [[0.9, 0.8, 0.7]], "repeat": 16, "step_ms": {"16": 10.5, "32": 13, "64": 16}, "lookup": "ceil"}


def told(data: dict) -> tuple[str, Plan, Case]:
    case = read_case(json.dumps(data))
    plan = schedule(case.confidence, case.step_rate, case.policy, budget=case.budget, older=case.older)
    return explain(plan, case), plan, case


def test_a_peak_names_the_draft_that_stayed_and_what_it_would_have_cost():
    text, plan, _ = told(TWO)
    assert "2 requests with 4 drafts: send 2, by request 1, 1." in text
    assert "the next draft (request 0, position 2) adds 0.160 tokens" in text
    assert f"from {plan.theta:.4g} to {plan.path[3]:.4g}" in text
    assert text.count("← stop") == 1


def test_a_higher_peak_behind_a_dip_is_told_but_not_taken():
    text, plan, _ = told(STAIRS)
    assert plan.stop == 0
    assert f"rises again, to {max(plan.path):.4g}" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"budget": 1}, "the budget of 1 let in 1 draft. In this order Θ is highest at 2 drafts: 330.3 tokens/s instead of 267.9."),
        (
            {"policy": "stale"},
            "a budget from older confidences (assumed to be 1.0: a cold start) let in everything",
        ),
        ({"policy": "stale", "budget_from": [[0.8, 0.2], [0.8, 0.2]]}, "a budget from older confidences let in 2 drafts. No other stop"),
        ({"policy": "fixed:1"}, "the policy fixed:1 decides without asking Θ. No other stop in this order has a higher Θ."),
        (
            {"policy": "all"},
            "the policy all decides without asking Θ. In this order Θ is highest at 2 drafts: 330.3 tokens/s instead",
        ),
        ({"policy": "off"}, "Why: the policy off drafts nothing."),
        ({"policy": "global"}, "above temperature 0 this bends the answers"),
        ({"confidences": [[]]}, "no draft with a survival above 0"),
        ({"step_ms": {"1": 10, "9": 10}, "confidences": [[0.5, 0.5]]}, "nothing was left"),
        ({"draft_ms": 50}, "Not drafting at all would be faster"),
    ],
)
def test_every_reason_has_its_sentence(change, said):
    text, _, _ = told({**TWO, **change})
    assert said in text


def test_a_flat_table_is_called_flat():
    text, _, _ = told({**TWO, "step_ms": {"1": 10, "100": 10}})
    assert "The table is flat" in text
    assert "The table is flat" not in told(TWO)[0]


def test_a_long_step_and_a_huge_batch_are_told_in_plain_figures():
    text, plan, _ = told({"confidences": [[0.5]], "repeat": 100_000, "step_ms": {"1": 10, "8": 14}})
    assert "e+" not in text
    assert "τ = 100000 tokens in 175000 ms" in text
    assert "Θ would go from 571.429 to 571.426" in text
    assert plan.stop == 0


def test_a_single_token_is_one_token():
    assert "The target reads B = 1 token: 1 anchor and 0 drafts." in told({"confidences": [[0.1]], "step_ms": {"1": 10, "2": 20}})[0]


@given(
    rows=st.lists(st.lists(st.floats(0, 1), max_size=6), min_size=1, max_size=40),
    policy=st.sampled_from(["early-stop", "global", "stale", "all", "off", "fixed:2", "threshold:0.5"]),
    lookup=st.sampled_from(["interp", "ceil", "floor"]),
)
def test_any_case_can_be_told(rows, policy, lookup):
    text, plan, _ = told({"confidences": rows, "step_ms": {"1": 1, "7": 4, "30": 5}, "policy": policy, "lookup": lookup})
    assert f"send {plan.stop}," in text
    assert "nan" not in text
