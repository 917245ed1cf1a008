"""Honest numbers in sentences, and its charts in words. Pure: figures in, text out; nothing is said that other numbers would make false."""

from collections.abc import Mapping

import numpy as np

from expediter.core.dial import Outcome
from expediter.core.honesty import Honesty
from expediter.core.metrics import Reliability
from expediter.ui.ages import day
from expediter.ui.captions import count, percent, rate
from expediter.ui.figures_honest import LUCK
from expediter.ui.honest_blocks import Shown
from expediter.ui.honest_costs import Costs
from expediter.ui.road_words import guesses

ALIKE = 0.005  # calibration errors nearer than this are the same


def origin(shown: Shown, temperature: float, kind: str, text: Mapping[str, str]) -> str:
    """Where the blocks come from, and at which temperature if it is not the chosen one."""
    of = shown.origin
    said = text["from_here" if shown.here else "from_recording"].format(
        blocks=count(len(shown.blocks), "block"), kind=kind, prompts=count(of.prompts, "prompt"), machine=of.machine,
        day=day(of.recorded_at), weights=of.weights, temperature=f"{shown.blocks.temperature:g}",
    )  # fmt: skip
    if shown.blocks.temperature != temperature:
        said += " " + text["nearest"].format(asked=f"{temperature:g}", temperature=f"{shown.blocks.temperature:g}")
    return said


def chain(chances: np.ndarray) -> str:
    """c and a of one request in a sentence: the product up to the last of these chances."""
    steps = " × ".join(f"{c:.2f}" for c in chances)
    last = len(chances)
    if last == 1:
        return f"Guess 1 has nothing before it: c and a are the same, {chances[0]:.2f}."
    every = "both" if last == 2 else f"all {last}"
    alone = f"Guess {last} passes with a chance of {chances[-1]:.2f}, if every guess before it did."
    return f"{alone} That {every} pass is another thing: {steps} = {chances.prod():.2f}. The expediter asks for that."


def fullest(bins: Reliability, event: str, position: int) -> str:
    """The bin that holds most, as a sentence that a newcomer can check against the chart."""
    b = int(bins.count.argmax())
    what = "guesses" if event == "c" or position == 1 else "chains of guesses"
    if bins.count[b] == 1:
        passed = "it did" if bins.observed[b] else "it did not"
        return f"No more than one of the {what} was given about the same chance: {percent(bins.predicted[b])}, and {passed} pass."
    came = f"{percent(bins.observed[b])} really did"
    return f"Of the {bins.count[b]:,} {what} that were said to pass with about {percent(bins.predicted[b])}, {came}."


def calibration(calibrated: Honesty, before: Honesty) -> str:
    """What calibration did to the error of a, on average over the positions, held against luck."""
    after, was = float(np.mean(calibrated.ece)), float(np.mean(before.ece))
    luck = f"An honest guesser would show about {calibrated.luck:.3f} on {count(calibrated.blocks, 'block')}, by luck alone."
    if abs(after - was) < ALIKE:
        return f"Before calibration the error was {was:.3f} on average, after it {after:.3f}: about the same on these blocks. {luck}"
    way = "smaller" if after < was else "larger, on these blocks"
    return f"Before calibration the error was {was:.3f} on average; after it, it is {way}: {after:.3f}. {luck}"


def ranking(calibrated: Honesty, truth: Honesty, position: int) -> str:
    """How well the chances tell passing guesses from refused ones at a position."""
    mine, best = calibrated.auc[position - 1], truth.auc[position - 1]
    if np.isnan(mine):
        return f"At position {position} all guesses fared alike, so there is no order to judge."
    return (
        f"Honest is not yet sharp: at position {position} the calibrated chances rank a passing guess above a refused one "
        f"{percent(mine)} of the time (AUC {mine:.3f}). The true chance, which nobody has before the check, would reach {best:.3f}."
    )


def budget(now: Outcome, honest: Outcome, depth: int) -> str:
    """How many guesses are sent, beside the calibrated chances."""
    sent = f"With these chances the expediter sends {now.sent:.2f} of {guesses(depth)} per request"
    return f"{sent}." if now is honest else f"{sent}; with the calibrated ones as they are, {honest.sent:.2f}."


def promise(now: Outcome) -> str:
    """Promised against real words per second."""
    gap = now.promised - now.came
    said = f"They promise {rate(now.promised)} words per second and bring {rate(now.came)}"
    if abs(gap) <= LUCK * now.error:
        return f"{said}: what was promised, within luck."
    share = abs(gap) / now.came
    return f"{said}: the promise is {percent(share)} too {'high' if gap > 0 else 'low'}."


