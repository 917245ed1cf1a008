"""The decoding loop: propose, score, schedule, verify, commit. One call, one step, one trace."""

from collections import deque
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from time import perf_counter

import numpy as np

from expediter.core.clock import SimulatedClock
from expediter.core.costs import Costs
from expediter.core.depth import Depth, by_depth
from expediter.core.pause import Pause
from expediter.core.policy import Policy
from expediter.core.profile import Profile
from expediter.core.scheduler import schedule
from expediter.core.settings import Settings, widest
from expediter.core.step_rate import StepRate
from expediter.core.trace import PhaseSeconds, StepTrace
from expediter.core.workloads import prompt
from expediter.engine.acceptance import Verdict, judge
from expediter.engine.loader import Pair
from expediter.engine.requests import ROOM, Requests
from expediter.engine.tracing import trace_step
from expediter.engine.uniforms import uniforms

LIMIT = 4  # use of the uniform that sets a request's length
TABLES = 512  # remembered at once: every depth at every context of one load


class Stopwatch:
    """Laps of one step; each waits for the device first."""

    def __init__(self, place):
        self.place, self.laps = place, {}
        self.restart()

    def restart(self) -> None:
        self.place.synchronize()
        self.last = perf_counter()

    def lap(self, phase: str) -> None:
        """Everything since the last lap belongs to this phase."""
        self.place.synchronize()
        now = perf_counter()
        self.laps[phase], self.last = now - self.last, now


