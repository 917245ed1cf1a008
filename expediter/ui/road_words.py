"""What a road does to the decision, in sentences, and the charts in words. Pure: plans in, text out."""

from collections.abc import Callable, Mapping

import numpy as np

from expediter.core.curve import Curve
from expediter.core.plan import Plan
from expediter.core.policy import Policy
from expediter.core.profile import margin_uncertain
from expediter.core.step_rate import StepRate
from expediter.core.tables import FLAT
from expediter.ui.captions import count, exact, percent, rate
from expediter.ui.durations import lapse
from expediter.ui.scenarios import Road

HIGHER = 1.001  # scores nearer than this are the same place
APART = 0.05  # measured points this far from the line, all to the same side, want to be explained
WIDE = 0.15  # a middle half of the repeats this wide, as a share of the time, was measured on a busy machine


def spelled(road: Road) -> Callable[[float], str]:
    """How this road's words per second are written: a worked case's exactly, so that its sums can be checked."""
    return rate if road.trace else exact


def decision(plan: Plan, rate: Callable[[float], str] = rate) -> str:
    """What the expediter does and why it stops there. rate: how words per second are written, as `spelled` gives it."""
    candidates = len(plan.gains)
    if candidates == 0:
        return f"There is no guess to load: {_speed(rate(plan.theta))}."
    does = f"The expediter loads {plan.stop} of {guesses(candidates)} and expects {_speed(rate(plan.theta))}."
    if plan.reason == "budget":
        return f"{does} The case's budget allows no more."
    if plan.reason != "peak":
        return f"{does} It never met a guess that did not raise the score, so nothing is left."
    gain = plan.gains[plan.stop]
    seconds = plan.step_seconds[plan.stop + 1] - plan.step_seconds[plan.stop]
    return f"{does} The next one would bring {gain:.2f} words more and make the step {lapse(seconds)} longer: the score would not rise."


def guesses(number: int) -> str:
    """ "1 guess", "2 guesses"."""
    return f"{number:,} {'guess' if number == 1 else 'guesses'}"


def findings(road: Road, plans: Mapping[str, Plan]) -> list[str]:
    """What an engineer should notice on this road, the worst first."""
    early, best, rate = plans["early-stop"], plans["global"], spelled(road)
    said = []
    if _flat(road):
        said.append(
            f"The table is flat over everything that this step can reach, so every guess, however unlikely, {_checked(early)}. "
            "That is what a table looks like that nobody has measured: the commonest failure in the field."
        )
    if early.theta_off > HIGHER * max(plan.theta for way, plan in plans.items() if way != "off"):
        said.append(
            f"Guessing does not pay here: without it the big model writes {_speed(rate(early.theta_off))}, more than any way "
            "of checking. A careful engine stops drafting."
        )
    if best.theta > HIGHER * early.theta:
        share = 100 * (best.theta / early.theta - 1)
        said.append(
            f"Caught at a dip: behind its stop the score climbs again, to {_speed(rate(best.theta))} at batch {best.batch}, "
            f"{share:.0f} % higher. {_peeking(road)}"
        )
    elif not _flat(road):
        said.append("One peak: a search along the whole curve would stop at the same score, so not looking further costs nothing here.")
    if early.theta_all < early.theta_off:
        said.append(f"Checking every guess ({rate(early.theta_all)}) is slower than checking none ({rate(early.theta_off)}).")
    if margin_uncertain(early, road.noise):
        said.append("The measured times are noisier than the score is steep here: take the stop as about right.")
    last = int(road.rate.batch[-1])
    if road.fullest > last:
        said.append(f"The table ends at batch {last:,}; beyond it the time is taken to grow in proportion to the batch.")
    return said


def _checked(plan: Plan) -> str:
    return "is checked" if plan.stop == len(plan.gains) else "would be checked if the budget allowed it"


def _speed(told: str) -> str:
    """A rate as it is written, with its unit."""
    return f"{told} {'word' if told == '1' else 'words'} per second"


def _peeking(road: Road) -> str:
    if road.temperature == 0:
        return "At temperature 0 looking ahead is safe, because nothing is drawn by chance."
    return (
        "But a search that looks there with the chances of these very words is not lossless above temperature 0; a budget from an earlier "
        "step is the safe way to it."
    )


