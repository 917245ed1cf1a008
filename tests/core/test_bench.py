"""Ratios, bars and tables of a benchmark, on results of the test's own making."""

import json
from dataclasses import replace

import pytest

from expediter.core.bars import MET, MISSED, UNSURE, Bar, bars, counted
from expediter.core.bench import Bench, Peer, Prediction, from_json, load_bench, prediction, summary, to_json
from expediter.core.bench_text import markdown, table
from tests.core.bench_case import made, peer, row


def named(bench: Bench) -> dict[str, bool]:
    """Which bars are met, by their names' first words."""
    return {" ".join(bar.name.split()[:3]) if bar.name.split()[2] != "transformers'" else bar.name: bar.met for bar in bars(bench)}


def test_a_result_survives_json_and_has_the_fields_that_were_promised(tmp_path):
    bench = made()
    file = tmp_path / "b.json"
    file.write_text(to_json(bench))
    assert load_bench(file) == bench == from_json(to_json(bench))
    data = json.loads(file.read_text())
    assert {"rows", "peers", "overhead_share", "prediction", "machine", "pair", "dtype", "threads", "temperature"} <= set(data)
    assert {"load", "policy", "tokens_per_s", "spread", "tokens_per_step", "batch_mean", "wasted_share"} <= set(data["rows"][0])
    assert {"load", "name", "tokens_per_s"} <= set(data["peers"][0])
    assert {"bias", "p90_abs_error"} <= set(data["prediction"])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rows": [{}]}'])
def test_a_damaged_file_is_one_sentence(text, tmp_path):
    file = tmp_path / "b.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"b\.json is no benchmark's result"):
        load_bench(file)


def test_every_bar_is_met_by_a_result_that_meets_it():
    assert all(named(made()).values())
    assert len(named(made())) == 9


@pytest.mark.parametrize(
    ("change", "bar"),
    [
        ({"off": 200}, "never below the"),
        ({"fixed:2": 200}, "never below the"),
        ({"all": 145}, "faster than no"),
        ({"best-plan": 200}, "near the best"),
        ({"oracle": 220}, "near a clairvoyant"),
    ],
)
def test_a_rival_that_is_too_fast_breaks_its_bar(change, bar):
    assert not named(made(**{name.replace(":", "_").replace("-", "_"): rate for name, rate in change.items()}))[bar]


def shaken(bench: Bench, policy: str, size: float) -> Bench:
    """One policy's blocks alternately faster and slower."""
    swing = [1 + size, 1 - size] * 5
    rows = [replace(r, blocks=tuple(b * s for b, s in zip(r.blocks, swing, strict=False))) if r.policy == policy else r for r in bench.rows]
    return replace(bench, rows=tuple(rows))


def never_below(bench: Bench) -> Bar:
    return bars(bench)[0]


def test_a_bar_is_missed_only_where_the_whole_interval_lies_below_it():
    clear, shaky = made(**{"fixed_2": 160}), shaken(made(**{"fixed_2": 160}), "fixed:2", 0.1)
    assert (never_below(clear).verdict, never_below(clear).met) == (MISSED, False)
    assert never_below(clear).high < 0.97
    assert (never_below(shaky).verdict, never_below(shaky).met) == (UNSURE, False)
    assert never_below(shaky).low < 0.97 <= never_below(shaky).high
    assert never_below(shaky).value < 0.97  # the figure stays as it is
    assert counted(bars(clear)) == {MET: 8, MISSED: 1, UNSURE: 0}


def test_a_bar_that_is_reached_by_luck_is_not_met():
    assert never_below(made()).verdict == MET
    assert never_below(shaken(made(), "fixed:2", 0.3)).verdict == UNSURE


def test_a_gain_at_a_single_load_does_not_meet_the_bar_for_two():
    bench = made()
    slow = tuple(row(r.load, r.policy, 100) if r.policy == "early-stop" and r.load > 1 else r for r in bench.rows)
    gains = bars(replace(bench, rows=slow))[1]
    assert (gains.verdict, gains.where) == (MISSED, "load 4")
    assert gains.value == pytest.approx(100 / 110, rel=0.01)


