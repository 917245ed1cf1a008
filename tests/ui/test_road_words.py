"""What the page says about a road is what the plans do on it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from expediter.core.curve import Curve
from expediter.core.settings import Settings
from expediter.core.step_rate import StepRate
from expediter.core.tables import TABLES
from expediter.ui import real_roads
from expediter.ui.captions import exact
from expediter.ui.road_words import decision, findings, lag_alt, lag_sentence, lossless, points_sentences, score_alt, speed_alt
from expediter.ui.scenarios import WAYS, Road, scenarios
from expediter.ui.ways import lookups_table, ways_table
from tests.fakes import profile, recording

TEXT = json.loads((Path(__file__).parents[2] / "assets" / "bumpy_roads.json").read_text(encoding="utf-8"))
RUN = recording(Settings(), steps=3)


def plans(road: Road) -> dict:
    return {way: road.plan(way) for way in WAYS}


def told(name: str) -> str:
    road = scenarios()[name].road()
    return " ".join([decision(road.plan("early-stop")), *findings(road, plans(road))])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "staircase-traps-early-stop",
            "Caught at a dip: behind its stop the score climbs again, to 781 words per second at batch 16, 95 % higher",
        ),
        ("one-peak", "One peak"),
        ("one-peak", "loads 2 of 4 guesses"),
        ("flat-table-verifies-everything", "commonest failure"),
        ("high-acceptance-can-still-lose", "Guessing does not pay here: without it the big model writes 16.35 words per second"),
        ("load-32-of-64", "slower than checking none"),
        ("load-16-of-64", "The next one would bring"),
        ("ties-keep-prefixes", "budget allows no more"),
    ],
)
def test_each_case_is_told_by_what_goes_wrong_on_it(name, says):
    assert says in told(name)


@pytest.mark.parametrize("name", scenarios())
def test_every_score_of_a_case_stands_in_its_table(name):
    case, road = json.loads(scenarios()[name].text), scenarios()[name].road()
    shown = re.findall(r"<tr><th scope='row'>.*?<td>(\d+)</td><td>([\d.,]+)", ways_table(road, plans(road), None))
    rows = dict(zip(WAYS, [(int(sent), float(score.replace(",", ""))) for sent, score in shown], strict=True))
    for way, expected in case["expect"].items():
        if "theta" in expected:
            assert rows[way][1] == pytest.approx(expected["theta"], rel=1e-3)
        if "admitted" in expected or "lengths" in expected:
            assert rows[way][0] == expected.get("admitted", sum(expected.get("lengths", [])))


def test_a_flat_table_does_not_check_what_a_budget_forbids():
    assert "every guess, however unlikely, would be checked if the budget allowed it" in told("ties-keep-prefixes")
    assert "every guess, however unlikely, is checked" in told("flat-table-verifies-everything")


def test_a_budget_from_chances_of_one_is_called_cold():
    road = scenarios()["stale-budget-live-order"].road()
    assert road.plan("stale").cold
    assert "Budget, cold start" in ways_table(road, plans(road), None)


def test_one_word_is_no_words():
    assert "expects 1 word per second." in decision(scenarios()["appendix-a-high"].road().plan("early-stop"), exact)


def test_times_of_seconds_are_not_told_in_milliseconds():
    assert "make the step 1 s longer" in told("appendix-a-high")


def test_an_ordinary_case_raises_no_alarm():
    said = told("one-peak")
    assert "dip" not in said
    assert "flat" not in said
    assert "does not pay" not in said


def test_a_table_that_ends_early_says_what_happens_beyond():
    road = Road([[0.9] * 5] * 4, StepRate(np.array([4, 8]), np.array([0.01, 0.011])))
    assert any("ends at batch 8" in sentence for sentence in findings(road, plans(road)))


def test_only_a_search_over_the_same_words_is_marked_not_lossless():
    sampled, greedy = (Road([[0.5]], TABLES["smooth"].step_rate(1), temperature=t) for t in (0.8, 0.0))
    assert [lossless(way, sampled, lag=1)[0] for way in WAYS] == ["✓", "✗", "✓", "✓", "✓", "✓", "✓"]
    assert lossless("stale", sampled, lag=0).startswith("✗")
    assert lossless("global", greedy).startswith("✓ lossless at temperature 0")


def test_the_table_of_ways_counts_what_really_passed():
    road = real_roads.road_of(RUN, 2, TABLES["smooth"].step_rate(16), 1)
    early = road.plan("early-stop")
    html = ways_table(road, plans(road), 1)
    assert html.count("<tr>") == 1 + len(WAYS)
    assert "came out" in html
    assert "Budget, 1 step old" in html
    assert f"<td>{early.stop}</td>" in html
    assert "came out" not in ways_table(scenarios()["one-peak"].road(), plans(scenarios()["one-peak"].road()), None)


def test_budgets_of_every_age_are_those_of_older_steps():
    road = real_roads.road_of(RUN, 2, TABLES["published-gpu"].step_rate(16), 1)
    budgets = real_roads.budgets(road, RUN, 2)
    assert list(budgets) == ["0", "1", "2", "cold"]
    assert budgets["0"].stop == road.plan("global").stop
    assert budgets["1"].stop == road.plan("stale").stop
    assert budgets["cold"].cold
    assert "cold: " in lag_alt(budgets, road.plan("early-stop"))
    assert lag_sentence(4, budgets, TEXT).startswith("Cold start")
    assert lag_sentence(0, budgets, TEXT).startswith("Age 0")
    assert f"sends {budgets['1'].stop} " in lag_sentence(1, budgets, TEXT)
    alike = {**budgets, "1": budgets["0"]}
    assert lag_sentence(1, alike, TEXT).endswith("guesses, as many as the chances of these very words would.")


def test_charts_are_told_with_their_numbers():
    road = scenarios()["staircase-traps-early-stop"].road()
    assert "stops at batch 4 with 400. The highest point is 781 at batch 16" in score_alt(plans(road))
    assert "batch 4: 100.0 steps per second" in speed_alt(road)


def test_this_machines_road_comes_first_and_is_named_for_its_source():
    roads = real_roads.tables(profile("measured here"), None)
    assert list(roads) == ["here", *TABLES]
    assert real_roads.label("here", roads["here"], TEXT) == "This machine"
    assert "(simulated)" in real_roads.label("flat", roads["flat"], TEXT)
    assert "own" in real_roads.tables(None, TABLES["flat"])


def test_reading_the_table_otherwise_than_the_hardware_pays_is_shown_to_cost():
    html = lookups_table(scenarios()["staircase-traps-early-stop"].road())
    assert "<td>0</td><td>400</td><td>400</td>" in html, "ceil is caught before the stair"
    assert html.count("<tr>") == 4
    floor = html.split("floor")[1]
    assert floor.startswith(")</th><td>3</td><td>670</td><td>478.6</td>"), "floor stops short of the stair that it already pays"


def measured(off: float, width: float) -> list[str]:
    """What is said of points that lie beside a line for 12 requests: their steps take `off` less, half of them spread over `width`."""
    fit = StepRate(np.array([12, 24, 48]), np.array([0.02, 0.03, 0.05]))
    median = tuple((np.array([0.02, 0.03, 0.05]) / (1 + off)).tolist())
    low, high = (tuple(value * (1 + side * width / 2) for value in median) for side in (-1, 1))
    return points_sentences(Curve(16, 64, (12, 24, 48), median, low, high, 30), fit, 12)


def test_points_beside_the_line_are_explained_and_points_on_it_are_not():
    assert measured(0.01, 0.02) == []
    (said,) = measured(-0.2, 0.02)
    assert said.startswith(
        "The points lie about 20 % below the line because they belong to 16 requests: the line is for the 12 of this step"
    )
    assert "12 % above" in measured(0.12, 0.02)[0]


def test_a_crowd_is_no_reason_for_points_on_the_wrong_side_of_the_line():
    (said,) = measured(0.12, 0.02)
    assert "12 % above the line, although they belong to 16 requests and the line to the 12 of this step" in said
    assert "because" not in said


def test_a_busy_machine_is_told_by_its_wide_bars():
    (said,) = measured(0.0, 0.4)
    assert said.startswith("The bars are wide: half of the repeats differ by 40 % and more.")
    assert "Garage" in said
