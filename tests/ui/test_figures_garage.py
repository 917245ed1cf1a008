"""The Garage's charts: every pair keeps its look, and no two look alike."""

from dataclasses import replace

import pytest

from expediter.ui.figures_garage import lines_figure, look, passing_figure
from expediter.ui.garage_compare import _sentence, compare
from tests.ui.garage_case import FIGURES, SLOW, card

CARDS = [card(chosen=True), card("Mini · good", table=SLOW), card("New", table=None), card("Raw", figures=None)]
NAMES = ("Pocket · good", "Mini · good", "Raw")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pairs_differ_in_more_than_colour(scheme):
    looks = [look(index, scheme) for index in range(40)]
    assert len(set(looks)) == 40
    assert len({part[1:] for part in looks}) == 40


def test_a_pair_looks_the_same_in_every_chart():
    found = compare(CARDS, 16, 5)
    costs = lines_figure(found.costs, NAMES[0], "x", "y", "light")
    passing = passing_figure(found.passing, list(found.costs), NAMES[0], "light")
    styles = {trace.name: (trace.line.color, trace.line.dash, trace.marker.symbol) for trace in costs.data}
    shared = [trace for trace in passing.data if trace.name in styles]
    assert len(shared) == 2
    assert all((trace.line.color, trace.line.dash, trace.marker.symbol) == styles[trace.name] for trace in shared)
    others = [trace for trace in passing.data if trace.name not in styles]
    assert [(trace.line.color, trace.marker.symbol) for trace in others] != [styles[NAMES[2]][::2]]


def test_the_chosen_pair_is_thicker_and_has_its_plain_line():
    found = compare(CARDS, 16, 5)
    figure = lines_figure(found.outcomes, NAMES[0], "x", "y", "light", plain=found.plain)
    widths = {trace.name: trace.line.width for trace in figure.data}
    assert widths[NAMES[0]] > widths[NAMES[1]]
    assert f"{NAMES[0]}, no guessing" in widths


def test_a_long_line_has_few_marks_and_the_legend_shows_them_too():
    figure = lines_figure({NAMES[0]: (list(range(100)), list(range(100)))}, NAMES[0], "x", "y", "light")
    marker = figure.data[0].marker
    assert marker.maxdisplayed < 10
    assert marker.size > 0, "one size for all: of many the legend takes the smallest, and that may be none"


def test_two_roads_are_set_beside_each_other_on_one_machine_where_that_is_possible():
    slow, far = card("Slow", table=SLOW), card("Far", table=replace(SLOW, source="recorded"))
    other = card("Other", table=CARDS[0].table)
    cards = [CARDS[0], far, other]
    assert "Other instead of" in _sentence(cards, compare(cards, 16, 5))
    assert "Slow instead of" in _sentence([*cards, slow], compare([*cards, slow], 16, 5))
    assert "Far instead of" in _sentence(cards[:2], compare(cards[:2], 16, 5))


def test_only_what_was_measured_is_compared():
    found = compare(CARDS, 16, 5)
    assert tuple(found.costs) == NAMES
    assert tuple(found.outcomes) == NAMES[:2]
    assert set(found.passing) == {"Pocket · good", "Mini · good", "New"}
    batch, milliseconds = found.costs[NAMES[1]]
    assert (batch[0], batch[-1]) == (16, 96)
    assert all(slow > quick for slow, quick in zip(milliseconds, found.costs[NAMES[0]][1], strict=True))


def test_guessing_never_brings_less_than_not_guessing():
    found = compare(CARDS, 16, 5)
    assert all(with_ >= without for with_, without in zip(found.outcomes[NAMES[0]][1], found.plain[1], strict=True))
    assert found.passing["New"] is FIGURES
