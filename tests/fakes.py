"""Stand-ins for models: a drafter and a target that roll dice. Their numbers are invented; the scheduler between them is the real one."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from expediter.core.pairs import PairInfo
from expediter.core.policy import Policy
from expediter.core.profile import Profile
from expediter.core.scheduler import schedule
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.core.trace import PhaseSeconds, RequestTrace, StepTrace
from expediter.ui.turns import Turns

VOCABULARY = [" the", " very", " fox", " said", ",", ".", " key", "\n", " add", "(", "a", ")", " because", " <b>light</b>", "1", "="]
PROMPTS = {
    "stories": "Tell a short story about a fox and a lost key.",
    "explanations": "Explain why the sky is blue in simple words.",
    "arithmetic": "Clara had 18 stickers and gave 4 to Mia. How many are left?",
    "code": "Write a Python function that adds two numbers.",
}
SECONDS = {1: 0.0087, 8: 0.0109, 16: 0.011, 32: 0.0136, 64: 0.0188, 128: 0.0276, 256: 0.051, 384: 0.072}  # 12 × 320 on two threads


def profile(source: str = "recorded on another machine", seconds: dict[int, float] = SECONDS) -> Profile:
    """A step-rate table that no machine measured."""
    return Profile.from_samples(
        pair="dice", device="dice", dtype="float32", threads=2, source=source, measured_at="2026-01-01T00:00:00+00:00",
        verify={(r, c): {b: [s] for b, s in seconds.items()} for r in (1, 64) for c in (32, 128)},
        draft={(r, d): [0.0005 * d] for r in (1, 64) for d in (1, 8)},
        rest={1: [0.001], 64: [0.002]},
    )  # fmt: skip


def pair_info(name: str, title: str, max_depth: int = 8) -> PairInfo:
    """A pair that exists on no disk."""
    nowhere = Path("nowhere")
    return PairInfo(name, title, "Rolls dice.", nowhere, nowhere, max_depth, nowhere)


PAIRS = (pair_info(DEFAULT_PAIR, "Pocket · dice"), pair_info("mini-good", "Mini · dice", max_depth=6))


@dataclass
class FakeEngine:
    """Rolls dice for R requests. Behaves like the engine's loop: step, change, adopt."""

    settings: Settings
    profile: Profile = field(default_factory=profile)
    fail: bool = False
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.settings.seed)
        self.texts: list[str] = []
        self.number = 0

    def change(self, settings: Settings) -> None:
        """Running requests go on; a lower load drops the last ones."""
        self.settings = settings

    def adopt(self, profile: Profile) -> None:
        """From the next step on, decide by this table."""
        self.profile = profile

    def step(self) -> StepTrace:
        """One step with the real scheduler over invented confidences."""
        if self.fail:
            raise RuntimeError("the dice rolled off the table")
        s = self.settings
        policy = Policy.parse(s.policy)
        self.texts = (self.texts + ["Once upon a time"] * s.load)[: s.load]
        confidence = np.clip(self.rng.beta(4, 2, (s.load, policy.depth(s.depth))), 0.02, 0.99)
        plan = schedule(confidence, self.profile.at(s.temperature).step_rate(s.load, 64, confidence.shape[1]), policy)
        requests = tuple(self._request(slot, row, int(sent)) for slot, (row, sent) in enumerate(zip(confidence, plan.lengths, strict=True)))
        self.number += 1
        return StepTrace(
            step=self.number - 1, pair=s.pair, policy=s.policy, temperature=s.temperature, depth=s.depth, seed=s.seed, workload=s.workload,
            requests=requests, order=tuple((int(r), int(j)) for r, j in plan.order), path=tuple(map(float, plan.path)),
            step_seconds=tuple(map(float, plan.step_seconds)), stop=plan.stop, reason=plan.reason, drafting=True, theta_off=plan.theta_off,
            theta_all=plan.theta_all, uncertain=False, table=self.profile.fingerprint, table_source=self.profile.source, machine="dice",
            seconds=PhaseSeconds(0.002, 0.0003, 0.0004, float(plan.step_seconds[plan.stop]), 0.001, 0.0),
        )  # fmt: skip

    def _request(self, slot: int, confidence: np.ndarray, sent: int) -> RequestTrace:
        drafts = [VOCABULARY[i] for i in self.rng.integers(0, len(VOCABULARY), len(confidence))]
        rolls = self.rng.random(len(confidence)) < confidence
        accepted = int(np.cumprod(rolls[:sent]).sum())
        workload = list(PROMPTS)[slot % 4] if self.settings.workload == "mixed" else self.settings.workload
        own, before = VOCABULARY[self.rng.integers(len(VOCABULARY))], self.texts[slot]
        self.texts[slot] = before + "".join(drafts[:accepted]) + own
        survival = tuple(map(float, np.cumprod(confidence)))
        return RequestTrace(
            number=slot, workload=workload, prompt=PROMPTS[workload], before=before, tokens=tuple(range(len(drafts))), drafts=tuple(drafts),
            confidence=tuple(map(float, confidence)), survival=survival, sent=sent, accepted=accepted, own=own, own_token=0, ended=False,
        )  # fmt: skip


def recording(settings: Settings, steps: int = 6) -> tuple[StepTrace, ...]:
    """A recorded run of dice."""
    engine = FakeEngine(settings)
    return tuple(engine.step() for _ in range(steps))


@dataclass
class FakeSource:
    """Brings dice instead of models, as slowly as it is told to. `problem` makes loading fail, `unkept` keeping a table."""

    load_seconds: float = 0.0
    measure_seconds: float = 0.0
    shipped: Profile = field(default_factory=lambda: profile("measured here"))
    problem: str = ""
    unkept: str = ""  # why a measurement cannot be kept
    kind: str = "cpu"  # of device
    engines: list[FakeEngine] = field(default_factory=list)

    def prepare(self) -> None:
        """Dice need no libraries."""

    def load(self, name: str) -> str:
        """The pair is its name."""
        time.sleep(self.load_seconds)
        if self.problem:
            raise OSError(self.problem)
        return name

    def profile(self, pair: str) -> Profile:
        """The table to begin with."""
        return self.shipped

    def measure(self, pair: str, on_progress: Callable[[float], None], lock: Turns) -> Profile:
        """Ten pieces of work, each under the lock."""
        for share in range(1, 11):
            with lock:
                time.sleep(self.measure_seconds / 10)
            on_progress(share / 10)
        return profile("measured here", {batch: 1.1 * seconds for batch, seconds in SECONDS.items()})

    def keep(self, pair: str, profile: Profile) -> str:
        """Nothing is kept, unless that is to fail."""
        return self.unkept

    def device(self, pair: str) -> str:
        """What the dice lie on."""
        return self.kind

    def release(self) -> None:
        """Dice take no memory."""

    def engine(self, pair: str, settings: Settings, profile: Profile) -> FakeEngine:
        """A fresh roll."""
        self.engines.append(FakeEngine(settings, profile))
        return self.engines[-1]
