"""Profiles: what comes between the measured loads and contexts, and what becomes of damaged files."""

import errno
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from expediter.core.curve import fitted
from expediter.core.policy import Policy
from expediter.core.profile import Profile, margin_uncertain, reads_flat
from expediter.core.profile_file import ProfileError, load_profile, save_profile
from expediter.core.scheduler import schedule
from expediter.core.step_rate import StepRate
from expediter.core.uneven import longest

LOADS, CONTEXTS = (1, 2, 4, 8, 16, 32, 64), (32, 128)


def cost(batch, load, context):
    """A machine: launch-bound up to 24 tokens, then in proportion, plus attention by request and context; seconds."""
    return np.maximum(0.008, 0.004 + batch * 0.00017) + load * context * 2e-6


def profile(noise: float = 0.005, loads=LOADS, seconds=cost, **labels) -> Profile:
    rng = np.random.default_rng(1)
    verify = {}
    for load in loads:
        for context in CONTEXTS:
            batch = np.unique(np.round(load * 9 ** (np.arange(17) / 16)).astype(int))
            verify[load, context] = {int(b): seconds(b, load, context) * np.exp(rng.normal(0, noise, 9)) for b in batch}
    return Profile.from_samples(
        **{"pair": "toy", "device": "CPU", "dtype": "float32", "threads": 2, "source": "measured here",
           "measured_at": "2026-01-01T00:00:00+00:00", **labels},
        verify=verify,
        draft={(load, depth): [0.001 * depth + 0.0001 * load] for load in (1, 64) for depth in (1, 4, 8)},
        rest={1: [0.001, 0.001, 9.0], 64: [0.003]},
        padding={(load, context): [0.0003, 0.0002, 0.0002] for load in loads for context in CONTEXTS},
        sampled_verify={key: {b: 1.2 * times for b, times in sizes.items()} for key, sizes in verify.items()},
        sampled_draft={(load, depth, c): [0.002 * depth * c / 32] for load in (1, 64) for depth in (1, 4, 8) for c in CONTEXTS},
    )  # fmt: skip


def old_file(tmp_path: Path) -> Path:
    """As it was written before sampling was timed."""
    file = tmp_path / "old.json"
    save_profile(profile(), file)
    data = json.loads(file.read_text())
    file.write_text(json.dumps({name: value for name, value in data.items() if name not in ("version", "padding", "sampled")}))
    return file


@pytest.mark.parametrize("load", [1, 3, 6, 12, 24, 31, 48, 64])
@pytest.mark.parametrize("context", [32, 80, 128])
def test_between_measured_loads_the_table_is_right_at_every_batch_size(load, context):
    measured = profile().at(0.0)
    batch = np.arange(load, 9 * load + 1)
    expected = cost(batch, load, context) + 0.001 + 0.002 * (load - 1) / 63
    assert measured.step_rate(load, context, 8).verify_seconds(batch) == pytest.approx(expected, rel=0.03)


def test_a_step_of_the_hardware_stays_at_its_batch_size_between_loads():
    stairs = profile(0.0, (16, 32), lambda batch, load, context: 0.010 + 0.010 * (batch > 100) + load * 1e-5)
    seconds = stairs.at(0.0).step_rate(24, 80, 8).verify_seconds(np.arange(24, 217))
    biggest = 24 + int(np.diff(seconds).argmax())
    assert 85 <= biggest <= 115


def test_a_table_covers_everything_the_scheduler_may_ask():
    for load in (1, 5, 24, 64):
        rate = profile().at(0.0).step_rate(load, 80, 8)
        assert rate.batch[0] == load
        assert rate.batch[-1] >= load * 9
        assert (np.diff(rate.seconds) >= 0).all()


def test_loads_and_contexts_outside_the_measured_use_the_nearest():
    measured = profile().at(0.0)
    assert measured.step_rate(16, 999, 5).seconds == pytest.approx(measured.step_rate(16, 128, 5).seconds)
    assert measured.step_rate(16, 0, 5).seconds == pytest.approx(measured.step_rate(16, 32, 5).seconds)
    far = measured.step_rate(1000, 32, 5)
    assert float(far.verify_seconds(1152)) == pytest.approx(2 * float(measured.step_rate(64, 32, 5).verify_seconds(576)))


def test_draft_time_grows_with_load_and_depth_and_nothing_drafted_costs_nothing():
    measured = profile().at(0.0)
    assert measured.draft_seconds(1, 80, 0) == 0
    assert measured.draft_seconds(1, 80, 2) == pytest.approx(0.0021)
    assert measured.draft_seconds(32, 80, 8) == pytest.approx(0.0112, rel=0.01)
    assert measured.step_rate(8, 80, 3).draft_seconds == measured.draft_seconds(8, 80, 3)


def test_steps_above_temperature_0_have_costs_of_their_own_which_are_the_same_at_every_temperature():
    greedy, some, more = (profile().at(temperature) for temperature in (0.0, 0.3, 1.5))
    assert some == more
    times = [some.step_rate(8, context, 4).draft_seconds for context in (0, 32, 80, 128, 999)]
    assert times == pytest.approx([0.008, 0.008, 0.02, 0.032, 0.032])
    ratio = (some.step_rate(8, 80, 4).seconds - some.rest_seconds(8)) / (greedy.step_rate(8, 80, 4).seconds - greedy.rest_seconds(8))
    assert ratio == pytest.approx(1.2, rel=0.03)


def test_a_table_from_before_sampling_was_timed_says_the_same_at_every_temperature(tmp_path):
    old = load_profile(old_file(tmp_path))
    same = replace(profile(), sampled=None, padding=())
    assert old.at(0.0) == old.at(0.8) == same.at(0.0)
    assert old.fingerprint == same.fingerprint != profile().fingerprint


