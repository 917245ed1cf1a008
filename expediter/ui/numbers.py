"""The numbers under the stage: pure functions of the steps that were shown. They know nothing of screens or engines."""

from collections.abc import Sequence
from dataclasses import dataclass

from expediter.core.clock import SIMULATED
from expediter.core.trace import StepTrace

WINDOW = 50  # steps that a rate is averaged over


@dataclass(frozen=True, slots=True)
class Step:
    """One step, as it was planned and as it came out. Counts are words (tokens); rates are words per second."""

    expected: float  # τ, words the plan promised
    got: int  # words committed
    expected_seconds: float  # the step-rate table's time for the whole step
    seconds: float  # the whole step on its own clock: as it was timed, without reading fresh prompts, or the simulated time
    wall: float  # the whole step as it was timed here, whatever clock it was planned on
    batch: int  # B, words the target read
    orders: int  # R, anchors among them
    sent: int
    passed: int
    refused: int
    behind: int
    left: int
    wasted_words: float  # (refused + behind) / B
    wasted_time: float  # (T(B) − T(B − wasted)) / T(B)


@dataclass(frozen=True, slots=True)
class Rates:
    """Words per second over the last steps with the same settings. None where a rate has nothing to stand on."""

    steps: int
    predicted: float
    measured: float
    off: float  # predicted without any drafts
    all: float | None  # predicted with every draft checked; None when nothing was drafted
    predicted_each: float  # words per second that one user feels
    measured_each: float
    stretch: float  # the steps' time on their own clock over the table's


def clocked(trace: StepTrace) -> float:
    """How long a step took on the clock it was planned on, seconds. Simulated and real seconds are never mixed."""
    return trace.step_seconds[trace.stop] if trace.table_source == SIMULATED else trace.seconds.step


def of_step(trace: StepTrace) -> Step:
    """What one step promised, brought and wasted."""
    fates = {fate: trace.count(fate) for fate in ("passed", "refused", "behind", "left")}
    wasted = fates["refused"] + fates["behind"]
    with_waste, without = trace.step_seconds[trace.stop], trace.step_seconds[trace.stop - wasted]
    return Step(
        expected=trace.tau,
        got=trace.got,
        expected_seconds=with_waste,
        seconds=clocked(trace),
        wall=trace.seconds.step,
        batch=trace.batch,
        orders=trace.load,
        sent=trace.batch - trace.load,
        wasted_words=wasted / trace.batch,
        wasted_time=(with_waste - without) / with_waste,
        **fates,
    )


def window(traces: Sequence[StepTrace]) -> list[StepTrace]:
    """The newest steps, at most WINDOW, that share the last one's settings and table: a rate must not mix two loads. Oldest first."""

    def alike(trace: StepTrace) -> tuple:
        return (trace.pair, trace.load, trace.policy, trace.temperature, trace.depth, trace.workload, trace.table, trace.machine)

    same = []
    for trace in reversed(traces[-WINDOW:]):
        if alike(trace) != alike(traces[-1]):
            break
        same.append(trace)
    return same[::-1]


def rates(traces: Sequence[StepTrace]) -> Rates:
    """Total words over total time, for the plan, for the clock, and for the two alternatives. `traces` as window gives them, not empty."""
    planned = sum(t.step_seconds[t.stop] for t in traces)
    seconds = sum(map(clocked, traces))
    drafted = [t for t in traces if t.order]
    all_seconds = sum(t.step_seconds[-1] for t in drafted)
    return Rates(
        steps=len(traces),
        predicted=sum(t.tau for t in traces) / planned,
        measured=sum(t.got for t in traces) / seconds,
        off=sum(t.load for t in traces) / sum(t.load / t.theta_off for t in traces),
        all=sum(t.theta_all * t.step_seconds[-1] for t in drafted) / all_seconds if drafted else None,
        predicted_each=sum(t.tau / t.load for t in traces) / planned,
        measured_each=sum(t.got / t.load for t in traces) / seconds,
        stretch=seconds / planned,
    )
