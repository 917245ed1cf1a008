"""What a step costs at one kind of sampling: measured times over requests, batch size and context, read as step-rate tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from expediter.core.curve import Curve, Dense, between, evened, shaped
from expediter.core.step_rate import StepRate


@dataclass(frozen=True, slots=True)
class DraftTime:
    """Median seconds of drafting and scoring `depth` tokens for each of `requests`."""

    requests: int  # R
    depth: int  # γ
    seconds: float
    context: int | None = None  # None: whatever it is, in an old table


@dataclass(frozen=True, slots=True)
class RestTime:
    """Median seconds of everything in a step that is neither drafting nor verifying."""

    requests: int  # R
    seconds: float


@dataclass(frozen=True, slots=True)
class Padding:
    """Median seconds that the target takes longer for each word more of the longest request, the batch being as large as before."""

    requests: int  # R
    context: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Costs:
    """T_step(B, R, context, γ) = T_draft(R, context, γ) + T_verify(B, R, context, γ) + T_rest(R), as measured."""

    curves: tuple[Curve, ...]  # T_verify; one a measured (R, context)
    draft: tuple[DraftTime, ...]
    rest: tuple[RestTime, ...]
    padding: tuple[Padding, ...] = ()

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        """The table the scheduler uses for R requests of `context` tokens that draft `depth` tokens.

        A monotone fit through the medians, linear between measured loads and contexts, clamped outside of them. Attention pays for the
        longest request of a batch, which is the shorter the fewer drafts are made.
        """
        low, high, weight = _bracket(self.loads, requests)
        whole = between(self._at_load(low, context, depth), self._at_load(high, context, depth), weight)
        batch = np.arange(min(max(requests, whole.first), whole.last), whole.last + 1)
        rest, draft = self.rest_seconds(requests), self.draft_seconds(requests, context, depth)
        plain = None  # beyond the measured loads the curve goes on in proportion
        if low <= requests <= high:
            plain = rest + (1 - weight) * self._plain(low, context) + weight * self._plain(high, context)
        return StepRate(batch, whole(batch) + rest, draft_seconds=draft, plain_seconds=plain)

    def draft_seconds(self, requests: int, context: int, depth: int) -> float:
        """T_draft(R, context, γ), seconds, linear between what was measured; 0 for depth 0."""
        loads = sorted({time.requests for time in self.draft})
        if not loads or depth == 0:
            return 0.0
        low, high, weight = _bracket(loads, requests)
        return (1 - weight) * self._draft_at_load(low, context, depth) + weight * self._draft_at_load(high, context, depth)

    def rest_seconds(self, requests: int) -> float:
        """T_rest(R), seconds, linear between measured loads."""
        times = sorted(self.rest, key=lambda time: time.requests)
        return float(np.interp(requests, [t.requests for t in times], [t.seconds for t in times])) if times else 0.0

    @property
    def loads(self) -> list[int]:
        """Every R that was measured, ascending."""
        return sorted({curve.requests for curve in self.curves})

    def raw(self, requests: int, context: int, depth: int) -> Curve:
        """The measured points nearest to this load and context, as `step_rate` has them at this depth, for drawing beside the fit."""
        nearest = min(self.curves, key=lambda c: (abs(np.log(c.requests / requests)), abs(c.context - context)))
        shape = self._padding(nearest) * evened(nearest.requests, np.array(nearest.batch), depth)
        return nearest.shifted(self.rest_seconds(nearest.requests) + shape)

    def noise(self, requests: int) -> float:
        """Standard error of the medians nearest to this load, as a share of the time: the middle one of all sizes."""
        load = min(self.loads, key=lambda r: abs(np.log(r / requests)))
        shares = [curve.error / np.array(curve.median) for curve in self.curves if curve.requests == load]
        return float(np.median(np.concatenate(shares)))

    def _at_load(self, load: int, context: int, depth: int) -> Dense:
        curves = {curve.context: curve for curve in self.curves if curve.requests == load}
        low, high, weight = _bracket(sorted(curves), context)
        return between(*(shaped(curve, self._padding(curve), depth) for curve in (curves[low], curves[high])), weight)

    def _plain(self, load: int, context: int) -> float:
        """T_verify of one word each, as it was measured: a curve through larger batches says little about it. Seconds"""
        curves = sorted((curve for curve in self.curves if curve.requests == load), key=lambda curve: curve.context)
        return float(np.interp(context, [curve.context for curve in curves], [curve.median[0] for curve in curves]))

    def _padding(self, curve: Curve) -> float:
        """Seconds a word, 0 where nobody measured it."""
        return next((p.seconds for p in self.padding if (p.requests, p.context) == (curve.requests, curve.context)), 0.0)

    def _draft_at_load(self, load: int, context: int, depth: int) -> float:
        by_context: dict[int, list[tuple[int, float]]] = {}
        for time in self.draft:
            if time.requests == load:
                by_context.setdefault(time.context or 0, [(0, 0.0)]).append((time.depth, time.seconds))
        contexts = sorted(by_context)
        return float(np.interp(context, contexts, [np.interp(depth, *zip(*sorted(by_context[c]), strict=True)) for c in contexts]))


def _bracket(points: Sequence[int], wanted: int) -> tuple[int, int, float]:
    """The two measured neighbours of `wanted` and how far it lies between them, 0..1; clamped outside."""
    for low, high in pairwise(points):
        if low <= wanted <= high:
            return low, high, (wanted - low) / (high - low)
    end = points[0] if wanted < points[0] else points[-1]
    return end, end, 0.0
