"""The scheduler once more, slow and plain, in exact fractions: what the fast one is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from expediter.core.policy import Policy


@dataclass(frozen=True)
class Decision:
    order: list[tuple[int, int]]
    path: list[Fraction]
    stop: int
    reason: str
    lengths: list[int]


def step_time(batch: int, table: dict[int, Fraction], lookup: str) -> Fraction:
    """Seconds at one batch size, by the written rules."""
    sizes = sorted(table)
    if batch > sizes[-1]:
        return table[sizes[-1]] * batch / sizes[-1]
    if batch <= sizes[0]:
        return table[sizes[0]]
    above = next(size for size in sizes if size >= batch)
    below = max(size for size in sizes if size <= batch)
    if lookup == "ceil" or above == below:
        return table[above]
    if lookup == "floor":
        return table[below]
    return table[below] + (table[above] - table[below]) * Fraction(batch - below, above - below)


def pool(rows: Sequence[Sequence[Fraction]], depth: int | None) -> list[tuple[Fraction, int, int]]:
    """(−a, j, r) of every draft with a survival above 0, sorted."""
    found = []
    for r, row in enumerate(rows):
        chance = Fraction(1)
        for j, c in enumerate(row[:depth], start=1):
            chance *= c
            if chance > 0:
                found.append((-chance, j, r))
    return sorted(found)


def theta_path(requests: int, gains: Sequence[Fraction], table: dict[int, Fraction], lookup: str, draft: Fraction) -> list[Fraction]:
    path, tau = [], Fraction(requests)
    for k in range(len(gains) + 1):
        tau += gains[k - 1] if k else 0
        path.append(tau / (step_time(requests + k, table, lookup) + draft))
    return path


def decide(rows, table, lookup="interp", policy="early-stop", draft=Fraction(0), budget=None, older=None) -> Decision:
    """Algorithm 1 and its relatives, one admission at a time."""
    policy = Policy.parse(policy)
    depth = {"fixed": int(policy.level), "off": 0}.get(policy.kind)
    candidates = pool(rows, depth)
    if not any(row[:depth] for row in rows):
        draft = Fraction(0)
    gains = [-a for a, _, _ in candidates]
    path = theta_path(len(rows), gains, table, lookup, draft)
    stop, reason = len(gains), "policy"
    if policy.kind == "early-stop":
        stop = 0
        while stop < len(gains) and path[stop + 1] > path[stop]:
            stop += 1
    elif policy.kind == "global":
        within = path if budget is None else path[: budget + 1]
        stop = within.index(max(within))
    elif policy.kind == "threshold":
        stop = sum(gain >= Fraction(policy.level) for gain in gains)
    if policy.kind in ("early-stop", "global", "stale"):
        reason = "exhausted" if stop == len(gains) else "peak"
    if policy.kind == "stale":
        old = [[Fraction(1)] * len(row) for row in rows] if older is None else older
        old_path = theta_path(len(rows), [-a for a, _, _ in pool(old, None)], table, lookup, draft)
        within = old_path if budget is None else old_path[: budget + 1]
        kept = within.index(max(within))
        stop, reason = (kept, "budget") if kept < stop else (stop, reason)
    if policy.kind == "global" and budget is not None and path.index(max(path)) > budget:
        reason = "budget"
    elif budget is not None and budget < stop:
        stop, reason = budget, "budget"
    lengths = [0] * len(rows)
    for _, _, r in candidates[:stop]:
        lengths[r] += 1
    return Decision([(r, j) for _, j, r in candidates], path, stop, reason, lengths)