class Engine:
    """One reader's run of one pair. Weights are shared, requests and stores are its own. Not safe for two threads at once."""

    def __init__(
        self,
        pair: Pair,
        settings: Settings,
        profile: Profile,
        limit: tuple[int, int] = (64, ROOM),
        *,
        prompts: Callable[[str, int, int], tuple[str, str]] = prompt,
        rule: Callable[..., Verdict] = judge,
        most: int | None = None,
        own_depth: bool = True,
    ):
        """limit: shortest and longest length in tokens, prompt included, at which an answer is cut; drawn per request.

        prompts: (workload, seed, request number) → its workload and prompt; rule: what passes and what the own word is;
        most: requests that settings may ask for; None: what this kind of device is given; own_depth: early-stop also chooses how deep to
        draft, from earlier steps, and settings.depth is the most; False drafts the whole depth at every step.
        """
        self.pair, self.limit, self.prompts, self.rule, self.own_depth = pair, limit, prompts, rule, own_depth
        self.most = widest(pair.target.place.device.type) if most is None else most
        self._restart(settings)
        self.adopt(profile)

    def _restart(self, settings: Settings) -> None:
        """Forget all requests and begin the run of these settings."""
        self.settings = settings.clamped(self.most)
        self.policy = Policy.parse(settings.policy)
        slots = self.settings.load
        self.requests = Requests(slots)
        self.store = self.pair.target.store(slots, self.requests.tokens.shape[1])
        self.drafter = self.pair.drafter(slots, self.store)
        self.ended = np.ones(slots, dtype=bool)  # [S]  the slot wants a fresh request
        self.numbers = 0  # requests started so far
        self.steps = 0
        self.older: deque[np.ndarray] = deque(maxlen=1)  # confidences of earlier steps, for the stale budget
        self.pause, self.deep = Pause(self.settings.load), Depth(self.settings.load)

    def change(self, settings: Settings) -> None:
        """Apply what the reader chose. Another seed or workload begins a new run; everything else keeps the requests.

        Raises ValueError for another pair (that is another engine) or an unknown policy.
        """
        settings = settings.clamped(self.most)
        policy = Policy.parse(settings.policy)
        if settings.pair != self.settings.pair:
            raise ValueError(f"This engine runs {self.settings.pair}; for {settings.pair} make another one.")
        if (settings.seed, settings.workload) != (self.settings.seed, self.settings.workload):
            self._restart(settings)
            return
        if settings != self.settings:
            self.older.clear()
            self.pause, self.deep = Pause(settings.load), Depth(settings.load)
        self.settings, self.policy = settings, policy
        if settings.load > self.requests.slots:
            slots = max(settings.load, min(self.most, 2 * self.requests.slots))
            self.requests.grow(slots)
            self.store.grow(slots)
            self.ended = np.pad(self.ended, (0, slots - len(self.ended)), constant_values=True)

    def follow(self, other: "Engine") -> None:
        """Go on where another engine stands that serves the same pair, load, workload and seed: its requests, what the models know of
        them, and what it has learned from its steps.
        """
        self.requests, self.ended = deepcopy(other.requests), other.ended.copy()
        self.store.fill(other.store)
        self.drafter.follow(other.drafter)
        self.numbers, self.steps, self.older = other.numbers, other.steps, other.older.copy()
        self.pause, self.deep = deepcopy(other.pause), deepcopy(other.deep)
        if self.profile is other.profile:
            self._rate_at = other._rate_at

    def _admit(self) -> None:
        """Put fresh requests where one ended, and let the models read their prompts; the draft where there will be drafts."""
        slots = np.flatnonzero(self.ended[: self.settings.load])
        for slot in slots:
            workload, text = self.prompts(self.settings.workload, self.settings.seed, self.numbers)
            low, high = self.limit
            u = uniforms(self.settings.seed, np.asarray(self.numbers), np.asarray(0), LIMIT).item()
            self.requests.start(int(slot), self.numbers, self.pair.encode(text), low + int(u * (high - low + 1)), workload, text)
            self.numbers += 1
        if len(slots):
            self.pair.target.prefill(self.store, self.requests, slots)
            if self.policy.depth(self.settings.depth):
                self.drafter.read(self.requests, slots)
            self.ended[slots] = False

    def step(self) -> StepTrace:
        """Decode one step for every active request."""
        s, load, place = self.settings, self.settings.load, self.pair.target.place
        watch = Stopwatch(place)
        self._admit()
        watch.lap("prefill")
        number, start = self.requests.number[:load].copy(), self.requests.length[:load].copy()
        context = 8 * round(int(start.max()) / 8)  # attention pays for the longest; tables are remembered by context, which creeps
        rate = self._rate(load, context, s.depth)
        asked = self.policy.depth(min(s.depth, self.drafter.max_depth))
        paused = self.policy.watches_theta and self.pause.rests(load / rate.without_drafts(load))
        chooses = self.own_depth and self.policy.kind == "early-stop"
        depth = 0 if paused else self.deep.next(asked) if chooses else asked
        if depth != s.depth:
            rate = self._rate(load, context, depth)
        watch.restart()

        draft = self.drafter.propose(self.requests, load, depth, s.temperature, s.seed) if depth else None
        watch.lap("draft")
        confidence = self.pair.scorer.score(draft, s.temperature) if depth else np.zeros((load, 0))  # [R, γ]
        watch.lap("score")
        older = self.older[0] if self.older and self.policy.kind == "stale" else None
        plan = schedule(confidence, rate, self.policy if depth else Policy("off"), older=older)
        judges = chooses and depth == asked and self.deep.due(self.steps)
        if judges and self.deep.judge(*by_depth(plan, [self._rate(load, context, d) for d in range(1, depth + 1)])):
            self.pause.forget()
        watch.lap("schedule")
        verdict = self._verify(draft, plan.lengths, start)
        watch.lap("verify")
        ended = self._commit(draft, verdict)
        watch.lap("commit")

        if depth:
            self.older.append(confidence)
            if not chooses or depth == self.deep.usual(asked):  # a look at the whole depth is no usual step
                self.pause.drafted(plan.tau, float(plan.step_seconds[plan.stop]))
        trace = trace_step(self, draft, confidence, plan, verdict, ended, number, start, PhaseSeconds(**watch.laps))
        self.steps += 1
        return trace

    def _verify(self, draft, lengths: np.ndarray, start: np.ndarray) -> Verdict:
        """The target reads every anchor and what was sent, in one forward, and says what passes."""
        load = len(lengths)
        tokens = self.requests.anchors(load)[:, None]  # [R, 1]
        if draft is not None:
            tokens = np.concatenate([tokens, draft.tokens], axis=1)  # [R, 1 + γ]
        logits = self.pair.target.read(self.store, tokens, 1 + lengths, start - 1, np.arange(load))  # [B, V]
        return self.rule(draft, lengths, logits, self.settings.temperature, self.settings.seed, self.requests.number[:load], start)

    def _commit(self, draft, verdict: Verdict) -> np.ndarray:
        """Append what passed and the own word; stop at an end mark or the limit. → which requests ended [R]"""
        for slot, (accepted, own) in enumerate(zip(verdict.accepted, verdict.own, strict=True)):
            ids = [*(draft.tokens[slot, :accepted].tolist() if accepted else []), int(own)]
            self.ended[slot] = self.requests.commit(slot, ids, self.pair.end)
        return self.ended[: len(verdict.own)].copy()

    def adopt(self, profile: Profile | SimulatedClock) -> None:
        """From the next step on, decide by this table."""
        self.profile, self.pause, self.deep = profile, Pause(self.settings.load), Depth(self.settings.load)
        self.table = profile.fingerprint  # reading it hashes the whole table: once, not at every step
        self._rate_at = lru_cache(maxsize=TABLES)(lambda temperature, *of: profile.at(temperature).step_rate(*of))

    @property
    def costs(self) -> Costs | SimulatedClock:
        """What steps cost at the temperature of these settings."""
        return self.profile.at(self.settings.temperature)

    def _rate(self, load: int, context: int, depth: int) -> StepRate:
        """The table that a step plans with."""
        return self._rate_at(self.settings.temperature, load, context, depth)
