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


def rank(confidence: Confidence) -> Pool:
    """Sort the drafts by (−a, j, r), so that any cut of the order leaves each request a prefix.

    confidence: [R, γ] array or R rows of any length, conditional probabilities.
    Raises ValueError when there is no request or a value is not a probability.
    """
    if len(confidence) == 0:
        raise ValueError("there are no requests: give at least one row of confidences (an empty row is a request without drafts)")
    if isinstance(confidence, np.ndarray) or len(set(map(len, confidence))) == 1:
        return _rank_block(np.asarray(confidence, dtype=np.float64))
    return _rank_rows(confidence)


def sorted_gains(confidence: Confidence) -> np.ndarray:
    """Only the survivals above 0, surest first. [N]; errors as for `rank`, except that there may be no request."""
    if isinstance(confidence, np.ndarray) and confidence.ndim == 2:
        _check(confidence)
        chance = survival(confidence).ravel()
    else:
        chance, _ = _ragged(confidence)
    return -np.sort(-chance[chance > 0])


def _rank_block(confidence: np.ndarray) -> Pool:
    """The fast path, laid out position by position: then the index itself breaks ties by position, then request. [R, γ]."""
    requests, drafts = confidence.shape
    _check(confidence)
    chance = survival(confidence).T.ravel()  # [γ·R]
    index = surest_first(chance)[: np.count_nonzero(chance)]  # [N]
    position, request = np.divmod(index, requests)
    return Pool(chance[index], request, position + 1, requests, drafted=drafts > 0)


def surest_first(chance: np.ndarray) -> np.ndarray:
    """What np.argsort(-chance, kind="stable") gives for probabilities, faster where they come in no order. [M] → [M].

    Of numpy's stable sorts only that of 16-bit integers takes linear time. Two passes over 32 bits leave in the wrong order at most
    those few that differ by less than 2⁻³²; sorting what is nearly sorted is cheap.
    """
    distance = ((1.0 - chance) * (2**32 - 1)).astype(np.uint32)
    index = np.argsort(distance.astype(np.uint16), kind="stable")  # by the low 16 bits
    index = index[np.argsort((distance >> 16).astype(np.uint16)[index], kind="stable")]
    falling = chance[index]
    if (falling[1:] > falling[:-1]).any():
        index = index[np.argsort(-falling, kind="stable")]
    return index


def _rank_rows(rows: Sequence[Sequence[float]]) -> Pool:
    """Ragged rows, without padding them: one long row must not cost R times its length."""
    chance, lengths = _ragged(rows)
    request = np.repeat(np.arange(len(rows)), lengths)
    position = np.arange(len(chance)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + 1
    index = np.lexsort((request, position, -chance))[: np.count_nonzero(chance)]  # [N]
    return Pool(chance[index], request[index], position[index], len(rows), drafted=len(chance) > 0)


def _ragged(rows: Sequence[Sequence[float]]) -> tuple[np.ndarray, np.ndarray]:
    """Survivals row after row, and how many each row has. → [Σγ_r], [R]."""
    arrays = [np.asarray(row, dtype=np.float64) for row in rows]
    none = np.empty(0)  # concatenate wants at least one array
    _check(np.concatenate([none, *arrays]))
    return np.concatenate([none, *map(np.cumprod, arrays)]), np.array([len(row) for row in arrays], dtype=np.int64)


def _check(confidence: np.ndarray) -> None:
    # NaN fails both comparisons, so two reductions cover everything.
    if confidence.size and not (confidence.min() >= 0 and confidence.max() <= 1):
        raise ValueError("a confidence is not a probability: every value must be a number from 0 to 1")
