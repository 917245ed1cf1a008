"""Every policy at one load, best first, as bars that can be read on a phone. Pure: sweep in, markup out; every piece of text is escaped."""

from collections.abc import Mapping
from html import escape

from expediter.core.sweep import Point, Sweep
from expediter.ui.captions import count, percent, rate
from expediter.ui.figures_rush import lines
from expediter.ui.policy_look import BEST, look, name

MINE = "early-stop"


def standings(sweep: Sweep, load: int) -> dict[str, Point]:
    """What every policy of the charts brought at this load, the fastest first; by policy, or BEST for the best limit by hand."""
    found = {policy: point for policy, points in lines(sweep).items() for point in points if point.load == load}
    return dict(sorted(found.items(), key=lambda item: -item[1].words_per_second))


def comparison(sweep: Sweep, load: int, text: Mapping) -> str:
    """A row a policy: its words per second as a bar from zero, its share of the best, what it sent, and what one user gets."""
    found = standings(sweep, load)
    best = max(point.words_per_second for point in found.values())
    rows = "".join(_row(policy, point, point.words_per_second / best, text) for policy, point in found.items())
    return f"<ol class='ex-standings' aria-label='{escape(text['compare_list'].format(load=count(load, 'request')))}'>{rows}</ol>"


def _row(policy: str, point: Point, share: float, text: Mapping) -> str:
    title = name(policy) if policy != BEST else f"{name(policy)} ({name(point.policy)})"
    tells = text["compare_row"].format(sent=f"{point.sent:.1f}", felt=rate(point.felt), low=rate(point.low), high=rate(point.high))
    kind = " class='ex-mine'" if policy == MINE else ""
    return (
        f"<li{kind}><b>{escape(title)}</b>"
        f"<span class='ex-rate'>{escape(text['compare_rate'].format(rate=rate(point.words_per_second), share=percent(share)))}</span>"
        f"<i class='ex-share' style='width:{100 * share:.1f}%;background:var(--xp-{look(policy).state.name})'></i>"
        f"<small>{escape(tells)}</small></li>"
    )


def noise_sentence(sweep: Sweep, load: int) -> str:
    """Which policies cannot be told from the fastest: their rounds overlap with its own. Empty where it stands alone."""
    (first, best), *others = standings(sweep, load).items()
    close = [name(policy) for policy, point in others if point.high >= best.low]
    if not close:
        return ""
    told = " and ".join([", ".join(f"“{one}”" for one in close[:-1]), f"“{close[-1]}”"] if len(close) > 1 else [f"“{close[0]}”"])
    stands = "stands" if len(close) == 1 else "stand"
    return f"{told} {stands} within the spread of the repeated rounds of “{name(first)}”: which of them is faster was not measured."
