"""Calibration figures: the nearest temperature, and files that are damaged."""

import json
import math

import pytest

from expediter.core.figures import nearest_figures, table
from expediter.core.pairs import MODELS

ROW = {"blocks": 100, "acceptance": [0.5, 0.25], "tokens_per_step": 1.6, "ece": [0.01, None], "auc": [0.7, 0.6]}


def test_the_nearest_temperature_counts():
    data = {"temperatures": {"0": ROW, "0.8": {**ROW, "blocks": 7}, "1.5": ROW}}
    assert nearest_figures(data, 0.7).blocks == 7
    assert nearest_figures(data, 99).temperature == 1.5


def test_what_was_not_measured_is_no_number():
    assert math.isnan(nearest_figures({"temperatures": {"0": ROW}}, 0).ece[1])


DAMAGED = ({"warm": ROW}, {"0": {"blocks": 3}}, {"nan": ROW}, {"0": {**ROW, "acceptance": []}}, {"0": 5}, [], None)


@pytest.mark.parametrize("data", [{}, *({"temperatures": rows} for rows in DAMAGED)])
def test_a_damaged_file_has_no_figures(data):
    assert nearest_figures(data, 0) is None


def test_the_table_has_a_line_for_every_temperature_that_reads():
    bare = {**ROW, "ece": [None, None], "auc": [None, None]}
    _, first, last = table({"temperatures": {"0": ROW, "0.4": {"blocks": 3}, "0.8": bare}})
    assert first.split() == ["0", "100", "0.500", "1.60", "0.010", "0.700"]
    assert last.split() == ["0.8", "100", "0.500", "1.60", "—", "—"]
    assert len(table({})) == 1


def test_every_shipped_pair_has_figures():
    for file in MODELS.glob("pairs/*/calibration.json"):
        figures = nearest_figures(json.loads(file.read_text()), 0.8)
        assert len(figures.acceptance) == len(figures.ece) == len(figures.auc) > 3
