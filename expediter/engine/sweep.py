"""Sweep the load: every policy at every load on a live pair, interleaved. About a minute on two CPU cores."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime

import torch

from expediter.core.pairs import PairInfo, find
from expediter.core.pause import LEAST, REQUESTS
from expediter.core.policy import Policy
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.sweep import Point, Sweep
from expediter.core.weights import fingerprint
from expediter.engine.loader import Pair
from expediter.engine.loop import Engine
from expediter.engine.profiler import loads_for
from expediter.engine.relay import Relay, Stint, total, words_per_second

ROUNDS = 4
SECONDS = 1.0  # of one policy at one load, all rounds together
LEAST_STEPS = 2  # of a stint
AGE = 40  # steps until the first answers have ended
CONTEXT = 72  # tokens a request holds in the middle of a run

LIMITS = (1, 2, 3, 4, 6)  # by hand, as far as they lie below the whole depth

Report = Callable[[float, str], None]


def policies(depth: int) -> tuple[str, ...]:
    """What is compared: nothing, everything, limits by hand, a threshold, and the expediter."""
    return ("off", "all", *(f"fixed:{limit}" for limit in LIMITS if limit < depth), "threshold:0.5", "early-stop")


def sweep(
    pair: Pair,
    settings: Settings,
    profile: Profile,
    report: Report = lambda done, sentence: None,
    lock: AbstractContextManager | None = None,
    *,
    loads: Sequence[int] | None = None,
    seconds: float = SECONDS,
    info: PairInfo | None = None,
) -> Sweep:
    """Measure with the pair, depth, temperature, workload and seed of `settings`; its load and policy do not matter.

    report gets a share 0..1 and a sentence after every stint and may raise to end the work; lock is taken for one step at a time;
    seconds: about so much time for one policy at one load.
    """
    loads = sorted(loads or loads_for(pair.target.place), reverse=True)  # the fullest first: its requests go on, so they age only once
    settings = replace(settings, load=loads[0], policy="all")
    relay = Relay(Engine(pair, settings, profile, most=loads[0]), lock)
    settings = relay.engine.settings
    parts = 1 + len(loads)  # warming up takes about as long as a load
    for step in range(AGE):  # answers of every age, as in the middle of a long run
        report(step / AGE / parts, f"Warming up: step {step + 1} of {AGE}")
        relay.run("all", 1)
    points = []
    for done, load in enumerate(loads, 1):
        relay.serve(load)
        points += _at_load(relay, load, seconds, lambda share, done=done, load=load: report((done + share) / parts, _told(load)))
    place = pair.target.place
    return Sweep(
        pair=pair.name,
        weights=fingerprint(info or find(pair.name)),
        machine=str(place),
        device=str(place.device),
        dtype=place.name,
        threads=torch.get_num_threads(),
        table=relay.engine.table,
        depth=settings.depth,
        temperature=settings.temperature,
        workload=settings.workload,
        seed=settings.seed,
        measured_at=datetime.now(UTC).isoformat(timespec="seconds"),
        points=tuple(points),
    )


def _told(load: int) -> str:
    return f"Measuring {load} request{'s' if load > 1 else ''} at once…"


def _at_load(relay: Relay, load: int, seconds: float, progress: Callable[[float], None]) -> list[Point]:
    """Every policy at one load."""
    depth = relay.engine.settings.depth
    names = policies(depth)
    rate = relay.engine.costs.step_rate(load, CONTEXT, depth)
    typical = float(rate.step_seconds(load * (1 + depth // 2)))  # seconds of a step
    steps = max(LEAST_STEPS, round(seconds / ROUNDS / typical))
    for name in names:  # so many steps until the engine may judge whether drafting pays; one, where it never asks
        progress(0.0)
        relay.run(name, max(LEAST, REQUESTS // load) if Policy.parse(name).watches_theta else 1)
    stints: dict[str, list[Stint]] = {name: [] for name in names}
    for number in range(ROUNDS):
        for place, name in enumerate(names):
            stints[name].append(relay.run(name, steps))
            progress((number + (place + 1) / len(names)) / ROUNDS)
    return [_point(name, stints[name]) for name in names]


def _point(policy: str, stints: Sequence[Stint]) -> Point:
    steps, load = total(stints, "steps"), stints[0].load
    sent, words = total(stints, "sent"), total(stints, "words")
    rounds = [stint.words / stint.seconds for stint in stints]
    return Point(
        load=load,
        policy=policy,
        steps=steps,
        words_per_second=words_per_second(stints),
        low=min(rounds),
        high=max(rounds),
        on_table=words / total(stints, "table_seconds"),
        words_per_step=words / steps / load,
        sent=sent / steps / load,
        wasted=1 - total(stints, "passed") / sent if sent else 0.0,
        drafting=total(stints, "drafting") / steps,
    )
