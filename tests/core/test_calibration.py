"""Calibration against synthetic data whose true probabilities are known."""

import json

import numpy as np
import pytest

from expediter.core.calibration import STRAIGHT, Calibration, bent, fit_bend, sequential_temperatures, sigmoid
from expediter.core.metrics import calibration_error


def blocks(scales: list[float], count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Logits that overstate the true ones by T_k, and how many drafts of each block passed."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0.8, 1.2, (count, len(scales)))
    passed = rng.random(truth.shape) < sigmoid(truth)
    return truth * np.array(scales), passed.cumprod(axis=1).sum(axis=1)


def survivals(logits: np.ndarray, scales: np.ndarray) -> np.ndarray:
    return sigmoid(logits / scales).cumprod(axis=1)


def test_scaling_recovers_how_much_each_position_overstates():
    truth = [2.0, 0.5, 3.0, 1.0]
    logits, accepted = blocks(truth, 60_000)
    assert sequential_temperatures(logits, accepted)[:3] == pytest.approx(truth[:3], rel=0.15)


def test_scaling_makes_held_out_survivals_honest():
    truth = [2.0, 2.5, 2.0, 3.0, 2.0]
    found = sequential_temperatures(*blocks(truth, 40_000))
    logits, accepted = blocks(truth, 40_000, seed=2)
    for k in range(5):
        before = calibration_error(survivals(logits, np.ones(5))[:, k], accepted > k)
        after = calibration_error(survivals(logits, found)[:, k], accepted > k)
        assert after < 0.012
        assert after < before / 2


def test_scaling_leaves_honest_confidences_alone():
    assert sequential_temperatures(*blocks([1.0, 1.0], 60_000)) == pytest.approx([1.0, 1.0], rel=0.12)


def test_positions_a_block_never_drafted_do_not_count():
    logits, accepted = blocks([2.0, 0.5], 40_000)
    logits[::2, 1] = np.nan
    alone = sequential_temperatures(logits[1::2], accepted[1::2])
    both = sequential_temperatures(logits, accepted)
    assert both[1] == pytest.approx(alone[1], rel=0.15)
    logits[:, 1] = np.nan
    assert sequential_temperatures(logits, accepted)[1] == 1.0


def test_one_position_is_the_same_whatever_comes_after_it():
    logits, accepted = blocks([2.0, 0.5, 1.5], 5_000)
    assert sequential_temperatures(logits, accepted)[:2] == pytest.approx(sequential_temperatures(logits[:, :2], accepted))


def two_settings() -> Calibration:
    return Calibration(temperatures=[0.0, 1.0], weights=[[1.0, 0.0], [0.0, 2.0]], bias=[0.5, -0.5], scale=[[1.0, 2.0], [4.0, 1.0]])


def test_confidence_at_a_fitted_temperature_is_its_own_probe():
    features = np.array([[1.0, 3.0], [-2.0, 0.25]])
    assert two_settings().confidence(features, 2, 0.0) == pytest.approx(sigmoid((features[:, 0] + 0.5) / 2))
    assert two_settings().confidence(features, 1, 1.0) == pytest.approx(sigmoid((2 * features[:, 1] - 0.5) / 4))


def test_confidence_between_temperatures_mixes_the_calibrated_logits():
    features = np.array([1.0, 3.0])
    expected = sigmoid(0.75 * (1.5 / 1.0) + 0.25 * (5.5 / 4.0))
    assert two_settings().confidence(features, 1, 0.25) == pytest.approx(expected)


@pytest.mark.parametrize(("asked", "used"), [(-0.5, 0.0), (7.0, 1.0)])
def test_confidence_outside_the_fitted_temperatures_uses_the_nearest(asked, used):
    features = np.array([[1.0, 3.0]])
    assert two_settings().confidence(features, 1, asked) == pytest.approx(two_settings().confidence(features, 1, used))


def test_positions_beyond_the_fitted_ones_use_the_last():
    features = np.array([[1.0, 3.0]])
    assert two_settings().confidence(features, 9, 0.0) == pytest.approx(two_settings().confidence(features, 2, 0.0))


def test_a_temperature_is_added_or_done_again():
    more = Calibration(temperatures=[0.6, 1.0], weights=[[3.0, 1.0], [0.0, 5.0]], bias=[0.1, 0.2], scale=[[1.0, 1.5], [2.0, 2.5]])
    both = two_settings().joined(more)
    assert both.temperatures.tolist() == [0.0, 0.6, 1.0]
    features = np.array([[1.0, 3.0]])
    assert both.confidence(features, 2, 0.0) == pytest.approx(two_settings().confidence(features, 2, 0.0))
    for temperature in (0.6, 1.0):
        assert both.confidence(features, 2, temperature) == pytest.approx(more.confidence(features, 2, temperature))


def test_a_temperature_that_a_file_has_rounded_is_the_same_temperature():
    rounded = Calibration(temperatures=[float(np.float32(0.6))], weights=[[3.0, 1.0]], bias=[0.1], scale=[[1.0, 1.5]])
    again = Calibration(temperatures=[0.6], weights=[[0.0, 5.0]], bias=[0.2], scale=[[2.0, 2.5]])
    assert rounded.joined(again).to_json() == again.to_json()


def test_a_calibration_of_another_draft_is_not_added():
    other = Calibration(temperatures=[0.6], weights=[[3.0]], bias=[0.1], scale=[[1.0, 1.5]])
    with pytest.raises(ValueError, match="different drafts"):
        two_settings().joined(other)


def test_calibration_survives_its_file():
    again = Calibration.from_json(json.loads(json.dumps(two_settings().to_json())))
    assert again.to_json() == two_settings().to_json()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"scale": [[1.0], [0.0]]}, "above 0"),
        ({"temperatures": [1.0, 0.0]}, "ascend"),
        ({"bias": [0.0]}, "one row"),
        ({"bend": [[0.0, 1.0, 1.0, 1.0]]}, "three slopes"),
        ({"bend": [[0.0, 1.0, 1.0, 1.0], [0.0, 1.0, -1.0, 1.0]]}, "above 0"),
        ({"bias": [0.0, float("nan")]}, "finite"),
        ({"weights": "no"}, "lists of numbers"),
        ({"weights": [[1.0], [1.0, 2.0]]}, "lists of numbers"),
    ],
)
def test_damaged_calibration_is_refused(change, word):
    with pytest.raises(ValueError, match=word):
        Calibration.from_json({**two_settings().to_json(), **change})


