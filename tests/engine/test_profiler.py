"""The profile covers what the scheduler will ask for, and its lock is free between sizes."""

import threading
from dataclasses import replace

import numpy as np
import pytest
import torch

from expediter.core.profile_file import load_profile, save_profile
from expediter.engine import profile_store
from expediter.engine.device import Place
from expediter.engine.profiler import CONTEXTS, SIZES, Bench, batch_sizes, loads_for, measure
from tests.engine import tiny


def test_every_load_gets_sixteen_sizes_from_nothing_sent_to_everything_sent():
    for load in (1, 2, 4, 8, 16, 32, 64):
        sizes = batch_sizes(load)
        assert len(sizes) >= SIZES
        assert sizes[0] == load
        assert sizes[-1] >= 9 * load


@pytest.mark.parametrize(("device", "most"), [("cpu", 64), ("cuda", 256), ("mps", 256)])
def test_a_gpu_is_measured_up_to_the_loads_that_it_serves(device, most):
    loads = loads_for(Place(torch.device(device), torch.float32))
    assert (loads[0], loads[-1]) == (1, most)
    assert all(len(batch_sizes(load)) >= SIZES for load in loads)


def test_a_batch_is_as_uneven_as_a_scheduler_leaves_it_and_holds_what_it_should():
    bench = Bench(tiny.pair(), 8, 32, np.random.default_rng(0))
    for batch in batch_sizes(8):
        lengths = bench.lengths(batch)
        assert lengths.shape == (8,)
        assert lengths.sum() == batch - 8
    assert np.ptp(bench.lengths(24)) >= 2
    alone = Bench(tiny.pair(), 1, 32, np.random.default_rng(0))
    assert [int(alone.lengths(b)[0]) for b in batch_sizes(1)] == [b - 1 for b in batch_sizes(1)]


def test_a_bench_may_hold_less(monkeypatch):
    bench = Bench(tiny.pair(), 3, 144, np.random.default_rng(0))
    bench.hold(32)
    starts = []
    read = bench.pair.target.read
    monkeypatch.setattr(
        bench.pair.target, "read", lambda store, tokens, counts, at, slots: starts.append(at) or read(store, tokens, counts, at, slots)
    )
    bench.verify(6)
    assert starts[0].tolist() == [31] * 3


@pytest.fixture(scope="module")
def measured():
    lock, taken, shares = threading.Lock(), [], []

    def on_progress(share: float) -> None:
        taken.append(lock.locked())
        shares.append(share)

    return measure(tiny.pair(), on_progress, lock, loads=(1, 4), budget=1000, repeats=1), taken, shares


def test_a_block_is_timed_with_the_words_that_a_step_before_it_brought(monkeypatch):
    bench = Bench(tiny.dspark_pair(), 4, 32, np.random.default_rng(0))
    read = []
    inject = bench.drafter.model.inject
    monkeypatch.setattr(bench.drafter.model, "inject", lambda features, *where: read.append(len(features)) or inject(features, *where))
    for _ in range(3):
        bench.draft(2)
    assert read == [4 * 2] * 3  # everything before that was read as the bench was made


def test_an_ordinary_draft_is_timed_with_two_words_to_read(monkeypatch):
    bench = Bench(tiny.pair(), 4, 32, np.random.default_rng(0))
    bench.draft(2)
    columns = []
    read = bench.drafter._read
    monkeypatch.setattr(bench.drafter, "_read", lambda tokens, length, n, slots: columns.append(n) or read(tokens, length, n, slots))
    bench.draft(2)
    assert columns == [2]


def test_a_profile_has_every_load_context_and_size(measured):
    profile, _, _ = measured
    assert {(c.requests, c.context) for c in profile.curves} == {(r, c) for r in (1, 4) for c in CONTEXTS}
    assert all(len(c.batch) >= SIZES and min(c.median) > 0 for c in profile.curves)
    for temperature in (0.0, 0.8):
        costs = profile.at(temperature)
        assert [curve.batch for curve in costs.curves] == [curve.batch for curve in profile.curves]
        assert costs.step_rate(4, 64, 5).draft_seconds > 0
    assert profile.at(0.0).curves != profile.at(0.8).curves
    assert {(p.requests, p.context) for p in profile.padding} == {(4, c) for c in CONTEXTS}
    assert profile.source == "measured here"
    assert (profile.device, profile.dtype, profile.pair) == ("cpu", "float32", "tiny")


def test_on_a_machine_without_time_a_few_sizes_of_the_smallest_and_largest_load_are_all():
    profile = measure(tiny.pair(), loads=(1, 2, 4), budget=1e-9, repeats=3)
    assert {curve.requests for curve in profile.curves} == {1, 4}
    assert all(1 < len(curve.batch) < SIZES for curve in profile.curves)
    for temperature in (0.0, 0.8):
        rate = profile.at(temperature).step_rate(2, 64, 5)
        assert rate.draft_seconds > 0
        assert rate.batch[-1] >= 2 * 6


def test_the_lock_is_free_between_sizes_and_progress_ends_at_one(measured):
    _, taken, shares = measured
    assert not any(taken)
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_a_machine_that_is_too_slow_is_not_told_to_be_done_before_the_fewest_sizes_are_timed():
    shares = []
    measure(tiny.pair(), shares.append, loads=(1, 4), budget=1e-9, repeats=1)
    assert shares == sorted(shares)
    assert len(set(shares)) > 10, "it moves, though its time was over from the first"
    assert shares.index(1.0) >= len(shares) - 2


def test_a_profile_is_found_again_and_the_shipped_one_says_where_it_is_from(measured, tmp_path, monkeypatch):
    profile, pair = measured[0], tiny.pair()
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    save_profile(profile, tmp_path / "pairs" / "tiny" / profile_store.SHIPPED)
    assert profile_store.stored(pair, tmp_path).source == "recorded on another machine"
    assert profile_store.keep(pair, profile) is None
    found = profile_store.stored(pair, tmp_path)
    assert found.source == "measured here"
    assert found.fingerprint == profile.fingerprint
    assert load_profile(profile_store.path_of(pair)) == profile


def test_one_that_was_measured_here_before_sampling_was_timed_gives_way(measured, tmp_path, monkeypatch):
    profile, pair = measured[0], tiny.pair()
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    save_profile(profile, tmp_path / "pairs" / "tiny" / profile_store.SHIPPED)
    profile_store.keep(pair, replace(profile, sampled=None))
    assert profile_store.stored(pair, tmp_path).source == "recorded on another machine"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"pair": "tiny"}'])
def test_a_damaged_profile_in_the_cache_gives_way_to_the_shipped_one(measured, tmp_path, monkeypatch, content):
    profile, pair = measured[0], tiny.pair()
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    save_profile(profile, tmp_path / "pairs" / "tiny" / profile_store.SHIPPED)
    profile_store.path_of(pair).parent.mkdir(parents=True)
    profile_store.path_of(pair).write_bytes(content)
    assert profile_store.stored(pair, tmp_path).source == "recorded on another machine"
    assert profile_store.keep(pair, profile) is None  # and the next measurement takes its place
    assert profile_store.stored(pair, tmp_path).source == "measured here"


def test_a_cache_that_cannot_be_written_is_told_in_one_sentence(measured, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "file"))
    problem = profile_store.keep(tiny.pair(), measured[0])
    assert "could not be kept" in problem
    assert problem.count(".") <= 2
