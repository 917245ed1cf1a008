"""The worked cases that the page tells are the ones that the tests check."""

import json
from pathlib import Path

import pytest

from expediter.ui.scenarios import CASES, WAYS, scenarios

CHECKED = Path(__file__).parents[1] / "core" / "scheduler_cases.json"


def test_the_pages_cases_are_the_checked_ones_with_a_title_and_a_lesson():
    told = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    assert all(case.pop("title") and case.pop("lesson").endswith(".") for case in told)
    assert told == json.loads(CHECKED.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("name", scenarios())
def test_every_way_to_decide_has_a_plan_on_every_case(name):
    road = scenarios()[name].road()
    assert all(road.plan(way).theta > 0 for way in WAYS)
    assert road.outcome(road.plan("all")) is None


def test_expected_scores_are_those_of_the_cases():
    road = scenarios()["published-gpu-table-64-requests"].road()
    assert road.plan("global").stop == 128
    assert road.plan("global").theta == pytest.approx(5872.05, rel=1e-3)
    assert scenarios()["stale-budget-live-order"].road().plan("stale").stop == 6


def test_another_lookup_replaces_the_cases_own():
    scenario = scenarios()["staircase-traps-early-stop"]
    assert scenario.road().plan("early-stop").stop == 0
    assert scenario.road("floor").plan("early-stop").stop > 0


def test_a_budget_from_earlier_steps_is_compared_only_where_there_are_some():
    assert "stale" in scenarios()["stale-budget-live-order"].road().ways
    assert "stale" not in scenarios()["one-peak"].road().ways
