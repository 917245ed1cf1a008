"""The benchmark: policies and peers on the same prompts, in one run, their turns shuffled so that no noise falls on one of them alone.

At every load one engine decodes until its requests are of every age and it knows what drafting brings. All policies go on from there, side
by side, and a prompt that one of them has read need not be read again.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter

import numpy as np
import torch

from expediter.core.bars import COMPARED, SCHEDULER
from expediter.core.bench import Bench, Peer, Prediction, Row, prediction, summary
from expediter.core.pairs import PairInfo
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.weights import fingerprint
from expediter.engine.loader import Pair
from expediter.engine.loop import Engine
from expediter.engine.measure_policy import Block, Subject
from expediter.engine.overhead import outside_share
from expediter.engine.peers import Generate, PeerBlock, peers
from expediter.engine.read_once import read_once

LOADS = (1, 2, 4, 8, 16, 32, 64)
POLICIES = ("off", "all", "fixed:1", "fixed:2", "fixed:3", "early-stop", "whole-depth", "global", "stale", "best-plan", "oracle")
BUSY = 8  # loads from here on count for the time outside the models
AGE = 48  # words of each request before the first that counts
FEW_MORE = 1.6  # times the usual time for one request above temperature 0, half of that for sixteen
SELDOM = 2  # rounds for one block of a peer, at loads where no bar asks for it

Report = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run."""

    loads: tuple[int, ...] = LOADS
    policies: tuple[str, ...] = POLICIES
    temperature: float = 0.0
    depth: int = 5  # γ
    peers: bool = True
    blocks: int = 8  # of every policy, at least 5 for a result that counts
    turns: int = 4  # that each takes in a block: the shorter a turn, the less a change of the machine favours anyone
    seconds: float = 0.45  # a block is as many words as plain decoding brings in this time
    workload: str = "mixed"
    seed: int = 1

    @classmethod
    def quick(cls, **changes) -> "Plan":
        """Short blocks at four loads: a look, with wider intervals."""
        return cls(**{"loads": (1, 4, 16, 64), "blocks": 5, "seconds": 0.3, **changes})


def bench(
    pair: Pair,
    info: PairInfo,
    profile: Profile,
    plan: Plan,
    report: Report = lambda share, sentence: None,
    lock: AbstractContextManager | None = None,
    machine: str = "",
) -> Bench:
    """Run it. report gets a share 0..1 and one sentence before every block; lock is taken for one step at a time."""
    begun, rng = perf_counter(), np.random.default_rng(plan.seed)
    rows, found, overhead, decided, plain, notes = [], [], {}, {}, [], []
    for done, load in enumerate(plan.loads):

        def said(share: float, what: str, done: int = done, load: int = load) -> None:
            report((done + share) / len(plan.loads), f"load {load}: {what}")

        said(0.0, "warming up")
        leader = _leader(pair, profile, plan, load, lock)
        ours, theirs, note = _field(pair, info, profile, plan, leader)
        if note and note not in notes:
            notes.append(note)
        run = _rounds(ours, theirs, _words(profile, plan, load), plan, rng, said, lock)
        rows += [_row(subject, run[subject.name]) for subject in ours]
        found += [_peer(load, peer, run[peer.name]) for peer in theirs]
        if SCHEDULER in run:
            decided[load] = run[SCHEDULER]
        plain += run.get("off", [])
        with lock or nullcontext():  # throughout: it looks into the models, which others use as well
            overhead[load] = outside_share(leader)
        del leader, ours, theirs  # before the next ones, which are larger
    place = pair.target.place
    busy = [share for load, share in overhead.items() if load >= BUSY] or list(overhead.values())
    report(1.0, "done")
    return Bench(
        pair=pair.name,
        weights=fingerprint(info),
        machine=machine or str(place),
        dtype=place.name,
        threads=torch.get_num_threads(),
        temperature=plan.temperature,
        depth=plan.depth,
        measured_at=datetime.now(UTC).isoformat(timespec="seconds"),
        profile=f"{profile.fingerprint}, {profile.source}, {profile.measured_at}",
        seconds=perf_counter() - begun,
        rows=tuple(rows),
        peers=tuple(found),
        overhead_share=float(np.mean(busy)),
        overhead={str(load): share for load, share in overhead.items()},
        prediction=_prediction(decided, plain),
        notes=tuple(notes),
    )


