"""Why a scheduler must not peek: the counterexample of the DSpark paper (arXiv:2606.19348, App. A), computed exactly and sampled.

One request, two drafts, a language of two words, A and B. The confidence of the second draft is computed from the first drafted word.
A search that looks at it before deciding about the first word decides by what that word is.
"""

from dataclasses import dataclass

import numpy as np

from expediter.core.plan import Plan
from expediter.core.policy import Policy
from expediter.core.scheduler import schedule
from expediter.core.step_rate import StepRate


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The paper's numbers unless told otherwise. The paper leaves `second` open: any that is high after A and low after B will do."""

    target: tuple[float, float] = (0.7, 0.3)  # p_t of the first word, A and B
    draft: tuple[float, float] = (0.5, 0.5)  # p_d of the first word
    first: float = 0.8  # c_1 = a_1, told before the word is drawn; honest: Σ min(p_t, p_d)
    second: tuple[float, float] = (0.9, 0.0)  # c_2 after A and after B
    sps: tuple[float, float, float] = (1.0, 0.5, 0.45)  # steps per second at B = 1, 2, 3

    def plans(self, policy: Policy) -> tuple[Plan, Plan]:
        """What is decided when the first drafted word is A, and when it is B."""
        rate = StepRate(np.array([1, 2, 3]), 1 / np.array(self.sps))
        after_a, after_b = (schedule(np.array([[self.first, c]]), rate, policy) for c in self.second)
        return after_a, after_b

    def given(self, policy: Policy) -> np.ndarray:
        """P(first delivered word | first drafted word). [2 drafted, 2 delivered]"""
        target, draft = np.array(self.target), np.array(self.draft)
        passes = np.minimum(1, target / draft)  # [2]
        residual = np.maximum(target - draft, 0)
        residual = residual / residual.sum() if residual.any() else target
        checked = np.diag(passes) + (1 - passes)[:, None] * residual  # [2, 2]
        sent = np.array([plan.lengths[0] > 0 for plan in self.plans(policy)])
        return np.where(sent[:, None], checked, target)  # nothing sent: the target's own word

    def delivered(self, policy: Policy) -> np.ndarray:
        """P(first delivered word), exactly. [2]; the target's own where the policy is lossless"""
        return np.array(self.draft) @ self.given(policy)

    def shift(self, policy: Policy) -> float:
        """How far the delivered words are bent away from the target's: the total variation."""
        return float(np.abs(self.delivered(policy) - self.target).sum() / 2)

    def sample(self, policy: Policy, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Counts of the first delivered word in so many runs, each drawn as decoding does: draft, plan, check, own word. [2]"""
        drafted = rng.random(runs) >= self.draft[0]  # [runs]  False is A, True is B
        sent = np.array([plan.lengths[0] > 0 for plan in self.plans(policy)])[drafted.astype(int)]
        target, draft = np.array(self.target), np.array(self.draft)
        passed = rng.random(runs) < (target / draft)[drafted.astype(int)]
        residual = np.maximum(target - draft, 0)
        own_a = np.where(sent, residual[0] / residual.sum() if residual.any() else target[0], target[0])
        own = rng.random(runs) >= own_a  # [runs]  the target's own word, drawn where no draft passed
        word = np.where(sent & passed, drafted, own)
        return np.bincount(word.astype(int), minlength=2)
