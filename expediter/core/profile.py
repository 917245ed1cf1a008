"""What one pair costs on one machine: measured step times over requests, batch size and context, with their noise.

Two kinds of step are told apart. At temperature 0 the likeliest word is taken; above it, whatever the temperature, chances are worked out
for every word that is read, and words are drawn: the same step takes longer.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from expediter.core.costs import Costs, DraftTime, Padding, RestTime
from expediter.core.curve import Curve
from expediter.core.plan import Plan

MEASURED_HERE = "measured here"
SOURCES = (MEASURED_HERE, "recorded on another machine", "simulated clock")
FLAT = 1.10  # a full batch that takes at most this many times an empty one: the load makes no difference


@dataclass(frozen=True, slots=True)
class Sampled:
    """What takes longer above temperature 0."""

    curves: tuple[Curve, ...]  # T_verify; one a measured (R, context)
    draft: tuple[DraftTime, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """One machine's costs of one pair at temperature 0, and above it."""

    pair: str
    device: str  # "CPU", "NVIDIA H200", …
    dtype: str  # "float32", "bfloat16"
    threads: int
    source: str  # one of SOURCES
    measured_at: str  # ISO 8601
    curves: tuple[Curve, ...]  # T_verify at temperature 0; one a measured (R, context)
    draft: tuple[DraftTime, ...]  # at temperature 0
    rest: tuple[RestTime, ...]
    padding: tuple[Padding, ...] = ()  # empty in an old table, which says the same for every depth
    sampled: Sampled | None = None  # None in a table from before the two were told apart: its draft time is of sampling, the rest is not

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
        draft: Mapping[tuple[int, ...], Sequence[float]],
        rest: Mapping[int, Sequence[float]],
        padding: Mapping[tuple[int, int], Sequence[float]] | None = None,
        sampled_verify: Mapping[tuple[int, int], Mapping[int, Sequence[float]]] | None = None,
        sampled_draft: Mapping[tuple[int, ...], Sequence[float]] | None = None,
    ) -> "Profile":
        """Summarise timings in seconds: verify[R, context][B], draft[R, γ, context], rest[R] and padding[R, context], each a list of
        repeats; the same above 0.
        """
        return cls(
            pair=pair,
            device=device,
            dtype=dtype,
            threads=threads,
            source=source,
            measured_at=measured_at,
            curves=_curves(verify),
            draft=_drafts(draft),
            rest=tuple(RestTime(key, float(np.median(samples))) for key, samples in sorted(rest.items())),
            padding=tuple(Padding(*key, max(float(np.median(samples)), 0.0)) for key, samples in sorted((padding or {}).items())),
            sampled=Sampled(_curves(sampled_verify), _drafts(sampled_draft)) if sampled_verify and sampled_draft else None,
        )

    def at(self, temperature: float) -> Costs:
        """What steps cost at this temperature. A table that does not tell the two kinds apart says the same for both."""
        kind = self.sampled if temperature and self.sampled else self
        return Costs(kind.curves, kind.draft, self.rest, self.padding)

    def noise(self, requests: int) -> float:
        """Of the costs at temperature 0, as Costs.noise."""
        return self.at(0.0).noise(requests)

    @property
    def fingerprint(self) -> str:
        """12 hex digits of the measured numbers. Labels do not count: the same table elsewhere is the same table."""
        parts = [self.curves, self.draft, self.rest]
        if self.sampled:
            parts += [self.padding, self.sampled.curves, self.sampled.draft]
        numbers = [[_numbers(value) for value in values] for values in parts]
        return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:12]


def reads_flat(profile: Profile, loads: Sequence[int], context: int, depth: int) -> bool:
    """Whether filling the batch costs next to nothing at every one of these loads, so that sending everything is right."""
    costs = profile.at(0.0)
    for load in loads:
        rate = costs.step_rate(load, context, depth)
        empty, full = rate.verify_seconds(np.array([load, load * (1 + depth)]))
        if full > FLAT * empty:
            return False
    return True


def margin_uncertain(plan: Plan, noise: float) -> bool:
    """Whether the table's relative noise is larger than the peak's margin, so that the stop could lie elsewhere."""
    return noise > max(plan.margin, 0.0)  # an exact table is never uncertain, whatever a policy makes of it


def _curves(samples: Mapping[tuple[int, int], Mapping[int, Sequence[float]]]) -> tuple[Curve, ...]:
    return tuple(Curve.from_samples(*key, times) for key, times in sorted(samples.items()))


def _drafts(samples: Mapping[tuple[int, ...], Sequence[float]]) -> tuple[DraftTime, ...]:
    return tuple(DraftTime(r, depth, float(np.median(times)), *context) for (r, depth, *context), times in sorted(samples.items()))


def _numbers(value: Curve | DraftTime | RestTime | Padding) -> dict:
    """Without what nobody measured: an old table keeps its fingerprint."""
    return {name: number for name, number in asdict(value).items() if number is not None}
