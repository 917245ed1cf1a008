"""What every decision must hold, checked on thousands of small cases, and against a slow reference in exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from expediter.core.policy import Policy
from expediter.core.scheduler import schedule
from expediter.core.step_rate import LOOKUPS, StepRate
from tests.core import reference

POLICIES = ["early-stop", "global", "stale", "fixed:0", "fixed:1", "fixed:2", "threshold:0.25", "threshold:0.3", "all", "off"]
# Sixteenths multiply exactly in floating point, so the reference and the fast path see the same survivals, ties included.
exact = st.integers(0, 16).map(lambda n: Fraction(n, 16))
exact_rows = st.lists(st.lists(exact, max_size=4), min_size=1, max_size=5)
probability = st.floats(0, 1)
blocks = st.integers(1, 5).flatmap(lambda g: st.lists(st.lists(probability, min_size=g, max_size=g), min_size=1, max_size=6))
tables = st.dictionaries(st.integers(1, 30), st.integers(1, 50), min_size=1, max_size=6)


def rate(table: dict[int, int], lookup: str = "interp", draft: float = 0.0) -> StepRate:
    sizes = sorted(table)
    return StepRate(np.array(sizes), np.array([table[b] for b in sizes], dtype=float), lookup, draft)


def plan_of(rows, table, lookup="interp", policy="early-stop", draft=0.0, **more):
    return schedule([[float(c) for c in row] for row in rows], rate(table, lookup, draft), Policy.parse(policy), **more)


@settings(max_examples=400)
@given(exact_rows, tables, st.sampled_from(LOOKUPS), st.sampled_from(POLICIES), st.integers(0, 3), st.none() | st.integers(0, 8))
def test_the_decision_equals_the_exact_reference(rows, table, lookup, policy, draft, budget):
    wanted = reference.decide(rows, {b: Fraction(t) for b, t in table.items()}, lookup, policy, Fraction(draft), budget)
    # A global search between two exactly equal peaks is decided by rounding; the score says that either is right.
    twin = policy in ("global", "stale") and len(set(wanted.path)) < len(wanted.path)
    got = plan_of(rows, table, lookup, policy, float(draft), budget=budget)
    assert [tuple(pair) for pair in got.order.tolist()] == wanted.order
    assert got.path == pytest.approx([float(theta) for theta in wanted.path])
    if twin or (policy == "stale"):
        assert got.theta == pytest.approx(float(wanted.path[got.stop]))
    else:
        assert (got.stop, got.reason, got.lengths.tolist()) == (wanted.stop, wanted.reason, wanted.lengths)


@given(exact_rows, exact_rows, st.integers(1, 40))
def test_a_stale_budget_comes_from_the_older_confidences_and_the_order_from_the_fresh(rows, older, slower):
    assume(len(rows) == len(older))
    table = {1: 10, 30: 10 + slower}
    wanted = reference.decide(rows, {b: Fraction(t) for b, t in table.items()}, policy="stale", older=older)
    got = plan_of(rows, table, policy="stale", older=[[float(c) for c in row] for row in older])
    assert (got.stop, got.lengths.tolist(), got.cold) == (wanted.stop, wanted.lengths, False)


@given(blocks, tables, st.sampled_from(LOOKUPS), st.sampled_from(POLICIES))
def test_any_cut_of_the_order_is_a_prefix_of_every_request(rows, table, lookup, policy):
    plan = plan_of(rows, table, lookup, policy)
    reached = dict.fromkeys(range(len(rows)), 0)
    for request, position in plan.order.tolist():
        assert position == reached[request] + 1
        reached[request] = position
    assert (np.diff(plan.gains) <= 0).all()
    assert plan.lengths.sum() == plan.stop


@given(blocks, tables, st.sampled_from(LOOKUPS))
def test_early_stop_does_not_peek_past_a_dip(rows, table, lookup):
    plan = plan_of(rows, table, lookup)
    tau = len(rows) + np.concatenate([[0], np.cumsum(plan.gains)])
    tolerance = 1e-12 * plan.path.max()
    assert (np.diff(plan.path[: plan.stop + 1]) >= -tolerance).all()
    if plan.stop < len(plan.gains):
        assert plan.path[plan.stop + 1] <= plan.path[plan.stop] + tolerance
    assert plan.theta == pytest.approx(tau[plan.stop] / plan.step_seconds[plan.stop])


@given(blocks, tables, st.sampled_from(LOOKUPS), st.floats(0.01, 1.0))
def test_early_stop_ignores_everything_beyond_its_first_dip(rows, table, lookup, factor):
    plan = plan_of(rows, table, lookup)
    assume(plan.stop < len(plan.gains))
    seen = len(rows) + plan.stop + 1  # the admission that was refused was looked at; nothing after it was
    batch = np.arange(1, 60)
    seconds = rate(table, lookup).verify_seconds(batch)
    assume(seen < 59)
    seconds[seen:] *= factor
    assert schedule(np.array(rows), StepRate(batch, seconds)).stop == plan.stop


@given(blocks, tables, st.sampled_from(LOOKUPS))
def test_global_beats_off_none_and_all_when_drafting_is_free(rows, table, lookup):
    plan = plan_of(rows, table, lookup, "global")
    assert plan.theta >= max(plan.theta_off, plan.theta_none, plan.theta_all)
    assert plan.theta >= plan_of(rows, table, lookup).theta


@given(blocks, tables, st.sampled_from(LOOKUPS), st.sampled_from(POLICIES), st.integers(0, 6))
def test_a_budget_caps_every_policy(rows, table, lookup, policy, budget):
    free, capped = plan_of(rows, table, lookup, policy), plan_of(rows, table, lookup, policy, budget=budget)
    assert capped.stop <= budget
    if policy not in ("global", "stale"):
        assert capped.stop == min(free.stop, budget)
        assert (capped.reason == "budget") == (free.stop > budget)


@given(blocks, tables, st.integers(0, 6))
def test_a_global_search_finds_the_best_within_its_budget(rows, table, budget):
    plan = plan_of(rows, table, policy="global", budget=budget)
    assert plan.theta == plan.path[: budget + 1].max()
    assert (plan.reason == "budget") == (plan.path.max() > plan.theta)


@given(blocks, st.sampled_from(POLICIES))
def test_a_survival_of_zero_is_sent_by_no_policy(rows, policy):
    rows = [[0.0, *row] for row in rows]
    plan = plan_of(rows, {1: 10}, policy=policy)
    assert plan.lengths.tolist() == [0] * len(rows)
    assert len(plan.order) == 0


@given(blocks, st.integers(1, 9))
def test_a_flat_table_sends_everything_that_can_pass(rows, seconds):
    plan = plan_of(rows, {1: seconds, 99: seconds})
    assert plan.stop == len(plan.gains) == np.count_nonzero(np.cumprod(rows, axis=1))
    assert plan.reason == "exhausted"


def test_an_equal_score_does_not_rise():
    table = {b: b for b in range(1, 40)}  # certain drafts on a table in proportion to B: Θ is the same everywhere
    for requests in range(1, 12):
        assert plan_of([[1.0, 1.0]] * requests, table).stop == 0


def test_the_first_flat_or_falling_admission_stops_even_if_a_later_one_would_rise():
    plan = plan_of([[0.5, 0.5, 0.5]], {1: 10, 2: 15, 3: 15, 4: 15})
    assert plan.path[3] > plan.path[0]
    assert (plan.stop, plan.reason) == (0, "peak")
    assert plan_of([[0.5, 0.5, 0.5]], {1: 10, 2: 15, 3: 15, 4: 15}, policy="global").stop == 3


def test_only_steps_that_draft_pay_for_drafting():
    table, rows = {1: 10, 8: 10}, [[0.5, 0.5], [0.5]]
    assert plan_of(rows, table, policy="off", draft=5.0).path.tolist() == [0.2]
    assert plan_of(rows, table, policy="fixed:0", draft=5.0).path.tolist() == [0.2]
    assert plan_of([[], []], table, draft=5.0).path.tolist() == [0.2]
    assert plan_of(rows, table, policy="fixed:1", draft=5.0).path == pytest.approx([2 / 15, 2.5 / 15, 3 / 15])
    assert plan_of([[0.0]], table, draft=5.0).path == pytest.approx([1 / 15])


def test_baselines_belong_to_the_case_whatever_the_policy():
    table, rows = {1: 10, 8: 20}, [[0.5, 0.5], [0.5]]
    plans = [plan_of(rows, table, policy=policy, draft=5.0) for policy in POLICIES]
    assert len({(p.theta_off, p.theta_none, p.theta_all) for p in plans}) == 1
    assert plans[0].theta_off == pytest.approx(2 / (10 + 10 / 7))
    assert plans[0].theta_none == plans[0].path[0]
    assert plans[0].theta_all == plans[0].path[-1]


def test_drafting_time_never_makes_the_best_batch_smaller():
    rows, table = [[0.9, 0.8, 0.5, 0.2]] * 4, {b: 10 + b for b in range(4, 21)}
    stops = [plan_of(rows, table, draft=draft).stop for draft in (0.0, 5.0, 20.0)]
    assert stops == sorted(stops)


def test_a_cold_start_assumes_that_everything_passes():
    cold = plan_of([[0.2] * 3, [0.9] * 3], {2: 10, 8: 19}, policy="stale")
    warm = plan_of([[0.2] * 3, [0.9] * 3], {2: 10, 8: 19}, policy="stale", older=[[1.0] * 3] * 2)
    assert (cold.stop, cold.cold) == (6, True)
    assert (warm.stop, warm.cold) == (6, False)


def test_rounding_does_not_choose_a_cold_budget():
    table = {21: 1 / 70.48339332557046}  # above it the time grows in proportion, and sure drafts keep Θ level
    for requests in range(1, 21):
        assert plan_of([[0.5] * 4] * requests, table, policy="stale").stop == min(21 - requests, 4 * requests)


@given(blocks)
def test_rows_and_arrays_decide_alike(rows):
    table = rate({1: 5, 10: 9, 30: 40})
    block, ragged = schedule(np.array(rows), table), schedule([*rows, []], table)
    assert ragged.order.tolist() == block.order.tolist()
    assert ragged.gains.tolist() == block.gains.tolist()


def test_the_plan_sums_up_itself():
    plan = plan_of([[0.8, 0.2], [0.8, 0.2]], {2: 10, 3: 11, 4: 12, 6: 30})
    assert (plan.batch, plan.tau) == (4, pytest.approx(3.6))
    assert plan.theta == pytest.approx(plan.tau / 12)
    assert plan.margin == pytest.approx(1 - max(plan.path[0], plan.path[-1]) / plan.theta)
    assert plan_of([[]], {1: 1}).margin == float("inf")


@pytest.mark.parametrize("rows", [[[1.5]], [[-0.1]], [[float("nan")]], [[0.5], [0.5, 2.0]], []])
def test_what_is_no_probability_is_refused(rows):
    with pytest.raises(ValueError, match=r"probability|no requests"):
        schedule(rows, rate({1: 1}))


def test_a_negative_budget_is_refused():
    with pytest.raises(ValueError, match="budget is negative"):
        plan_of([[0.5]], {1: 1}, budget=-1)
