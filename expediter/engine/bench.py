"""The benchmark: policies and peers on the same prompts, in one run, their turns shuffled so that no noise falls on one of them alone."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter

import numpy as np
import torch

from expediter.core.bars import SCHEDULER
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

LOADS = (1, 2, 4, 8, 16, 32, 64)
POLICIES = ("off", "all", "fixed:1", "fixed:2", "fixed:3", "early-stop", "whole-depth", "global", "stale", "best-plan", "oracle")
BUSY = 8  # loads from here on count for the time outside the models
WARM = 0.5  # blocks before the first that counts: requests must not all be at their beginning

Report = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run."""

    loads: tuple[int, ...] = LOADS
    policies: tuple[str, ...] = POLICIES
    temperature: float = 0.0
    depth: int = 5  # γ
    peers: bool = True
    blocks: int = 5  # of every policy and peer, at least 5 for a result that counts
    seconds: float = 0.8  # a block is as many words as plain decoding brings in this time
    workload: str = "mixed"
    seed: int = 1

    @classmethod
    def quick(cls, **changes) -> "Plan":
        """Short blocks at four loads: a look, with wider intervals."""
        return cls(**{"loads": (1, 4, 16, 64), "seconds": 0.4, **changes})


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

        ours, theirs, note = _field(pair, info, profile, plan, load)
        if note and note not in notes:
            notes.append(note)
        run = _rounds([*ours, *theirs], _words(profile, plan, load), plan, rng, said, lock)
        rows += [_row(subject, run[subject.name]) for subject in ours]
        found += [_peer(load, peer, run[peer.name]) for peer in theirs]
        if SCHEDULER in run:
            decided[load] = run[SCHEDULER]
        plain += run.get("off", [])
        with lock or nullcontext():  # throughout: it looks into the models, which others use as well
            overhead[load] = outside_share(_engine(pair, profile, plan, load, SCHEDULER))
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


def _engine(pair: Pair, profile: Profile, plan: Plan, load: int, policy: str) -> Engine:
    return Engine(pair, _settings(pair, plan, load, policy), profile)


def _field(pair: Pair, info: PairInfo, profile: Profile, plan: Plan, load: int) -> tuple[list[Subject], list[Generate], str]:
    """Everybody who runs at this load, and a sentence about who cannot."""
    ours = [Subject(pair, _settings(pair, plan, load, policy), profile) for policy in plan.policies]
    theirs, note = peers(pair, info, load, plan.workload, plan.temperature, plan.seed, plan.depth) if plan.peers else ([], "")
    return ours, theirs, note


def _words(profile: Profile, plan: Plan, load: int) -> int:
    """Words of a block: what plain decoding brings in its time, two steps at least."""
    rate = profile.at(plan.temperature).step_rate(load, 96, 0)
    return max(round(plan.seconds * load / float(rate.verify_seconds(load))), 2 * load)


def _rounds(
    field: Sequence[Subject | Generate], words: int, plan: Plan, rng: np.random.Generator, said: Report, lock: AbstractContextManager | None
) -> dict[str, list[Block | PeerBlock]]:
    """Every one's blocks, after half a block that does not count. In each round the turns are drawn anew."""
    found: dict[str, list] = {subject.name: [] for subject in field}
    for turn in range(plan.blocks + 1):
        for place, index in enumerate(rng.permutation(len(field))):
            subject = field[index]
            said(
                (turn + place / len(field)) / (plan.blocks + 1), f"{subject.name}, block {turn} of {plan.blocks}" if turn else "warming up"
            )
            if turn:
                found[subject.name].append(subject.block(words, lock))
            else:
                subject.block(max(round(WARM * words), 1), lock)
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
