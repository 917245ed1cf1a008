"""How honest and how sharp a predicted probability is: calibration error, reliability bins, ROC area."""

from dataclasses import dataclass

import numpy as np

BINS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Predictions in equal-width bins over 0..1. Empty bins have count 0 and NaN means."""

    edges: np.ndarray  # bin limits, probability                          [bins + 1]
    predicted: np.ndarray  # mean prediction in the bin, probability      [bins]
    observed: np.ndarray  # share that came true, probability             [bins]
    count: np.ndarray  # predictions in the bin                           [bins] int


def reliability(predicted: np.ndarray, outcome: np.ndarray, bins: int = BINS) -> Reliability:
    """Sort predictions [N] with outcomes [N] (0 or 1, or a probability) into equal-width bins; 1.0 belongs to the last."""
    predicted, outcome = _pair(predicted, outcome)
    index = np.minimum((predicted * bins).astype(np.int64), bins - 1)  # [N]
    count = np.bincount(index, minlength=bins)
    some = np.where(count > 0, count, np.nan)
    return Reliability(
        edges=np.linspace(0, 1, bins + 1),
        predicted=np.bincount(index, predicted, bins) / some,
        observed=np.bincount(index, outcome, bins) / some,
        count=count,
    )


def calibration_error(predicted: np.ndarray, outcome: np.ndarray, bins: int = BINS) -> float:
    """Expected calibration error: Σ_bins (n_b / N)·|mean prediction − share that came true|. [N], [N] → probability.

    Biased upward by about .32·√(bins/N) for honest predictions. NaN without predictions.
    """
    predicted, outcome = _pair(predicted, outcome)
    if not predicted.size:
        return float("nan")
    index = np.minimum((predicted * bins).astype(np.int64), bins - 1)  # [N]
    return float(np.abs(np.bincount(index, predicted - outcome, bins)).sum() / predicted.size)


def roc_auc(score: np.ndarray, outcome: np.ndarray) -> float:
    """P(a true case scores above a false one), equal scores count half (Mann and Whitney). [N], [N] of 0/1 → 0..1.

    NaN when only one kind of outcome occurs.
    """
    score, outcome = np.asarray(score, dtype=np.float64), np.asarray(outcome, dtype=bool)
    positives = int(outcome.sum())
    negatives = outcome.size - positives
    if positives == 0 or negatives == 0:
        return float("nan")
    _, which, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = np.cumsum(count) - (count - 1) / 2  # mean rank of each distinct score, from 1
    return float((rank[which][outcome].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def _pair(predicted: np.ndarray, outcome: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    predicted, outcome = np.asarray(predicted, dtype=np.float64), np.asarray(outcome, dtype=np.float64)
    if predicted.shape != outcome.shape or predicted.ndim != 1:
        raise ValueError(f"predictions {predicted.shape} and outcomes {outcome.shape} must be two lists of one length")
    if predicted.size and not (predicted.min() >= 0 and predicted.max() <= 1):
        raise ValueError("a prediction is not a probability: every value must be a number from 0 to 1")
    return predicted, outcome
