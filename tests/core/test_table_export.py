"""What is written is read back as the same table, and says the same as the source at every size."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.advice import advise, fixed_rates, lengths_by_load
from expediter.core.clock import SimulatedClock
from expediter.core.scheduler import schedule
from expediter.core.table_export import FORMATS, export
from expediter.core.table_reader import TableError, read_table
from expediter.core.tables import TABLES, CostTable
from tests.fakes import profile

WHOLE = ("sglang", "sglang-additive", "vllm")  # forms in which drafting is part of the step
C = (0.8, 0.7, 0.6, 0.5)


def clock(name: str = "smooth", **change) -> SimulatedClock:
    base = TABLES[name]
    fields = {"batch": base.batch, "seconds": base.seconds, "lookup": base.lookup, **change}
    return SimulatedClock(CostTable(name, "t", "s", **fields))


def seconds(text: str, sizes: np.ndarray, load: int = 16) -> np.ndarray:
    return read_table(text).step_rate(load).step_seconds(sizes)


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "vllm-dynamic"])
@pytest.mark.parametrize("name", ["smooth", "staircase", "published-gpu"])
def test_every_form_reads_back(form, name):
    table = read_table(export(form, clock(name), 16, 96, 4))
    assert len(table.batch) >= 2
    assert not table.flat


@pytest.mark.parametrize("form", ["csv", "json", "sglang", "vllm"])
@pytest.mark.parametrize("name", ["staircase", "published-gpu"])
def test_stairs_stay_stairs_whatever_the_lookup(form, name):
    made = clock(name)
    sizes = np.arange(8, made.table.batch[-1] + 1)
    assert seconds(export(form, made, 16, 96, 4), sizes) == pytest.approx(made.step_rate(16, 96, 4).step_seconds(sizes))


@pytest.mark.parametrize("lookup", ["floor", "ceil", "interp"])
@given(table=st.dictionaries(st.integers(1, 2000), st.floats(1e-3, 1), min_size=1, max_size=12))
def test_json_and_csv_are_exact(lookup, table):
    made = clock(batch=tuple(sorted(table)), seconds=tuple(table[b] for b in sorted(table)), lookup=lookup, draft_seconds=0.002)
    sizes = np.arange(min(table), max(table) + 1)
    rate = made.step_rate(16, 96, 4)
    assert seconds(export("json", made, 16, 96, 4), sizes) == pytest.approx(rate.step_seconds(sizes))
    assert seconds(export("csv", made, 16, 96, 4), sizes) == pytest.approx(rate.verify_seconds(sizes))


@pytest.mark.parametrize("form", WHOLE)
def test_engines_forms_hold_the_whole_step_with_its_drafting(form):
    made = profile().at(0.0)
    sizes = np.array([16, 32, 64, 96])
    assert seconds(export(form, made, 16, 96, 5), sizes) == pytest.approx(made.step_rate(16, 96, 5).step_seconds(sizes), rel=0.06)


def test_the_sum_fits_every_load_of_the_profile():
    made = profile().at(0.0)
    table = read_table(export("sglang-additive", made, 16, 96, 5))
    for load in (1, 64):
        sizes = np.array([load, 3 * load, 6 * load])
        wanted = made.step_rate(load, 96, 5).step_seconds(sizes)
        assert table.step_rate(load).step_seconds(sizes) == pytest.approx(wanted, rel=0.1)


def test_sglangs_files_have_exactly_its_fields_and_keep_its_rules():
    data = json.loads(export("sglang", profile().at(0.0), 16, 96, 5))
    assert set(data) == {"sample_batch_tokens", "sample_steps_per_sec", "max_batch_tokens"}
    assert data["sample_batch_tokens"] == sorted(set(data["sample_batch_tokens"]))
    assert data["max_batch_tokens"] >= data["sample_batch_tokens"][-1]
    data = json.loads(export("sglang-additive", profile().at(0.0), 16, 96, 5))
    assert set(data) == {"bias_seconds", "bs_probes", "alpha_seconds", "m_probes", "theta_seconds"}
    assert data["bias_seconds"] > 0
    assert len(data["bs_probes"]) == len(data["alpha_seconds"])
    assert len(data["m_probes"]) == len(data["theta_seconds"])


def test_vllms_schedule_covers_every_load_once_and_drafts_less_when_busy():
    made = profile(seconds={1: 0.01, 16: 0.011, 64: 0.02, 384: 0.2}).at(0.0)
    data = json.loads(export("vllm-dynamic", made, 16, 96, 4, C))
    rows = data["num_speculative_tokens_per_batch_size"]
    assert rows[0][0] == 1
    assert all(after[0] == before[1] + 1 for before, after in pairwise(rows))
    assert rows[0][2] > rows[-1][2] >= 0
    assert data["num_speculative_tokens"] == len(C)


def test_vllms_curves_pad_up_to_the_limit_and_are_linear_above():
    table = read_table(json.dumps({"verify_curve": [[8, 10], [16, 12], [64, 20], [128, 40]], "cudagraph_limit": 16}))
    at = lambda *sizes: (1000 * table.step_rate(1).verify_seconds(np.array(sizes))).tolist()  # noqa: E731
    assert at(1, 8, 9, 16) == pytest.approx([10, 10, 12, 12])
    assert at(17, 64, 96, 128) == pytest.approx([20, 20, 30, 40])


def test_vllms_drafting_is_paid_by_those_who_draft_and_comes_back_as_it_went():
    text = json.dumps({"draft_curve": [[1, 1.0], [64, 3.0]], "verify_curve": [[8, 10], [16, 12], [64, 20]]})
    made = SimulatedClock(read_table(text))
    assert 1000 * made.step_rate(64, 96, 4).draft_seconds == pytest.approx(3.0)
    assert made.step_rate(64, 96, 0).draft_seconds == 0
    assert 1000 * made.step_rate(64, 96, 4).verify_seconds(64) == pytest.approx(20)
    back = SimulatedClock(read_table(export("vllm", made, 16, 96, 4)))
    for load in (1, 16, 64):
        for depth in (0, 4):
            sizes = np.array([1, 8, 9, 16, 17, 64])
            assert back.step_rate(load, 96, depth).step_seconds(sizes) == pytest.approx(made.step_rate(load, 96, depth).step_seconds(sizes))


def test_vllm_gets_no_empty_curve():
    data = json.loads(export("vllm", clock(), 16, 96, 4))
    assert data["draft_curve"] == [[1, 0.0]]
    assert read_table(json.dumps(data)).step_rate(16).draft_seconds == 0


def test_a_part_by_requests_that_is_no_drafting_stays_whole_in_vllms_curves():
    made = clock(requests=(1, 64), request_seconds=(0.001, 0.004))
    table = read_table(export("vllm", made, 16, 96, 4))
    for load in (1, 64):
        assert table.step_rate(load).step_seconds(64) == pytest.approx(made.step_rate(load, 96, 4).step_seconds(64))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"verify_curve": []}, "empty"),
        ({"draft_curve": [[1, 1]]}, "verify_curve is missing"),
        ({"verify_curve": [[8, 1], [8, 2]]}, "ascend"),
        ({"verify_curve": [[0, 1]]}, "whole numbers"),
        ({"verify_curve": [[1, -1]]}, "above 0"),
        ({"verify_curve": [[1]]}, "two numbers"),
        ({"verify_curve": [[1, 1]], "cudagraph_limit": -1}, "cudagraph_limit"),
    ],
)
def test_a_damaged_curve_gets_one_sentence(data, said):
    with pytest.raises(TableError, match=said):
        read_table(json.dumps(data))


def test_unknown_forms_and_a_missing_acceptance_are_refused():
    with pytest.raises(ValueError, match="is no format"):
        export("xml", profile().at(0.0), 16, 96, 4)
    with pytest.raises(ValueError, match="calibrated pair"):
        export("vllm-dynamic", profile().at(0.0), 16, 96, 4)


def test_advice_sends_less_of_each_request_when_busy_and_agrees_with_the_brute_sum():
    calm, busy = (advise(SimulatedClock(TABLES["smooth"]), load, C) for load in (1, 64))
    assert calm.per_request > busy.per_request
    rates = fixed_rates(SimulatedClock(TABLES["smooth"]), 4, C)
    assert rates[2] == pytest.approx(4 * (1 + 0.8 + 0.56) / TABLES["smooth"].step_rate(4).verify_seconds(12))
    assert lengths_by_load(SimulatedClock(TABLES["flat"]), C, 8) == [(1, 8, 4)]


def test_not_drafting_is_paid_as_a_step_without_drafts():
    costs = profile().at(0.0)
    rate = costs.step_rate(1, 96, 4)
    assert rate.without_drafts(1) != rate.verify_seconds(1), "this profile tells the two apart"
    made = advise(costs, 1, C)
    assert made.theta_off == pytest.approx(1 / rate.without_drafts(1)) == schedule([list(C)], rate).theta_off