def test_fewer_drafts_make_a_batch_of_the_same_size_cheaper_where_attention_pays_for_the_longest():
    padded, even = profile().at(0.0), replace(profile(), padding=()).at(0.0)
    batch = np.arange(16, 49)
    shallow, deep = (padded.step_rate(16, 128, depth).verify_seconds(batch) for depth in (2, 8))
    assert deep == pytest.approx(even.step_rate(16, 128, 2).verify_seconds(batch))
    assert (shallow <= deep).all()
    assert (np.diff(shallow) >= 0).all()
    assert deep[-1] - shallow[-1] == pytest.approx(0.0002 * (longest(16, 8)[32] - 3), rel=0.01)
    alone = padded.step_rate(1, 128, 8).verify_seconds(np.arange(1, 5))
    assert padded.step_rate(1, 128, 3).verify_seconds(np.arange(1, 5)) == pytest.approx(alone), "one request is never uneven"


def test_drawn_points_lie_on_the_curve_of_a_measured_load():
    measured = profile().at(0.0)
    points, rate = measured.raw(16, 128, 5), measured.step_rate(16, 128, 5)
    assert (points.requests, points.context) == (16, 128)
    assert np.array(points.median) == pytest.approx(rate.verify_seconds(np.array(points.batch)), rel=0.02)
    assert all(low <= middle <= high for low, middle, high in zip(points.low, points.median, points.high, strict=True))
    assert measured.raw(20, 100, 5).requests == 16


def test_noise_is_the_error_of_a_median():
    assert profile(0.05).noise(16) == pytest.approx(1.2533 * 0.05 / 3, rel=0.4)
    assert profile(0.0).noise(16) == 0


def test_the_fingerprint_is_that_of_the_numbers():
    measured = profile()
    assert len(measured.fingerprint) == 12
    assert measured.fingerprint == replace(measured, source="recorded on another machine", measured_at="later").fingerprint
    assert measured.fingerprint != profile(0.006).fingerprint
    assert measured.fingerprint != replace(measured, rest=()).fingerprint


def test_a_curve_is_fitted_once():
    curve = profile().curves[0]
    assert fitted(curve) is fitted(replace(curve))


def test_a_van_that_never_fills_is_recognised():
    flat = profile(0.002, seconds=lambda batch, load, context: 0.02 + batch * 1e-6)
    assert reads_flat(flat, range(1, 65), 80, 5)
    assert not reads_flat(profile(), range(1, 65), 80, 5)
    assert reads_flat(profile(), [1, 2], 80, 5)


def test_a_peak_lower_than_the_noise_is_called_uncertain():
    rows, table = [[0.8, 0.2]] * 2, StepRate(np.array([2, 4, 6]), np.array([0.010, 0.0109, 0.0121]))
    plan = schedule(rows, table)
    assert plan.margin == pytest.approx(1 - 323.967 / 330.275, rel=1e-3)
    assert margin_uncertain(plan, 0.03)
    assert not margin_uncertain(plan, 0.01)
    assert not margin_uncertain(schedule(rows, table, Policy("off")), 0.9)


def test_a_profile_survives_its_file(tmp_path):
    measured = profile()
    save_profile(measured, tmp_path / "deep" / "profile.json")
    assert load_profile(tmp_path / "deep" / "profile.json") == measured
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["profile.json"]


def test_a_full_disk_leaves_no_half_profile(tmp_path, monkeypatch):
    def full(self, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        save_profile(profile(), tmp_path / "profile.json")
    assert not list(tmp_path.iterdir())


def damage(data: dict, path: str, value: object) -> None:
    *parents, last = (int(part) if part.isdigit() else part for part in path.split("."))
    for parent in parents:
        data = data[parent]
    data[last] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("source", "guessed"), ("threads", 0), ("threads", True), ("pair", 3), ("curves", []), ("curves", {"a": 1}), ("extra", 1),
        ("curves.0.batch", [3, 2]), ("curves.0.batch.0", 0), ("curves.0.batch.0", 1.5), ("curves.0.median", [0.1]),
        ("curves.0.median.0", -1), ("curves.0.median.0", float("nan")), ("curves.0.low.0", "1"), ("curves.0.repeats", 0),
        ("curves.13.batch.16", 10**9), ("curves.0.requests", 10**400),
        ("curves.0", None), ("draft.0.seconds", None), ("rest.0.seconds", True), ("rest", 5),
        ("version", 99), ("version", "2"), ("sampled", {}), ("sampled", 1), 
        ("padding.0.seconds", -1), ("padding", 3), ("sampled.curves", []), ("sampled.draft.0.depth", -1),
    ],
)  # fmt: skip
def test_a_damaged_profile_is_refused_in_one_line(tmp_path, path, value):
    file = tmp_path / "profile.json"
    save_profile(profile(), file)
    data = json.loads(file.read_text())
    damage(data, path, value)
    file.write_text(json.dumps(data))
    with pytest.raises(ProfileError, match=r"^profile.json is no usable profile \(.+\): delete it and profile the pair again$"):
        load_profile(file)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", "[" * 100_000])
def test_a_file_that_is_no_profile_is_refused_in_one_line(tmp_path, text):
    file = tmp_path / "profile.json"
    file.write_text(text)
    with pytest.raises(ProfileError, match="no usable profile"):
        load_profile(file)


def test_a_missing_profile_says_so(tmp_path):
    with pytest.raises(ProfileError, match="cannot be read"):
        load_profile(tmp_path / "profile.json")
