"""The two cost curves of vLLM's adaptive verification (vllm/v1/worker/gpu/spec_decode/adaptive_verification.py, 2026-11): of DSpark at
first, by 0.32 of every draft model, where enable_adaptive_verification is set.

vLLM measures them itself when it starts and reads no file. `draft_curve` [requests, ms] and `verify_curve` [tokens, ms] are what its
build_cost_tables_from_curves takes, and a step costs draft(R) + verify(B). Up to `cudagraph_limit` (everywhere, where that is 0) a size
costs what the next measured one does, above it the curve is linear; times never fall.
"""

from expediter.core.case import LARGEST_BATCH, CaseError, seconds_of, show
from expediter.core.clock import OWN
from expediter.core.tables import CostTable

TITLE = "Your own, vLLM"


def read_curves(data: dict) -> CostTable:
    """Both curves, or the verify curve alone. Raises CaseError."""
    verify = _curve(data, "verify_curve")
    limit = data.get("cudagraph_limit", 0)
    if type(limit) is not int or not 0 <= limit <= LARGEST_BATCH:
        raise CaseError(f"cudagraph_limit is {show(limit)}: give a whole number, 0 where every size is padded to the next one")
    points = _stairs(verify, limit)
    draft = _curve(data, "draft_curve", free=True) if data.get("draft_curve") else {}
    source = "Your own table, the two cost curves of vLLM's adaptive verification."
    if draft:
        source += " Drafting is paid by requests, checking by tokens."
    batch, seconds = tuple(points), tuple(points.values())
    return CostTable(
        OWN, TITLE, source, batch, seconds, requests=tuple(draft), request_seconds=tuple(draft.values()), request_drafting=bool(draft)
    )


def _curve(data: dict, field: str, free: bool = False) -> dict[int, float]:
    """Size → seconds, ascending, never falling. `free`: a time may be 0."""
    rows = data.get(field)
    if not isinstance(rows, list) or not rows:
        raise CaseError(f"{field} is {'missing' if rows is None else show(rows) if rows else 'empty'}: give a list of [size, ms]")
    seconds, most = {}, 0.0
    for index, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != 2:
            raise CaseError(f"{field}[{index}] is {show(row)}: give two numbers, [size, ms]")
        size, ms = row
        if type(size) is not int or not 1 <= size <= LARGEST_BATCH:
            raise CaseError(f"{field}[{index}] has the size {show(size)}: use whole numbers from 1 to {LARGEST_BATCH:,}")
        if seconds and size <= max(seconds):
            raise CaseError(f"{field}[{index}] is size {size} after {max(seconds)}: the sizes must ascend, each one once")
        if not (free and ms == 0):
            most = max(most, seconds_of(f"{field}[{index}]", ms, per_second=False))
        seconds[size] = most
    return seconds


def _stairs(curve: dict[int, float], limit: int) -> dict[int, float]:
    """The same curve as points to be joined by straight lines: both ends of every stair up to the limit, the measured sizes above it."""
    points: dict[int, float] = {}
    first, beyond = 1, False
    for size, seconds in curve.items():
        if limit and size > limit:
            if not beyond:
                points[limit + 1] = seconds  # the first step that is not padded costs what the first such measurement did
            points[size], beyond = seconds, True
        else:
            points[first] = points[size] = seconds
            first = size + 1
    return dict(sorted(points.items()))


def curves(verify: dict[int, float], draft: dict[int, float], limit: int = 0) -> dict:
    """The file for step seconds by size, drafting seconds by requests and the largest padded size. vLLM refuses an empty curve."""
    return {
        "draft_curve": [[size, 1000 * seconds] for size, seconds in (draft or {1: 0.0}).items()],
        "verify_curve": [[size, 1000 * seconds] for size, seconds in verify.items()],
        "cudagraph_limit": limit,
    }