def test_a_peer_that_ran_in_other_rounds_is_no_rival_at_a_bars_load():
    bench = made()
    fewer = tuple(replace(p, blocks=p.blocks[:3]) for p in bench.peers)
    with pytest.raises(ValueError, match="same rounds"):
        bars(replace(bench, peers=fewer))


def test_peers_prediction_and_overhead_break_theirs():
    bench = made()
    fast = tuple(peer(p.load, p.name, 140) for p in bench.peers)
    broken = bars(replace(bench, peers=fast, prediction=Prediction(0.2, 0.3, {}), overhead={"8": 0.3}))
    assert [bar.name.split()[0] for bar in broken if not bar.met] == ["predicted", "faster", "faster", "faster", "little"]


def test_a_run_without_peers_or_ceilings_has_fewer_bars():
    bench = made()
    rows = tuple(r for r in bench.rows if r.policy in ("off", "early-stop"))
    assert set(named(replace(bench, rows=rows, peers=(), prediction=None))) == {"never below the", "little time outside"}


def test_a_noisy_load_is_the_one_where_even_the_steadiest_varied():
    bench = made()
    shaken = tuple(replace(r, spread=0.3) if r.load == 4 else r for r in bench.rows)
    assert replace(bench, rows=shaken).noisy == [4]
    assert bench.noisy == []
    assert "load 4" in table(replace(bench, rows=shaken))


def test_prediction_is_mean_and_ninetieth_percentile():
    found = prediction({1: [0.1, -0.1], 4: [0.2, 0.2]})
    assert found.bias == pytest.approx(0.1)
    assert found.p90_abs_error == pytest.approx(0.2)
    assert found.by_load == pytest.approx({"1": 0.0, "4": 0.2})
    assert (found.words, found.seconds, found.plain) == (None, None, None)
    assert prediction({}) is None


def test_a_prediction_is_told_in_its_parts():
    found = prediction({1: [0.1, 0.3]}, [0.0, 0.02], [-0.1, -0.2], [])
    assert (found.words, found.seconds, found.plain) == (pytest.approx(0.01), pytest.approx(-0.15), None)
    bar = next(bar for bar in bars(replace(made(), prediction=found)) if bar.name.startswith("predicted speed"))
    assert bar.where == "mean over all loads, words a step +1 %, time -15 %"


def test_summary_is_median_and_relative_quartile_distance():
    assert summary([10, 12, 14, 16, 18]) == pytest.approx((14, 4 / 14))


def test_tables_hold_every_figure():
    text, words = markdown(made()), table(made())
    for said in (text, words):
        assert "150" in said
        assert "assisted generation" in said
    assert text.count("| met |") == 9
    assert words.count("\nmet    ") == 9
    assert "95 %" in text
    assert "equals would read" in text
    assert "5 blocks of every policy at each load, 60 seconds in all; decided by the step-rate table test." in text
    assert f"load 16 early-stop {18 * '█'} 1.50\n        fixed:2    {16 * '█'} 1.30" in text
    widths = {line.count("|") for line in text.splitlines() if line.startswith("| load") or line.startswith("| 4 |")}
    assert len(widths) == 2  # words per second with peers, what was sent without


def test_a_run_says_by_which_table_it_decided():
    bench = replace(made(), profile="0123456789ab, measured here, 2026-01-01T00:00:00+00:00")
    assert "decided by the step-rate table 0123456789ab (measured here, 2026-01-01)." in markdown(bench)


def test_a_load_without_plain_decoding_has_no_bar():
    bench = made()
    text = markdown(replace(bench, rows=tuple(row for row in bench.rows if (row.load, row.policy) != (4, "off"))))
    assert "load 1  early-stop" in text
    assert "load 4  early-stop" not in text
    assert "```" not in markdown(replace(bench, rows=tuple(row for row in bench.rows if row.policy != "early-stop")))


def test_a_peer_that_did_not_run_at_a_load_leaves_an_empty_cell():
    bench = made()
    line = next(line for line in markdown(bench).splitlines() if line.startswith("| 16 |"))
    assert line.endswith("|  |")
    assert isinstance(bench.peers[0], Peer)
