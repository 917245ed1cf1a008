"""A monotone curve through noisy step times: smooth where the hardware is smooth, a staircase where it has stairs.

Whoever stops at the first fall of Θ is held by every bump that noise leaves in a curve. A convex one has none: Θ has a single peak there.
So bumps must be proved: a convex curve that explains the measurements about as well as their errors allow is taken before any other.
How large those errors are, the measurements show where they fall with more words, whatever their repeats say: a busy machine's are.
"""

import numpy as np

KNOTS = 16
STIFFNESS = np.geomspace(1e4, 1e-4, 25)  # tried from stiff to loose
LEAST_NOISE = 0.005  # relative; repeats on one machine agree better than two runs do
CONVEX = 4.0  # mean square of a convex curve's misfit, in errors, up to which no bump counts as proved
NEARLY = 1.1  # a convex curve may miss by so much more than the loosest one, to be stiff
STAIR = (4.0, 0.02)  # a misfit of the smooth curve is real from 4 standard errors and 2 % of the time on


def monotone_fit(batch: np.ndarray, seconds: np.ndarray, error: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Step seconds at every integer batch in `at`, never falling. [n], [n], [n] standard errors, [m] → [m].

    A convex curve comes first. Where it misses, the smooth one is the stiffest (its slope dT/dB changing least over log B) that explains
    the measurements within their errors. Where even the loosest one misses at two sizes or more, the steps are real: then the isotonic
    medians are kept and joined by straight lines. Outside the measured sizes the curve is flat.
    """
    if len(batch) < 4:
        return np.interp(at, batch, isotonic(seconds))
    typical = np.median(error / seconds)  # a few repeats can agree by luck: no size counts as surer than the middle one
    error = np.maximum(error, max(typical, LEAST_NOISE) * seconds)
    steps = isotonic(seconds, 1 / error**2)
    doubt = np.sqrt(np.mean(((seconds - steps) / error) ** 2))  # more words never take less time: where they seem to, errors are larger
    error = error * max(1.0, float(doubt))
    grid = np.arange(batch[0], batch[-1] + 1)
    basis = _slope_basis(grid)  # [g, K]
    rows = basis[batch - batch[0]]  # [n, K]
    smooth, missed = _stiffest(rows, seconds, error, convex=True)
    if missed <= CONVEX:
        return np.interp(at, grid, np.maximum(basis @ smooth, seconds.min() / 2))
    smooth, _ = _stiffest(rows, seconds, error)
    missed = np.abs(rows @ smooth - steps) > np.maximum(STAIR[0] * error, STAIR[1] * seconds)
    if np.count_nonzero(missed) >= 2:
        return np.interp(at, batch, steps)
    return np.interp(at, grid, np.maximum(basis @ smooth, seconds.min() / 2))  # no measured time is undercut by half


def isotonic(values: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """The non-decreasing sequence nearest to `values` in weighted squares (pool adjacent violators). [n] → [n]."""
    weights = np.ones(len(values)) if weights is None else weights
    blocks: list[tuple[float, float, int]] = []  # mean, weight, length
    for value, weight in zip(values, weights, strict=True):
        block = (float(value), float(weight), 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, heavy, length = blocks.pop()
            total = heavy + block[1]
            block = ((mean * heavy + block[0] * block[1]) / total, total, length + block[2])
        blocks.append(block)
    return np.repeat([mean for mean, _, _ in blocks], [length for _, _, length in blocks])


def convex(values: np.ndarray) -> bool:
    """Whether slopes never fall, but for rounding. [n]"""
    slopes = np.diff(values)
    return bool((np.diff(slopes) >= -1e-9 * np.abs(values).max(initial=0)).all())


def convex_below(values: np.ndarray) -> np.ndarray:
    """The greatest convex curve that lies nowhere above `values`; their ends are its own. [n] → [n]

    Its slopes are the isotonic ones (Barlow et al. 1972).
    """
    return np.concatenate([values[:1], values[0] + np.cumsum(isotonic(np.diff(values)))])


def _slope_basis(grid: np.ndarray) -> np.ndarray:
    """T(B) = T_0 + Σ slope: columns are T_0 and the slope's value at knots evenly spread over log B. → [g, 1 + K]."""
    knots = np.linspace(np.log(grid[0]), np.log(grid[-1]), min(KNOTS, len(grid) - 1))
    middle = np.log(grid[1:] - 0.5)  # each unit of batch adds the slope at its middle
    hats = np.stack([np.interp(middle, knots, unit) for unit in np.eye(len(knots))], axis=1)  # [g-1, K]
    rising = np.concatenate([np.zeros((1, len(knots))), np.cumsum(hats, axis=0)])  # [g, K]
    return np.concatenate([np.ones((len(grid), 1)), rising], axis=1)


def _stiffest(rows: np.ndarray, seconds: np.ndarray, error: np.ndarray, convex: bool = False) -> tuple[np.ndarray, float]:
    """The stiffest coefficients whose misfit is within the measurement errors, or hardly larger than it must be; and the misfit.

    The misfit is a mean square, in errors. Slopes are never negative; convex: nor do they fall. [n, 1 + K] → [1 + K]
    """
    bends = np.diff(np.eye(rows.shape[1])[1:], axis=0)  # slope differences between neighbouring knots
    rise = np.eye(rows.shape[1])
    if convex:  # each slope is the sum of what was added so far, and only what is added may not be negative
        rise[1:, 1:] = np.tril(np.ones_like(rise[1:, 1:]))
    unit = rows[:, 1:].sum(axis=1).max() / np.median(error)  # one bend as large as the whole mean slope counts like one error
    rows, bends = rows @ rise, bends @ rise
    scale = rows.max(axis=0)  # columns of one size keep the solver well behaved
    scale[scale == 0] = 1.0  # a knot between two integers touches no batch size
    measured, wanted = rows / error[:, None], seconds / error
    target = np.concatenate([wanted, np.zeros(len(bends))])

    def solve(stiffness: float) -> tuple[np.ndarray, float]:
        x = nonnegative_least_squares(np.concatenate([measured, np.sqrt(stiffness) * unit * bends]) / scale, target) / scale
        return x, float(np.mean((measured @ x - wanted) ** 2))

    allowed = max(1.0, NEARLY * solve(STIFFNESS[-1])[1]) if convex else 1.0
    stiff, loose = 0, len(STIFFNESS) - 1  # the misfit only shrinks on the way from stiff to loose: halve the interval
    while stiff < loose:
        middle = (stiff + loose) // 2
        stiff, loose = (stiff, middle) if solve(STIFFNESS[middle])[1] <= allowed else (middle + 1, loose)
    x, misfit = solve(STIFFNESS[stiff])
    return rise @ x, misfit


def nonnegative_least_squares(matrix: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """argmin ‖matrix·x − wanted‖ over x ≥ 0 (Lawson and Hanson's active set). [n, m], [n] → [m]."""
    columns = matrix.shape[1]
    x = np.zeros(columns)
    free = np.zeros(columns, dtype=bool)
    tolerance = 1e-10 * np.abs(matrix.T @ wanted).max()
    for _ in range(3 * columns):
        pull = np.where(free, -np.inf, matrix.T @ (wanted - matrix @ x))
        if free.all() or pull.max() <= tolerance:
            break
        free[pull.argmax()] = True
        while True:
            trial = np.zeros(columns)
            trial[free] = np.linalg.lstsq(matrix[:, free], wanted, rcond=None)[0]
            blocked = free & (trial <= 0)
            if not blocked.any():
                break
            step = np.min(x[blocked] / (x[blocked] - trial[blocked]))
            x = x + step * (trial - x)
            free &= x > 1e-14
            x[~free] = 0
        x = trial
    return x