def _settings(pair: Pair, plan: Plan, load: int, policy: str) -> Settings:
    return Settings(
        pair=pair.name, load=load, depth=plan.depth, temperature=plan.temperature, workload=plan.workload, policy=policy, seed=plan.seed
    )


def _leader(pair: Pair, profile: Profile, plan: Plan, load: int, lock: AbstractContextManager | None) -> Engine:
    """An engine in the middle of its day: requests of every age, and enough steps behind it to judge by."""
    engine = Engine(pair, _settings(pair, plan, load, SCHEDULER), profile)
    steps, words = 0, 0
    while steps < engine.deep.needed or words < AGE * load:
        with lock or nullcontext():
            words += engine.step().got
        if not steps:  # the first answers end one after the other, and so do all behind them
            room = engine.requests.limit - engine.requests.length
            engine.requests.limit = engine.requests.length + np.maximum(room * np.arange(1, load + 1) // load, 1)
        steps += 1
    return engine


def _field(pair: Pair, info: PairInfo, profile: Profile, plan: Plan, leader: Engine) -> tuple[list[Subject], list[Generate], str]:
    """Everybody who runs at this load, standing where the leader stands, and a sentence about who cannot."""
    load, shared = leader.settings.load, read_once(pair, len(plan.policies))
    ours = [Subject(shared, _settings(pair, plan, load, policy), profile) for policy in plan.policies]
    for subject in ours:
        subject.join(leader)
    theirs, note = peers(pair, info, load, plan.workload, plan.temperature, plan.seed, plan.depth) if plan.peers else ([], "")
    return ours, theirs, note


def _words(profile: Profile, plan: Plan, load: int) -> int:
    """Words of a block: what plain decoding brings in its time, two steps at least.

    Above temperature 0 texts part ways, and how much of a few requests' guesses passes is luck: they get more of the time than crowds.
    """
    share = FEW_MORE * load**-0.25 if plan.temperature else 1.0
    rate = profile.at(plan.temperature).step_rate(load, 96, 0)
    return max(round(share * plan.seconds * load / rate.without_drafts(load)), 2 * load)


def _rounds(
    ours: Sequence[Subject],
    theirs: Sequence[Generate],
    words: int,
    plan: Plan,
    rng: np.random.Generator,
    said: Report,
    lock: AbstractContextManager | None,
) -> dict[str, list[Block | PeerBlock]]:
    """Everyone's blocks. In each round policies take their turns in an order drawn anew, with each peer's block somewhere between."""
    found: dict[str, list] = {one.name: [] for one in (*ours, *theirs)}
    turn = max(round(words / plan.turns), 1)
    for number in range(plan.blocks):
        order = [ours[i] for _ in range(plan.turns) for i in rng.permutation(len(ours))]
        for peer in theirs:
            if peer.load in COMPARED or number % SELDOM == 0:
                order.insert(int(rng.integers(len(order) + 1)), peer)
        for place, one in enumerate(order):
            said((number + place / len(order)) / plan.blocks, f"{one.name}, block {number + 1} of {plan.blocks}")
            if isinstance(one, Subject):
                one.turn(turn, lock)
            else:
                found[one.name].append(one.block(words, lock))
        for subject in ours:
            found[subject.name].append(subject.told())
    return found


def _row(subject: Subject, blocks: list[Block]) -> Row:
    median, spread = summary([block.tokens_per_s for block in blocks])
    steps, batch = sum(b.steps for b in blocks), sum(b.batch for b in blocks)
    return Row(
        load=subject.load,
        policy=subject.name,
        tokens_per_s=median,
        spread=spread,
        tokens_per_step=sum(b.tokens for b in blocks) / steps,
        batch_mean=batch / steps,
        wasted_share=sum(b.wasted for b in blocks) / batch,
        blocks=tuple(block.tokens_per_s for block in blocks),
    )


def _prediction(decided: dict[int, list[Block]], plain: list[Block]) -> Prediction | None:
    """decided: the scheduler's blocks by load; plain: those without drafts."""
    blocks = [block for part in decided.values() for block in part]
    return prediction(
        {load: [block.error for block in part] for load, part in decided.items()},
        [block.words_error for block in blocks],
        [block.seconds_error for block in blocks],
        [block.seconds_error for block in plain],
    )


def _peer(load: int, peer: Generate, blocks: list[PeerBlock]) -> Peer:
    rates = [block.tokens_per_s for block in blocks]
    return Peer(load, peer.name, *summary(rates), blocks=tuple(rates))
