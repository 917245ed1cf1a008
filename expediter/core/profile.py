"""What one pair costs on one machine: measured step times over requests, batch size and context, with their noise."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise

import numpy as np

from expediter.core.curve import Curve, Dense, between, fitted
from expediter.core.plan import Plan
from expediter.core.step_rate import StepRate

SOURCES = ("measured here", "recorded on another machine", "simulated clock")
FLAT = 1.10  # a full batch that takes at most this many times an empty one: the load makes no difference


@dataclass(frozen=True, slots=True)
class DraftTime:
    """Median seconds of drafting `depth` tokens for each of `requests`."""

    requests: int  # R
    depth: int  # γ
    seconds: float


@dataclass(frozen=True, slots=True)
class RestTime:
    """Median seconds of everything in a step that is neither drafting nor verifying."""

    requests: int  # R
    seconds: float


@dataclass(frozen=True, slots=True)
class Profile:
    """T_step(B, R, context, γ) = T_draft(R, γ) + T_verify(B, R, context) + T_rest(R), as measured."""

    pair: str
    device: str  # "CPU", "NVIDIA H200", …
    dtype: str  # "float32", "bfloat16"
    threads: int
    source: str  # one of SOURCES
    measured_at: str  # ISO 8601
    curves: tuple[Curve, ...]  # T_verify; one a measured (R, context)
    draft: tuple[DraftTime, ...]
    rest: tuple[RestTime, ...]

    @classmethod
    def from_samples(
        cls,
        *,
        pair: str,
        device: str,
        dtype: str,
        threads: int,
        source: str,
        measured_at: str,
        verify: Mapping[tuple[int, int], Mapping[int, Sequence[float]]],
        draft: Mapping[tuple[int, int], Sequence[float]],
        rest: Mapping[int, Sequence[float]],
    ) -> "Profile":
        """Summarise timings in seconds: verify[R, context][B], draft[R, γ] and rest[R], each a list of repeats."""
        return cls(
            pair=pair,
            device=device,
            dtype=dtype,
            threads=threads,
            source=source,
            measured_at=measured_at,
            curves=tuple(Curve.from_samples(*key, samples) for key, samples in sorted(verify.items())),
            draft=tuple(DraftTime(*key, float(np.median(samples))) for key, samples in sorted(draft.items())),
            rest=tuple(RestTime(key, float(np.median(samples))) for key, samples in sorted(rest.items())),
        )

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        """The table the scheduler uses for R requests of `context` tokens that draft `depth` tokens.

        A monotone fit through the medians, linear between measured loads and contexts, clamped outside of them.
        """
        loads = sorted({curve.requests for curve in self.curves})
        low, high, weight = _bracket(loads, requests)
        whole = between(self._at_load(low, context), self._at_load(high, context), weight)
        batch = np.arange(min(max(requests, whole.first), whole.last), whole.last + 1)
        return StepRate(batch, whole(batch) + self.rest_seconds(requests), draft_seconds=self.draft_seconds(requests, depth))

    def draft_seconds(self, requests: int, depth: int) -> float:
        """T_draft(R, γ), seconds, linear between measured loads and depths; 0 for depth 0."""
        loads = sorted({time.requests for time in self.draft})
        if not loads or depth == 0:
            return 0.0
        return float(np.interp(requests, loads, [self._draft_at_load(load, depth) for load in loads]))

    def rest_seconds(self, requests: int) -> float:
        """T_rest(R), seconds, linear between measured loads."""
        times = sorted(self.rest, key=lambda time: time.requests)
        return float(np.interp(requests, [t.requests for t in times], [t.seconds for t in times])) if times else 0.0

    def raw(self, requests: int, context: int) -> Curve:
        """The measured points nearest to this load and context, T_rest included, for drawing beside the fit."""
        nearest = min(self.curves, key=lambda c: (abs(np.log(c.requests / requests)), abs(c.context - context)))
        return nearest.shifted(self.rest_seconds(nearest.requests))

    def noise(self, requests: int) -> float:
        """Standard error of the medians nearest to this load, as a share of the time: the middle one of all sizes."""
        load = min((curve.requests for curve in self.curves), key=lambda r: abs(np.log(r / requests)))
        shares = [curve.error / np.array(curve.median) for curve in self.curves if curve.requests == load]
        return float(np.median(np.concatenate(shares)))

    @property
    def fingerprint(self) -> str:
        """12 hex digits of the measured numbers. Labels do not count: the same table elsewhere is the same table."""
        numbers = [[asdict(value) for value in values] for values in (self.curves, self.draft, self.rest)]
        return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:12]

    def _at_load(self, load: int, context: int) -> Dense:
        curves = {curve.context: curve for curve in self.curves if curve.requests == load}
        low, high, weight = _bracket(sorted(curves), context)
        return between(fitted(curves[low]), fitted(curves[high]), weight)

    def _draft_at_load(self, load: int, depth: int) -> float:
        times = sorted((t.depth, t.seconds) for t in self.draft if t.requests == load)
        return float(np.interp(depth, *zip((0, 0.0), *times, strict=True)))


def reads_flat(profile: Profile, loads: Sequence[int], context: int, depth: int) -> bool:
    """Whether filling the batch costs next to nothing at every one of these loads, so that sending everything is right."""
    for load in loads:
        rate = profile.step_rate(load, context, depth)
        empty, full = rate.verify_seconds(np.array([load, load * (1 + depth)]))
        if full > FLAT * empty:
            return False
    return True


def margin_uncertain(plan: Plan, noise: float) -> bool:
    """Whether the table's relative noise is larger than the peak's margin, so that the stop could lie elsewhere."""
    return noise > max(plan.margin, 0.0)  # an exact table is never uncertain, whatever a policy makes of it


def _bracket(points: Sequence[int], wanted: int) -> tuple[int, int, float]:
    """The two measured neighbours of `wanted` and how far it lies between them, 0..1; clamped outside."""
    for low, high in pairwise(points):
        if low <= wanted <= high:
            return low, high, (wanted - low) / (high - low)
    end = points[0] if wanted < points[0] else points[-1]
    return end, end, 0.0