def cost(gap: float, error: float, honest: Outcome, same: bool) -> str:
    """Words per second against the calibrated chances, with what luck can do."""
    if same:
        return "These are the calibrated chances themselves: the measure for all others."
    luck = f"± {100 * LUCK * error / honest.came:.1f} %"
    share = f"{100 * abs(gap) / honest.came:.1f} %"
    if abs(gap) <= LUCK * error:
        said = f"{signed(gap / honest.came)}, {luck}"
        return f"Against the calibrated chances that makes no difference that these blocks could show ({said})."
    return f"That is {share} {'less' if gap < 0 else 'more'} than the calibrated chances bring ({luck})."


def signed(share: float) -> str:
    """ "+1.4 %", "-0.3 %", and "0.0 %" without a sign."""
    shown = f"{100 * share:+.1f} %"
    return shown if float(shown[:-2]) else "0.0 %"


def best(costs: Costs, names: Mapping[int, str]) -> str:
    """Whether any notch beats the calibrated chances as they are, beyond luck."""
    notch = max(costs.notches, key=lambda notch: costs.notches[notch].came)
    gap, error = costs.leads[notch]
    if gap > LUCK * error:
        said = (
            f"On these blocks the dial at “{names[notch]}” brings {100 * gap / costs.honest.came:.1f} % more than the calibrated chances."
        )
        return f"{said} {_past_a_dip(costs, notch, error)}".strip()
    return "No notch of the dial brings more than the calibrated chances, beyond what luck could do."


def _past_a_dip(costs: Costs, notch: int, error: float) -> str:
    """That the table's dip is why, where a search along the whole curve with the calibrated chances sends and brings more, too."""
    honest, whole = costs.honest, costs.whole
    if min(whole.sent, costs.notches[notch].sent) <= honest.sent or whole.came - honest.came <= LUCK * error:
        return ""
    return (
        "That is the table's doing: by the calibrated chances loading stops at a dip, and these carry it past. A search along the whole "
        f"curve with the calibrated chances would bring {100 * (whole.came / honest.came - 1):.1f} % more. Bumpy roads shows such dips."
    )


def reliability_alt(calibrated: Reliability, other: Reliability, other_name: str, what: str) -> str:
    """Both curves as their largest gaps among the bins that hold enough."""
    return f"{what}: what was said against what came true. {_curve('Calibrated', calibrated)} {_curve(other_name.capitalize(), other)}"


def _curve(name: str, bins: Reliability) -> str:
    some = np.flatnonzero(bins.count >= max(1, bins.count.sum() // 50))
    gap = bins.observed[some] - bins.predicted[some]
    worst = some[int(np.abs(gap).argmax())]
    said, came = percent(bins.predicted[worst]), percent(bins.observed[worst])
    return f"{name}: {count(int(bins.count.sum()), 'prediction')}; the largest gap is where {said} was said and {came} came true."


def error_alt(calibrated: Honesty, other: Honesty, other_name: str) -> str:
    """Both errors by position."""
    mine, theirs = (", ".join(f"{value:.3f}" for value in figures.ece) for figures in (calibrated, other))
    curves = f"Calibrated: {mine}. {other_name.capitalize()}: {theirs}."
    return f"Calibration error of a by position. {curves} By luck alone: {calibrated.luck:.3f}."


def cost_alt(costs: Costs, names: Mapping[int, str]) -> str:
    """Promised and real, notch by notch."""
    parts = [f"{names[notch]}: promised {rate(o.promised)}, came {rate(o.came)}" for notch, o in costs.notches.items()]
    ends = f"No guessing: {rate(costs.off)}. Checking every guess: {rate(costs.everything)}."
    return f"Words per second by the dial. {'; '.join(parts)}. {ends}"


def lost_alt(costs: Costs, names: Mapping[int, str]) -> str:
    """The difference to the calibrated chances, notch by notch."""
    parts = [f"{names[notch]}: {signed(gap / costs.honest.came)}" for notch, (gap, _) in costs.leads.items()]
    return f"Words per second against the calibrated chances. {'; '.join(parts)}."


def sent_alt(costs: Costs, names: Mapping[int, str]) -> str:
    """The budget, notch by notch."""
    parts = [f"{names[notch]}: {outcome.sent:.2f}" for notch, outcome in costs.notches.items()]
    return f"Guesses sent per request by the dial. {'; '.join(parts)}."
