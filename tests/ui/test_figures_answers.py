"""The charts draw the numbers they are given, and nothing is told by colour alone."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from expediter.core.counterexample import Counterexample
from expediter.core.first_two import FirstTwo
from expediter.ui.figures_answers import bent_figure, cells_figure, trail_figure
from expediter.ui.peek_words import EARLY, PEEK
from tests.answers import sampling

BARS = json.loads((Path(__file__).parents[2] / "assets" / "same_answer.json").read_text(encoding="utf-8"))["bars"]


def named(figure, name: str):
    return next(trace for trace in figure.data if trace.name == name)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_verdict_is_marked_only_at_the_planned_number(scheme):
    whole, open_ = trail_figure(sampling(), scheme), trail_figure(sampling(planned=2000), scheme)
    assert list(named(whole, "verdict").x) == [1000]
    assert "verdict" not in [trace.name for trace in open_.data]
    assert list(named(open_, "here the verdict falls").x) == [2000, 2000]
    dashes = [trace.line.dash for trace in open_.data]
    assert len(set(dashes)) == len(dashes)


def test_a_tiny_p_value_stays_on_the_chart():
    run = sampling((300, 500, 100, 100), trail=((500, 0.0), (1000, 0.0)))
    figure = trail_figure(run, "light")
    assert min(named(figure, "verdict").y) == 1e-6


def test_counted_and_expected_are_shares_of_the_same_pairs():
    figure = cells_figure(sampling(), "light")
    counted, expected = named(figure, "counted"), named(figure, "expected, with what chance allows")
    assert list(counted.x) == [0.51, 0.29, 0.105, 0.095]
    assert list(expected.x) == [0.5, 0.3, 0.1, 0.1]
    assert expected.error_x.array[0] == pytest.approx(1.96 * np.sqrt(0.25 / 1000))
    assert list(counted.y) == list(expected.y)
    assert counted.y[-1] == "all other pairs"


def test_pairs_that_look_alike_keep_bars_of_their_own_and_cannot_be_markup():
    words = {1: "<b>", 2: " x", 3: "x"}
    joint = FirstTwo(np.array([[1, 2], [1, 3]]), np.array([0.5, 0.3, 0.2]))
    labels = cells_figure(replace(sampling((5, 3, 2)), joint=joint, words=words), "light").data[0].y
    assert len(set(labels)) == 3
    assert "<" not in "".join(labels)


@pytest.mark.parametrize(("policy", "exact"), [(PEEK, [0.85, 0.15]), (EARLY, [0.7, 0.3])])
def test_wanted_delivered_and_drawn_stand_side_by_side(policy, exact):
    figure = bent_figure(Counterexample(), policy, np.array([6, 4]), BARS, "dark")
    assert list(named(figure, BARS["target"]).y) == [0.7, 0.3]
    assert list(named(figure, BARS["exact"]).y) == pytest.approx(exact)
    assert list(named(figure, BARS["sampled"]).y) == [0.6, 0.4]
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 3
