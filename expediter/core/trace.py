"""What happened in one step, frozen: enough to draw it, check it and replay it. A live step and a recorded one are the same value."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from expediter.core.whole_file import whole_file


@dataclass(frozen=True, slots=True)
class RequestTrace:
    """One request's part of a step. Positions count from 1 in words and from 0 in the tuples."""

    number: int  # identity of the request over the whole run; a slot's next request has another number
    workload: str  # stories, explanations, arithmetic or code
    prompt: str
    before: str  # the answer committed before this step
    tokens: tuple[int, ...]  # drafted token ids                          [γ]
    drafts: tuple[str, ...]  # the same as text, exactly as the tokenizer decodes them [γ]
    confidence: tuple[float, ...]  # c_{r,k}, probability                 [γ]
    survival: tuple[float, ...]  # a_{r,j}, probability                   [γ]
    sent: int  # ℓ_r, drafts that the target read, 0..γ
    accepted: int  # drafts that passed, 0..sent
    own: str | None  # the target's own word: a correction or a bonus; None when the answer ended on an accepted draft
    own_token: int | None
    ended: bool  # a fresh request takes this one's place before the next step

    @property
    def committed(self) -> int:
        """Words this request got in this step."""
        return self.accepted + (self.own is not None)

    def fate(self, position: int) -> str:
        """What became of the draft at this position (from 1): passed, refused, behind or left."""
        if position > self.sent:
            return "left"
        if position <= self.accepted:
            return "passed"
        # An accepted end mark closes the answer: what was sent behind it was never refused, only not needed.
        return "refused" if position == self.accepted + 1 and self.own is not None else "behind"


@dataclass(frozen=True, slots=True)
class PhaseSeconds:
    """Wall time of one step's phases, seconds."""

    draft: float
    score: float
    schedule: float
    verify: float
    commit: float
    prefill: float  # reading fresh prompts; not part of a step's cost

    @property
    def step(self) -> float:
        """The whole step without prefill, seconds."""
        return self.draft + self.score + self.schedule + self.verify + self.commit


@dataclass(frozen=True, slots=True)
class StepTrace:
    """One decoding step of R requests. N is the number of candidates: drafts with a survival above 0."""

    step: int  # from 0
    pair: str
    policy: str  # as the scheduler spells it: "early-stop", "fixed:2", …
    temperature: float
    depth: int  # γ
    seed: int
    workload: str  # the mix that was asked for: "mixed" or one workload
    requests: tuple[RequestTrace, ...]  # in slot order                   [R]
    order: tuple[tuple[int, int], ...]  # (slot from 0, position from 1), surest first [N]
    path: tuple[float, ...]  # Θ after 0, 1, … admissions, tokens/s       [N + 1]
    step_seconds: tuple[float, ...]  # expected whole-step time behind Θ  [N + 1]
    stop: int  # admissions; index into path
    reason: str  # peak, exhausted, budget, policy
    drafting: bool  # False: the engine found that drafting does not pay and drafted nothing
    theta_off: float  # R·SPS(R), no draft time, tokens/s
    theta_all: float  # every candidate sent, tokens/s
    uncertain: bool  # the table's noise is larger than the peak's margin
    table: str  # fingerprint of the step-rate table
    table_source: str  # "measured here", "recorded on another machine" or "simulated clock"
    machine: str  # "float32 · CPU, 2 threads"
    seconds: PhaseSeconds

    @property
    def load(self) -> int:
        """R, active requests."""
        return len(self.requests)

    @property
    def batch(self) -> int:
        """B = Σ (1 + ℓ), tokens the target read."""
        return self.load + sum(r.sent for r in self.requests)

    @property
    def theta(self) -> float:
        """Expected tokens per second of the plan that was carried out."""
        return self.path[self.stop]

    @property
    def tau(self) -> float:
        """Expected tokens of this step: Θ times the step's expected time."""
        return self.path[self.stop] * self.step_seconds[self.stop]

    @property
    def got(self) -> int:
        """Tokens committed in this step."""
        return sum(r.committed for r in self.requests)

    def count(self, fate: str) -> int:
        """How many drafts of the step met this fate: passed, refused, behind or left."""
        return sum(r.fate(j) == fate for r in self.requests for j in range(1, len(r.tokens) + 1))


def to_json(trace: StepTrace) -> dict:
    """Plain lists, numbers and strings."""
    return asdict(trace)


def from_json(data: dict) -> StepTrace:
    """The inverse of to_json. Raises KeyError or TypeError when a field is missing or unknown."""
    requests = tuple(RequestTrace(**{k: tuple(v) if isinstance(v, list) else v for k, v in r.items()}) for r in data["requests"])
    whole = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    order = tuple((int(r), int(j)) for r, j in data["order"])
    return StepTrace(**{**whole, "requests": requests, "order": order, "seconds": PhaseSeconds(**data["seconds"])})


def save(path: Path, traces: list[StepTrace], about: str) -> None:
    """A recorded run: one JSON object with a sentence about its origin and the steps. Raises OSError."""
    whole = {"about": about, "steps": [to_json(t) for t in traces]}
    with whole_file(path) as draft:
        draft.write_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def load(path: Path) -> list[StepTrace]:
    """Read what save wrote. Raises OSError, ValueError, KeyError or TypeError for anything else."""
    try:
        return [from_json(step) for step in json.loads(path.read_text(encoding="utf-8"))["steps"]]
    except (AttributeError, RecursionError) as error:
        raise ValueError(f"{path.name} holds no steps: {error}") from error