def _flat(road: Road) -> bool:
    """Whether sending everything takes no longer than sending nothing."""
    empty, full = road.rate.verify_seconds(road.requests), road.rate.verify_seconds(road.fullest)
    return road.fullest > road.requests and full <= FLAT * empty


def lossless(way: str, road: Road, lag: int | None = None) -> str:
    """The mark behind a way to decide. A budget of age 0 is a search over the words' own chances."""
    kept = Policy.parse(way).lossless and not (way == "stale" and lag == 0)
    if kept:
        return "✓ lossless"
    return "✓ lossless at temperature 0" if road.temperature == 0 else "✗ not lossless above temperature 0"


def points_sentences(raw: Curve, fit: StepRate, requests: int) -> list[str]:
    """Why a machine's measured points may lie beside the line, and what wide bars mean; empty where they lie on it and are narrow.

    raw: points of the nearest load that was measured; fit: the line, for the step's own number of `requests`.
    """
    batch, median = np.array(raw.batch), np.array(raw.median)
    inside = (batch >= fit.batch[0]) & (batch <= fit.batch[-1])
    if not inside.any():
        return []
    said, off = [], float(np.median(fit.verify_seconds(batch[inside]) / median[inside])) - 1
    if abs(off) > APART and raw.requests != requests:
        said.append(_other_crowd(off, raw.requests, requests))
    width = float(np.median((np.array(raw.high) - np.array(raw.low)) / median))
    if width > WIDE:
        said.append(
            f"The bars are wide: half of the repeats differ by {percent(width)} and more. Something else kept the machine busy while this "
            "was measured. The line never rises and follows many points at once, so single ones may lie far from it. The Garage "
            "measures again."
        )
    return said


def _other_crowd(off: float, measured: int, requests: int) -> str:
    """Points of another number of requests than the line's: where they lie, and whether that number can be why."""
    where = f"The points lie about {percent(abs(off))} {'above' if off > 0 else 'below'} the line"
    if (off > 0) == (measured < requests):
        return (
            f"{where} because they belong to {count(measured, 'request')}: the line is for the {requests} of this step, between the two "
            "loads that were measured, and every request more costs time of its own."
        )
    return (
        f"{where}, although they belong to {count(measured, 'request')} and the line to the {requests} of this step: every request more "
        "costs time of its own, so it should be the other way round. Something else kept the machine busy while one of the two loads "
        "beside this step was measured. The Garage measures again."
    )


def speed_alt(road: Road) -> str:
    """The road as a sentence: three speeds."""
    empty, full = road.requests, road.fullest
    slow = 1 / road.rate.verify_seconds(full)
    fast = 1 / road.rate.verify_seconds(empty)
    return (
        f"Steps per second against batch size. With nothing loaded, batch {empty}: {fast:.1f} steps per second. "
        f"With everything loaded, batch {full}: {slow:.1f}. The table has {count(len(road.rate.batch), 'size')}, "
        f"from {road.rate.batch[0]:,} to {road.rate.batch[-1]:,}."
    )


def score_alt(plans: Mapping[str, Plan], rate: Callable[[float], str] = rate) -> str:
    """The score as a sentence: where it begins, where each way stops, where it ends."""
    early, best = plans["early-stop"], plans["global"]
    return (
        f"Expected words per second while guesses are loaded. Nothing loaded: {rate(early.path[0])}. The expediter stops at batch "
        f"{early.batch} with {rate(early.theta)}. The highest point is {rate(best.theta)} at batch {best.batch}. "
        f"Everything loaded: {rate(early.path[-1])}. No guessing at all: {rate(early.theta_off)}."
    )


def lag_alt(budgets: Mapping[str, Plan], early: Plan) -> str:
    """What each age of the budget sends and reaches."""
    parts = [f"age {age}: {plan.stop} sent, {rate(plan.theta)}" for age, plan in budgets.items()]
    return (
        f"Expected words per second by age of the budget. {'; '.join(parts)}. Without a budget the expediter reaches {rate(early.theta)}."
    )


def lag_sentence(lag: int, budgets: Mapping[str, Plan], text: dict) -> str:
    """What a budget of this age does on the step, or why it cannot."""
    if str(lag) not in budgets:
        return text["lag_cold"]
    if lag == 0:
        return text["lag_now"]
    sent, best = budgets[str(lag)].stop, budgets["0"].stop
    return text["lag_same" if sent == best else "lag_old"].format(lag=count(lag, "step"), sent=guesses(sent), best=best)
