"""From confidences to the sorted pool: which drafts there are, how sure each is, and in which order they would be admitted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Confidence = np.ndarray | Sequence[Sequence[float]]


def survival(confidence: np.ndarray) -> np.ndarray:
    """a_j = Π_{i≤j} c_i, the chance that drafts 1..j all pass. [R, γ] → [R, γ], probabilities."""
    return np.cumprod(confidence, axis=1)


@dataclass(frozen=True, slots=True)
class Pool:
    """Every draft with a survival above 0, surest first; N of them from R requests."""

    gains: np.ndarray  # a_{r,j}, probability, never increasing            [N] float64
    request: np.ndarray  # r, from 0                                       [N] int
    position: np.ndarray  # j, from 1                                      [N] int
    requests: int  # R, counting those without drafts
    drafted: bool  # whether anything was drafted at all, surviving or not


def rank(confidence: Confidence, depth: int | None = None) -> Pool:
    """Sort the drafts by (−a, j, r), so that any cut of the order leaves each request a prefix.

    confidence: [R, γ] array or R rows of any length, conditional probabilities; depth: use the first `depth` of each row.
    Raises ValueError when there is no request or a value is not a probability.
    """
    if len(confidence) == 0:
        raise ValueError("there are no requests: give at least one row of confidences (an empty row is a request without drafts)")
    if isinstance(confidence, np.ndarray) and confidence.ndim == 2:
        return _rank_block(confidence if depth is None else confidence[:, :depth])
    return _rank_rows([np.asarray(row, dtype=np.float64)[:depth] for row in confidence])


def _rank_block(confidence: np.ndarray) -> Pool:
    """The fast path: laid out position by position, one stable sort breaks ties by position, then request. [R, γ]."""
    requests, drafts = confidence.shape
    _check(confidence)
    falling = -survival(confidence.astype(np.float64, copy=False)).T.ravel()  # [γ·R]
    index = np.argsort(falling, kind="stable")[: np.count_nonzero(falling)]  # [N]
    position, request = np.divmod(index, requests)
    return Pool(-falling[index], request, position + 1, requests, drafted=drafts > 0)


def _rank_rows(rows: list[np.ndarray]) -> Pool:
    """Ragged rows, without padding them: one long row must not cost R times its length."""
    lengths = np.array([len(row) for row in rows])  # [R]
    drafts = int(lengths.sum())
    flat = np.concatenate(rows)  # [Σγ_r]
    _check(flat)
    request = np.repeat(np.arange(len(rows)), lengths)
    position = np.arange(drafts) - np.repeat(np.cumsum(lengths) - lengths, lengths) + 1
    chance = np.concatenate([np.cumprod(row) for row in rows])
    index = np.lexsort((request, position, -chance))[: np.count_nonzero(chance)]  # [N]
    return Pool(chance[index], request[index], position[index], len(rows), drafted=drafts > 0)


def _check(confidence: np.ndarray) -> None:
    # NaN fails both comparisons, so two reductions cover everything.
    if confidence.size and not (confidence.min() >= 0 and confidence.max() <= 1):
        raise ValueError("a confidence is not a probability: every value must be a number from 0 to 1")
