"""A simulated clock: real words planned on somebody else's step times. Stands where a measured profile stands and says what it is."""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import ClassVar

from expediter.core.step_rate import StepRate
from expediter.core.tables import CostTable

SIMULATED = "simulated clock"
HERE, OWN = "here", "own"  # choices of hardware beside the named tables


@dataclass(frozen=True, slots=True)
class SimulatedClock:
    """Answers what the engine asks of a Profile and of its Costs: `at`, `step_rate`, `noise`, `fingerprint` and `source`."""

    table: CostTable
    source: ClassVar[str] = SIMULATED

    def at(self, temperature: float) -> "SimulatedClock":
        """The same: a table knows of no temperature."""
        return self

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        """The table as it stands, whatever the context; its drafting time only where something is drafted."""
        return self.table.step_rate(requests, draft_seconds=None if depth else 0.0)

    def noise(self, requests: int) -> float:
        """0: a table is taken at its word."""
        return 0.0

    @property
    def fingerprint(self) -> str:
        """12 hex digits of the numbers and the lookup. Names and sources do not count."""
        return _fingerprint(self.table)


@lru_cache(maxsize=16)
def _fingerprint(table: CostTable) -> str:
    numbers = {key: value for key, value in asdict(table).items() if key not in ("name", "title", "source")}
    if not table.request_drafting:
        del numbers["request_drafting"]  # tables from before there was such a term keep their fingerprint
    return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:12]
