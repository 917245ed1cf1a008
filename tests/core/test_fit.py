"""The monotone fit: honest where the curve is smooth, faithful where it has stairs, still where only the grid moved."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.fit import convex, isotonic, monotone_fit, nonnegative_least_squares
from expediter.core.scheduler import schedule
from expediter.core.step_rate import StepRate

LOADS = [16, 32, 64]
SMOOTH = {
    "knee": lambda batch: np.hypot(0.010, 0.00018 * batch),
    "straight": lambda batch: 0.008 + 0.00017 * batch,
    "late": lambda batch: np.maximum(0.010, 0.004 + 0.0001 * batch),
}


def sizes(load: int, shift: float = 0.0, count: int = 17) -> np.ndarray:
    """`count` sizes evenly spread over log B from R to 9R, the inner ones shifted by a share of their distance."""
    place = np.arange(count) + shift * np.isin(np.arange(count), [0, count - 1], invert=True)
    return np.unique(np.round(load * 9.0 ** (place / (count - 1))).astype(int))


def measured(truth, batch: np.ndarray, noise: float, rng: np.random.Generator, repeats: int = 9) -> tuple[np.ndarray, np.ndarray]:
    """Medians of noisy repeats and their standard errors, as a profile has them."""
    samples = truth(batch) * np.exp(rng.normal(0, noise, (repeats, len(batch))))
    low, median, high = np.percentile(samples, (25, 50, 75), axis=0)
    return median, 1.2533 * (high - low) / 1.349 / np.sqrt(repeats)


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("shape", SMOOTH)
def test_moving_the_grid_moves_the_stop_by_at_most_5_percent(shape, load):
    rng = np.random.default_rng(load)
    confidence, every = rng.beta(5, 2, (load, 8)), np.arange(load, 9 * load + 1)
    stops = []
    for shift in np.linspace(-0.5, 0.5, 9):
        batch = sizes(load, shift)
        median, error = measured(SMOOTH[shape], batch, 0.01, rng)
        stops.append(schedule(confidence, StepRate(every, monotone_fit(batch, median, error, every))).batch)
    assert len(batch) >= 16
    assert np.abs(np.array(stops) / np.median(stops) - 1).max() <= 0.05


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("shape", SMOOTH)
def test_the_fit_follows_a_smooth_curve_closer_than_the_noise(shape, load):
    batch, every = sizes(load), np.arange(load, 9 * load + 1)
    median, error = measured(SMOOTH[shape], batch, 0.02, np.random.default_rng(1))
    off = monotone_fit(batch, median, error, every) / SMOOTH[shape](every) - 1
    assert np.sqrt(np.mean(off**2)) < 0.01
    assert np.abs(off).max() < 0.05  # right at a kink


# Milliseconds of single steps of 16 requests, measured while something else ran: what a busy machine gives an app that asks it once.
BUSY = (
    [35.2, 97.8, 37.9, 40.7, 95.9, 41.3, 57.4, 104.6, 54.4, 61.4, 88.4, 152.1, 69.7, 498.7, 63.4, 143.9],
    [44.5, 48.0, 135.9, 41.4, 109.6, 63.4, 135.7, 53.7, 122.5, 79.8, 155.7, 134.5, 56.6, 64.4, 61.9, 113.5],
    [32.2, 80.4, 56.9, 82.3, 69.5, 157.2, 84.5, 83.7, 92.9, 213.0, 95.8, 232.6, 263.3, 105.8, 112.6, 123.6],
    [38.8, 50.9, 80.4, 92.7, 185.0, 227.6, 122.1, 121.5, 113.5, 95.0, 94.7, 116.0, 236.1, 111.5, 121.8, 118.9],
)


@pytest.mark.parametrize("ms", BUSY)
def test_a_busy_machines_noise_is_no_bump_whatever_its_single_times_claim(ms):
    seconds, batch = np.array(ms) / 1000, sizes(16, count=16)
    fitted = monotone_fit(batch, seconds, 0.1 * seconds, np.arange(batch[0], batch[-1] + 1))
    assert convex(fitted)


@pytest.mark.parametrize("noise", [0.0, 0.004])
def test_a_real_staircase_stays_one(noise):
    batch = sizes(64)
    truth = 0.010 + 0.004 * np.ceil(batch / 64)
    seconds = truth * np.exp(np.random.default_rng(1).normal(0, noise, len(batch)))
    got = monotone_fit(batch, seconds, noise * seconds, batch)
    assert np.abs(got / truth - 1).max() < 0.012
    assert np.diff(got)[np.diff(truth) > 0].min() > 0.002


def test_noise_alone_makes_no_stairs():
    batch, every = sizes(64), np.arange(64, 577)
    median, error = measured(SMOOTH["straight"], batch, 0.03, np.random.default_rng(2))
    slopes = np.diff(monotone_fit(batch, median, error, every))
    assert slopes.max() < 3 * np.median(slopes)


def test_a_flat_curve_stays_flat():
    batch, every = sizes(16), np.arange(16, 145)
    median, error = measured(lambda b: np.full(len(b), 0.02), batch, 0.01, np.random.default_rng(3))
    got = monotone_fit(batch, median, error, every)
    assert got[-1] / got[0] < 1.01


@given(st.lists(st.tuples(st.integers(1, 12), st.floats(1e-4, 1.0), st.floats(0, 0.3)), min_size=1, max_size=20))
def test_the_fit_never_falls_and_stays_positive(steps):
    batch = np.cumsum([gap for gap, _, _ in steps])
    seconds = np.array([second for _, second, _ in steps])
    error = seconds * [share for _, _, share in steps]
    got = monotone_fit(batch, seconds, error, np.arange(1, batch[-1] + 5))
    assert (np.diff(got) >= -1e-12).all()
    assert (got > 0).all()


@given(st.lists(st.floats(0, 10), min_size=1, max_size=12))
def test_isotonic_is_the_min_max_formula(values):
    n = len(values)
    exact = [max(min(np.mean(values[i : j + 1]) for j in range(k, n)) for i in range(k + 1)) for k in range(n)]
    assert isotonic(np.array(values)) == pytest.approx(exact, abs=1e-9)


def test_isotonic_trusts_the_heavier_value():
    assert isotonic(np.array([2.0, 1.0]), np.array([3.0, 1.0])) == pytest.approx([1.75, 1.75])


@given(st.integers(0, 1000))
def test_nonnegative_least_squares_cannot_be_improved(seed):
    rng = np.random.default_rng(seed)
    matrix, wanted = rng.normal(size=(9, 5)), rng.normal(size=9)
    x = nonnegative_least_squares(matrix, wanted)
    pull = matrix.T @ (wanted - matrix @ x)
    assert (x >= 0).all()
    assert (pull <= 1e-8).all()  # raising a coefficient does not help
    assert np.abs(pull[x > 0]).max(initial=0) < 1e-8  # nor does lowering one
