"""The sentences of Same answer: words from assets/same_answer.json, numbers from the runs. No streamlit here."""

from collections.abc import Mapping
from statistics import median

from expediter.core.answers import SideBySide
from expediter.core.first_two import NONE, FirstTwo, Sampling
from expediter.core.goodness import ALPHA
from expediter.core.policy import Policy
from expediter.ui.ages import day
from expediter.ui.captions import count, small_percent
from expediter.ui.token_text import visible

SMALLEST = 1e-6  # smaller p-values are only called small


def p_value(p: float) -> str:
    """ "= .34", or "< .000001": a p-value with its sign."""
    return f"< {SMALLEST:f}" if p < SMALLEST else f"= {p:.2f}" if p >= 0.1 else f"= {p:.1g}" if p < 0.001 else f"= {p:.3f}"


def compared(run: SideBySide, text: Mapping) -> str:
    """How many words were set side by side, and how many differ."""
    ways = count(len(run.comparisons), "way") + " to decide"
    number = len(run.differences)
    told = {"compared": count(run.compared, "word"), "ways": ways, "differences": count(number, "place")}
    return text["some_differ" if number else "all_same"].format(**told)


def so_far(run: SideBySide, text: Mapping) -> str:
    """The same for a run that is under way."""
    return text["so_far"].format(sentence=compared(run, text)) if run.compared else text["not_yet"]


def rounding(run: SideBySide, text: Mapping) -> tuple[str, ...]:
    """Why texts part, and how close the two best words were there."""
    leads = [difference.lead for difference in run.differences]
    short = run.number_format == "bfloat16"
    if not leads:
        return (text["short"],) if short else ()
    middle = median(lead for answer in run.plain.values() for lead in answer.leads)
    said = text["short_lead" if short else "float_lead"].format(lead=f"{max(leads):.2g}", middle=f"{middle:.2g}")
    return (text["short"], said) if short else (said,)


def pair_label(joint: FirstTwo, words: Mapping[int, str], k: int) -> str:
    """The k-th pair of first words as a reader can see it: "Once · upon"."""
    if k == len(joint.tokens):
        return "all other pairs"
    first, second = joint.tokens[k].tolist()
    return visible(words[first]) + ("" if second == NONE else f" · {visible(words[second])}")


def verdict(run: Sampling, text: Mapping) -> str:
    """What the test says; nothing but how far it is before all samples are in."""
    p, told = run.fit.p_value, {"p": p_value(run.fit.p_value), "samples": count(run.drawn, "sample")}
    if not run.complete:
        return text["verdict_open"].format(drawn=f"{run.drawn:,}", planned=count(run.planned, "sample"), p=p_value(p).removeprefix("= "))
    if run.fit.cells < 2:
        return text["verdict_none"]
    if run.fit.fails:
        honest = run.rule == "honest" and Policy.parse(run.policy).lossless
        return text["verdict_bent_honest" if honest else "verdict_bent"].format(**told)
    share = text["share"].format(share=f"{100 * p:.0f}" if p >= 0.01 else "fewer than 1")
    return text["verdict_fits"].format(**{**told, "p": told["p"].removeprefix("= ")}, share=share)


def power(run: Sampling, text: Mapping) -> str:
    """What the test would have seen."""
    if run.visible is None:
        return text["power_none"]
    return text["power"].format(visible=f"{100 * run.visible:.1f} %")


def sent(run: Sampling, text: Mapping) -> str:
    """How often 0, 1, … guesses were sent, so that it is seen that all of them were at work."""
    total = max(sum(run.sent), 1)
    shares = [f"{length or 'none'} in {small_percent(n / total)}" for length, n in enumerate(run.sent) if n]
    return text["sent"].format(shares=", ".join(shares) or "no step yet")


def origin(recorded_at: str, machine: str, weights: str, now: str, text: Mapping) -> str:
    """When, where and from what a recording was made; `now` is the fingerprint of the weights that are there, empty if unknown."""
    name = "recorded" if not now or now == weights else "recorded_other"
    return text[name].format(machine=machine, date=day(recorded_at), weights=weights)


def trail_alt(run: Sampling) -> str:
    """The running p-value in words."""
    if not run.trail:
        return "The running p-value: no sample yet."
    lowest = min(p for _, p in run.trail)
    return (
        f"The p-value after so many samples, from {run.trail[0][0]:,} to {run.trail[-1][0]:,} of {run.planned:,} planned. "
        f"Its lowest value on the way is {lowest:.2g}, the last one {run.trail[-1][1]:.2g}; the limit is {ALPHA:g}."
    )


def cells_alt(run: Sampling, shown: int) -> str:
    """The counts in words: the likeliest pairs with how often they came and should."""
    rows = [
        f"{pair_label(run.joint, run.words, k)}: {run.counts[k]:,} counted, {run.joint.p[k] * run.drawn:,.0f} expected"
        for k in range(min(shown, len(run.joint.tokens)))
    ]
    return f"The likeliest pairs of first words among {count(run.drawn, 'sample')}. " + "; ".join(rows) + "."
