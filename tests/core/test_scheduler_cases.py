"""Every worked case (the paper's Appendix A, published tables and reports), through the library and through the command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from expediter.cli.schedule import answer
from expediter.core.case import read_case
from expediter.core.scheduler import schedule

CASES = json.loads((Path(__file__).parent / "scheduler_cases.json").read_text())["cases"]
EXPECTED = [(case, policy) for case in CASES for policy in case.get("expect", {})]
NAMES = [f"{case['name']}-{policy}" for case, policy in EXPECTED]


def check(case: dict, policy: str, got: dict) -> None:
    expect = case["expect"][policy]
    for field, value in expect.items():
        assert got[field] == (pytest.approx(value, rel=1e-3) if field == "theta" else value), field


def test_every_case_says_what_it_expects():
    expected_orders = [case for case in CASES if "order" in case["expect"]]
    assert len(CASES) == 14
    assert len(expected_orders) == 1


@pytest.mark.parametrize(("case", "policy"), [p for p in EXPECTED if p[1] != "order"], ids=[n for n in NAMES if not n.endswith("-order")])
def test_case_comes_out_as_published(case, policy):
    read = read_case(json.dumps(case), policy=policy)
    check(case, policy, answer(schedule(read.confidence, read.step_rate, read.policy, budget=read.budget, older=read.older)))


@pytest.mark.parametrize("case", [case for case in CASES if "order" in case["expect"]], ids=lambda case: case["name"])
def test_order_comes_out_as_published(case):
    read = read_case(json.dumps(case))
    assert schedule(read.confidence, read.step_rate).order.tolist() == case["expect"]["order"]


@pytest.mark.parametrize("name", ["appendix-a-high", "published-gpu-table-64-requests", "high-acceptance-can-still-lose"])
def test_case_comes_out_the_same_on_the_command_line(name):
    case = next(case for case in CASES if case["name"] == name)
    for policy in case["expect"]:
        done = subprocess.run(
            [sys.executable, "-m", "expediter", "schedule", "-", "--policy", policy],
            input=json.dumps(case), capture_output=True, text=True, check=True,
        )  # fmt: skip
        check(case, policy, json.loads(done.stdout))
