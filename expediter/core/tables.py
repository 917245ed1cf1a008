"""Cost tables with a name and a source: what somebody else's hardware takes for a step, as it was published or brought along."""

from dataclasses import dataclass

import numpy as np

from expediter.core.step_rate import StepRate

FLAT = 1.02  # a table whose slowest step takes at most this many times its fastest one says nothing about size


@dataclass(frozen=True, slots=True)
class CostTable:
    """Step seconds at N measured batch sizes, never smoothed. Tuples, so that a table is hashable and can be compared."""

    name: str  # as in the address bar
    title: str  # as in a control
    source: str  # one or two sentences: where the numbers come from and what they leave out
    batch: tuple[int, ...]  # B, tokens, strictly ascending                [N]
    seconds: tuple[float, ...]  # T(B), the step without drafting          [N]
    lookup: str = "interp"  # the table's own rule between two sizes
    draft_seconds: float = 0.0  # T_draft, added to every step that drafts
    requests: tuple[int, ...] = ()  # R of a second term, if the table has one, strictly ascending [M]
    request_seconds: tuple[float, ...] = ()  # what that term adds at R, linear between, clamped outside [M]
    request_drafting: bool = False  # that term is drafting time: a step that drafts nothing does not pay it

    def step_rate(self, requests: int, *, lookup: str | None = None, draft_seconds: float | None = None) -> StepRate:
        """The table as the scheduler reads it for R requests; `lookup` and `draft_seconds` replace the table's own."""
        by_requests = float(np.interp(requests, self.requests, self.request_seconds)) if self.requests else 0.0
        drafting = self.draft_seconds + (by_requests if self.request_drafting else 0.0)
        seconds = np.array(self.seconds) + (0.0 if self.request_drafting else by_requests)
        return StepRate(np.array(self.batch), seconds, lookup or self.lookup, drafting if draft_seconds is None else draft_seconds)

    @property
    def flat(self) -> bool:
        """Whether the step takes the same time at every size: the scheduler then always sends everything."""
        return max(self.seconds) <= FLAT * min(self.seconds)


def table(name: str, title: str, source: str, step_ms: dict[int, float], lookup: str = "interp") -> CostTable:
    """A table from milliseconds by batch size."""
    return CostTable(name, title, source, tuple(step_ms), tuple(ms / 1000 for ms in step_ms.values()), lookup)


PUBLISHED = {6: 87.79, 12: 71.18, 24: 67.71, 48: 58.52, 96: 51.29, 192: 40.33, 384: 23.72}  # steps per second

TABLES: dict[str, CostTable] = {
    made.name: made
    for made in (
        table(
            "published-gpu",
            "Published GPU",
            "Published for a model of DeepSeek-V4's class on GPUs (local-inference-lab/vllm, #107). Between two sizes the engine pays for "
            "the next larger one. Drafting time is not part of it.",
            {batch: 1000 / rate for batch, rate in PUBLISHED.items()},
            "ceil",
        ),
        table(
            "smooth",
            "Smooth CPU",
            "Measured once for a model of 12 layers, 320 wide, without context, on two CPU threads. Drafting time is not part of it.",
            {1: 8.7, 8: 10.9, 16: 11.0, 32: 13.6, 64: 18.8, 128: 27.6, 256: 51.0, 384: 72.0},
        ),
        table(
            "staircase",
            "Staircase",
            "Made up for this page: a step costs the same up to a size, then jumps, as with batches padded to a few fixed sizes.",
            {8: 10.0, 16: 10.5, 32: 13.0, 64: 16.0, 128: 21.0, 256: 36.0, 512: 68.0},
            "ceil",
        ),
        table(
            "flat",
            "Flat",
            "Made up for this page: what an engine believes before anybody has measured it. Every batch takes ten milliseconds.",
            {1: 10.0, 100_000: 10.0},
        ),
    )
}
