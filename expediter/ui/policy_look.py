"""How each policy looks wherever several are drawn together: one name, colour, dash and mark each. No streamlit here."""

from dataclasses import dataclass

from expediter.core.policy import Policy
from expediter.ui.theme import STATES, State

BEST = "best-fixed"  # the limit by hand that turned out fastest, at each load another one
ORDER = ("early-stop", "off", "all", BEST, "fixed", "threshold", "stale", "global")


@dataclass(frozen=True, slots=True)
class Look:
    """One policy on a chart."""

    name: str  # the reader's words for it
    state: State  # whose colour it borrows
    dash: str
    symbol: str
    width: float = 2


LOOKS = {
    "early-stop": Look("expediter", STATES["loaded"], "solid", "circle", 4),
    "off": Look("no guessing", STATES["waiting"], "dash", "square-open"),
    "all": Look("check every word", STATES["refused"], "solid", "x"),
    BEST: Look("best limit by hand", STATES["own"], "dot", "diamond"),
    "fixed": Look("at most {level:.0f} each", STATES["own"], "longdash", "diamond-open"),
    "threshold": Look("chance at least {level:g}", STATES["behind"], "dashdot", "triangle-up"),
    "stale": Look("budget from the step before", STATES["left"], "longdashdot", "pentagon-open"),
    "global": Look("highest peak anywhere", STATES["passed"], "dashdot", "star-open"),
}


def look(spelling: str) -> Look:
    """A policy as the scheduler spells it, or BEST."""
    return LOOKS[BEST if spelling == BEST else Policy.parse(spelling).kind]


def name(spelling: str) -> str:
    """The reader's words for a policy: "expediter", "at most 2 each"."""
    level = 0.0 if spelling == BEST else Policy.parse(spelling).level
    return look(spelling).name.format(level=level)


def ordered(spellings: list[str]) -> list[str]:
    """The expediter first, then what it is compared with."""
    return sorted(spellings, key=lambda s: ORDER.index(s if s == BEST else Policy.parse(s).kind))