def test_missing_part_is_named():
    data = two_settings().to_json()
    del data["bias"]
    with pytest.raises(ValueError, match="bias"):
        Calibration.from_json(data)


def test_sigmoid_neither_overflows_nor_leaves_the_probabilities():
    with np.errstate(all="raise"):
        assert sigmoid(np.array([-1e4, 0.0, 1e4])).tolist() == [0.0, 0.5, 1.0]


def test_a_calibration_without_a_bend_is_straight():
    data = two_settings().to_json()
    assert np.array_equal(data.pop("bend"), [STRAIGHT, STRAIGHT])
    assert Calibration.from_json(data).to_json() == two_settings().to_json()


def test_a_bend_keeps_the_order_and_is_a_line_in_pieces():
    z = np.linspace(-6, 6, 400)
    np.testing.assert_allclose(bent(z, STRAIGHT), z, atol=1e-12)
    g = bent(z, np.array([0.5, 0.3, 2.0, 1.0]))
    assert (np.diff(g) > 0).all()
    np.testing.assert_allclose(np.diff(g)[[0, 230, -1]] / np.diff(z)[0], [0.3, 2.0, 1.0])


def test_the_bend_finds_the_shape_that_a_line_cannot_have():
    rng = np.random.default_rng(0)
    z = rng.normal(0.5, 2, (20_000, 3))
    truth = np.array([-0.4, 0.3, 1.2, 0.8])  # what is written off passes more often than it says
    accepted = np.cumprod(rng.random(z.shape) < sigmoid(bent(z, truth)), axis=1).sum(axis=1)
    z[:5, 2] = np.nan
    found = fit_bend(z, accepted)
    np.testing.assert_allclose(found, truth, atol=0.12)
    straight = calibration_error(sigmoid(z[:, 0]), accepted > 0)
    assert calibration_error(sigmoid(bent(z[:, 0], found)), accepted > 0) < 0.3 * straight


def test_the_bend_never_falls_whatever_the_outcomes_say():
    z = np.linspace(-4, 4, 1000)[:, None]
    assert (fit_bend(z, (z[:, 0] < 0).astype(int))[1:] > 0).all()
    sure = fit_bend(np.full((500, 1), 20.0), np.zeros(500, dtype=int))
    assert np.isfinite(sure).all()
    assert sigmoid(bent(20.0, sure)) < sigmoid(4.0), "certain and always wrong: as far down as a rising line goes"
    np.testing.assert_allclose(fit_bend(np.full((3, 2), np.nan), np.zeros(3, dtype=int)), STRAIGHT)
