"""Two ceilings for a benchmark, as scorers in front of a global search. Neither can be had by a real engine.

best-plan  the highest Θ over every prefix of the sorted pool and over not drafting at all, by this step's confidences. For a given batch
           the surest drafts bring most, so no other plan is better. A step in which not drafting wins is not charged for its drafts,
           although only they could tell: an upper bound for every scheduler that sees the same confidences.
oracle     the same with confidences of 1 and 0: which drafts pass is found by an extra forward with the very uniforms that will judge them.
           That forward is not charged. It peeks, so above temperature 0 its words do not have the target's distribution.
"""

from time import perf_counter

import numpy as np

from expediter.core.policy import Policy
from expediter.core.scheduler import schedule
from expediter.core.trace import StepTrace
from expediter.engine.acceptance import judge
from expediter.engine.confidence import Scorer
from expediter.engine.drafter import Draft

GLOBAL = Policy("global")


class BestPlan:
    """The pair's own confidences, or none at all where not drafting beats every prefix."""

    def __init__(self, scorer: Scorer):
        self.scorer = scorer
        self.engine = None  # whose requests these are; set once it is made
        self.charged = 0.0  # seconds of the last scoring that a real engine would have spent too
        self.drafts = True  # whether the last step was better with drafts

    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        """As Scorer.score. → [R, γ]"""
        begun = perf_counter()
        confidence = self.chances(draft, temperature)
        self.charged = (perf_counter() - begun) if self.scorer else 0.0
        load, depth = confidence.shape
        context = int(self.engine.requests.length[:load].max())
        plan = schedule(confidence, self.engine.costs.step_rate(load, context, depth), GLOBAL)
        self.drafts = plan.theta > plan.theta_off
        return confidence if self.drafts else np.zeros_like(confidence)

    def chances(self, draft: Draft, temperature: float) -> np.ndarray:
        """What the plan is made from. → [R, γ]"""
        return self.scorer.score(draft, temperature)

    def seconds(self, trace: StepTrace) -> float:
        """What the step that was just done costs."""
        return trace.seconds.step - trace.seconds.score + self.charged - (0.0 if self.drafts else trace.seconds.draft)


class Oracle(BestPlan):
    """Knows which drafts pass."""

    def __init__(self):
        super().__init__(scorer=None)

    def chances(self, draft: Draft, temperature: float) -> np.ndarray:
        requests, store, seed = self.engine.requests, self.engine.store, self.engine.settings.seed
        load, depth = draft.tokens.shape
        start, lengths = requests.length[:load], np.full(load, depth)
        tokens = np.concatenate([requests.anchors(load)[:, None], draft.tokens], axis=1)  # [R, 1 + γ]
        logits = self.engine.pair.target.read(store, tokens, 1 + lengths, start - 1, np.arange(load))  # [B, V]
        verdict = judge(draft, lengths, logits, temperature, seed, requests.number[:load], start)
        return (np.arange(depth) < verdict.accepted[:, None]).astype(np.float64)  # [R, γ]


class Awake:
    """In place of a Pause: these two decide about drafting at every step."""

    def drafted(self, tau: float, seconds: float) -> None:
        """Nothing to remember."""

    def rests(self, theta_off: float) -> bool:
        """Never."""
        return False
