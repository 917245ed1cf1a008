"""What the reader chose, clamped to what is allowed. The address bar, the controls and the engine all speak this one value."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields

DEFAULT_PAIR = "pocket-dspark"  # where nobody chooses another; listed first everywhere
WORKLOADS = ("mixed", "stories", "explanations", "arithmetic", "code")
MAX_LOAD = 64  # on a CPU, and while nobody knows yet where the models run
GPU_LOAD = 256
MAX_DEPTH = 8
MAX_TEMPERATURE = 1.5
TEMPERATURE = 0.6  # where nobody chooses another: at 0.8 the pocket models write a quarter of their sentences wrong, at 0.6 an eighth
MAX_SEED = 999_999
ALLOWED = {
    "load": f"a whole number from 1 to {MAX_LOAD}, with a GPU to {GPU_LOAD}",
    "depth": f"a whole number from 1 to {MAX_DEPTH}",
    "temperature": f"a number from 0 to {MAX_TEMPERATURE}, with at most two decimals",
    "workload": f"one of {', '.join(WORKLOADS)}",
    "seed": f"a whole number from 0 to {MAX_SEED}",
}


def widest(device: str) -> int:
    """The most requests that are served at once on this kind of device ("cuda", "mps", "cpu")."""
    return GPU_LOAD if device in ("cuda", "mps") else MAX_LOAD


def served(loads: Iterable[int], device: str) -> tuple[int, ...]:
    """The same loads. Raises ValueError where one of them is not served on this kind of device."""
    loads, most = tuple(loads), widest(device)
    if wrong := [load for load in loads if not 1 <= load <= most]:
        sizes = f"1 to {most} (a CPU takes {MAX_LOAD}, a GPU {GPU_LOAD})"
        raise ValueError(f"{wrong[0]} requests at once are not served on {device}: give {sizes}.")
    return loads


@dataclass(frozen=True, slots=True)
class Settings:
    """One run's settings. `pair` is a folder name under models/pairs; `policy` is spelled as the scheduler does."""

    pair: str = DEFAULT_PAIR
    load: int = 16  # R, requests, 1..widest(device)
    depth: int = 5  # γ, drafted tokens per request, 1..MAX_DEPTH
    temperature: float = TEMPERATURE  # 0..MAX_TEMPERATURE
    workload: str = "mixed"
    policy: str = "early-stop"
    seed: int = 1
    hardware: str = "here"  # whose clock: "here", a table of core.tables, or "own" for the reader's own

    def clamped(self, most: int = MAX_LOAD) -> "Settings":
        """The nearest allowed settings, at most `most` requests; unknown workloads become "mixed".

        Pair, policy and hardware are checked by who knows them.
        """
        temperature = self.temperature if math.isfinite(self.temperature) else TEMPERATURE
        return Settings(
            pair=self.pair,
            load=min(max(int(self.load), 1), most),
            depth=min(max(int(self.depth), 1), MAX_DEPTH),
            temperature=round(min(max(temperature, 0.0), MAX_TEMPERATURE), 2),
            workload=self.workload if self.workload in WORKLOADS else "mixed",
            policy=self.policy,
            seed=min(max(int(self.seed), 0), MAX_SEED),
            hardware=self.hardware,
        )

    def exactly(self, most: int = GPU_LOAD) -> "Settings":
        """The same settings, for who would rather be told than get others. Raises ValueError where they are not allowed."""
        near = self.clamped(most)
        for name in (field.name for field in fields(self)):
            value = getattr(self, name)
            if value != getattr(near, name):
                raise ValueError(f"The {name} is {value!r}: give {ALLOWED[name]}.")
        return self
