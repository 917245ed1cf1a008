"""Proof's sentences, tables and chart say what the result says, whatever it is."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from expediter.core.bench import Bench, Prediction
from expediter.ui import policy_look
from expediter.ui import proof_words as words
from expediter.ui.figures_proof import speed_figure, times_plain
from tests.core.bench_case import made

TEXT = {
    "here": "here {ago}: {about}",
    "recorded": "recorded {about} {profile}",
    "short": "short",
    "other_temperature": "{temperature}/{chosen}",
    "other_weights": "weights",
    "noisy": "noisy {loads}",
}


def bare() -> Bench:
    """A run of one policy without anything to compare with."""
    bench = made()
    rows = tuple(row for row in bench.rows if row.policy == "early-stop")
    return replace(bench, rows=rows, peers=(), prediction=None, overhead={"1": 0.1})


def test_the_headline_is_the_lightest_and_the_heaviest_load():
    assert words.headline(made()) == (
        "At temperature 0 the expediter writes, for 1 request, 1.50 times the words per second of plain decoding, "
        "for 16 requests 1.50 times."
    )
    assert words.headline(bare()) == ""


def test_a_slower_expediter_is_told_as_it_is():
    assert "0.75 times" in words.headline(made(off=200))
    assert "missed" in words.verdict(made(off=200))
    assert "✕ missed" in words.bars_list(made(off=200))


def test_the_verdict_counts():
    assert words.verdict(made()) == "9 bars: all met."
    assert words.verdict(made(off=200)) == "9 bars: 7 met, 2 missed."
    swing = (0.6, 1.4, 0.6, 1.4, 1.0)
    shaky = [replace(r, blocks=tuple(np.multiply(r.blocks, swing).tolist())) if r.policy == "best-plan" else r for r in made().rows]
    open_bars = replace(made(), rows=tuple(shaky))
    assert "within noise" in words.verdict(open_bars)
    assert "≈ within noise" in words.bars_list(open_bars)
    assert words.verdict(bare()) == "There are too few figures for any bar."


@pytest.mark.parametrize(("bias", "said"), [(0.0, "as fast as"), (0.08, "8 % faster"), (-0.08, "8 % slower")])
def test_the_forecast_has_its_direction(bias, said):
    assert said in words.forecast(replace(made(), prediction=Prediction(bias, 0.1, {})))
    assert words.forecast(bare()) == ""


def test_the_chart_and_its_words_hold_every_series():
    bench = made()
    times = times_plain(bench)
    assert times["expediter"][4] == pytest.approx(1.5)
    assert times["best limit by hand"][16] == pytest.approx(1.3)
    assert set(times["assisted generation"]) == {1}
    figure = speed_figure(bench, "light")
    assert isinstance(figure, go.Figure)
    assert {trace.name for trace in figure.data} == set(times)
    assert len({(trace.marker.symbol, trace.line.dash) for trace in figure.data}) == len(figure.data)
    assert all(name in words.speed_alt(bench) for name in times)


def test_the_table_has_a_dash_where_a_peer_did_not_run():
    table = words.rates_table(made())
    assert table.count("<tr>") == 1 + 6 + 2
    assert "<td>–</td>" in table
    assert "clairvoyant" in table


def test_cautions_tell_what_does_not_fit():
    bench = replace(made(), rows=tuple(replace(row, spread=0.5) for row in made().rows))
    assert words.cautions(bench, True, True, 0.8, TEXT) == ["short", "0/0.8", "weights", "noisy 1, 4, 16"]
    assert words.cautions(made(), False, False, 0.0, TEXT) == []


def test_bars_have_units_and_no_names_from_the_inside():
    told = words.bars_list(made(off=200))
    assert "fixed:" not in told
    assert "oracle" not in told
    assert "no drafts" not in told
    assert told.count(" ×</strong>, at least") + told.count(" %</strong>, at most") == told.count("<li")


def test_a_policy_has_the_same_name_and_look_as_on_rush_hour():
    named = {trace.name: trace for trace in speed_figure(made(), "light").data}
    for spelling in ("early-stop", "all"):
        drawn, look = named[policy_look.name(spelling)], policy_look.look(spelling)
        assert (drawn.marker.symbol, drawn.line.dash) == (look.symbol, look.dash)
    assert words.who("fixed:2") == policy_look.name("fixed:2")


def test_progress_is_told_in_the_pages_names():
    assert words.progress("load 4: oracle, block 1 of 5") == "load 4: clairvoyant, block 1 of 5"
    assert words.progress("load 4: fixed:2, block 1 of 5") == "load 4: at most 2 each, block 1 of 5"
    assert words.progress("load 1: warming up") == "load 1: warming up"


def test_the_origin_has_a_day_and_no_seconds():
    bench = replace(made(), profile="abc, recorded on another machine, 2026-11-29T22:15:11+00:00")
    assert words.origin(bench, False, "", TEXT).endswith("2026-11-29")


def test_a_name_from_a_file_cannot_become_markup():
    bench = made()
    rows = tuple(replace(row, policy="<b>off</b>") if row.policy == "all" else row for row in bench.rows)
    assert "<b>" not in words.rates_table(replace(bench, rows=rows))
