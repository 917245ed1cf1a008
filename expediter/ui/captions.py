"""The sentences of the stage: words from assets/captions.json, numbers from the trace. No streamlit here."""

import json
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from itertools import pairwise
from pathlib import Path

from expediter.core.digits import count, plain
from expediter.core.trace import StepTrace

MOST = 1e15  # a rate from here on is rounded as it comes
CAPTIONS = Path(__file__).parents[2] / "assets" / "captions.json"


@cache
def templates() -> dict:
    """The whole of assets/captions.json. Read once a process."""
    return json.loads(CAPTIONS.read_text(encoding="utf-8"))


def rate(value: float) -> str:
    """Words or trips per second, as exact as a glance can use: whole from 10 on."""
    if not abs(value) < MOST:
        return f"{value:,.0f}"
    tenths, whole = half_up(value, "0.1"), half_up(value, "1")
    return f"{whole:,}" if tenths >= 10 else f"{tenths}"


def exact(value: float) -> str:
    """Words per second of a worked case, for whoever checks its sums: "1.134", "330.3", "5,872"."""
    return rate(value) if value >= 1000 else plain(value)


def percent(probability: float) -> str:
    """A probability in the reader's form: "62 %". Only what is certain reads as 0 % or 100 %; what nearly is gets more digits: "99.6 %"."""
    value = 100 * float(probability)
    if value in (0, 100):
        return f"{value:.0f} %"
    texts = (f"{value:.{digits}f}" for digits in range(3))
    nearly = "over 99.99 %" if value > 50 else "under 0.01 %"
    return next((f"{text} %" for text in texts if float(text) not in (0, 100)), nearly)


def small_percent(share: float) -> str:
    """The same for a share that may be a tiny one: "under 1 %"."""
    return "under 1 %" if 0 < share < 0.01 else percent(share)


def half_up(value: float, step: str) -> Decimal:
    """Rounded as the stage's own script does it: halves go up."""
    return Decimal(float(value)).quantize(Decimal(step), ROUND_HALF_UP)


def phase_captions(trace: StepTrace) -> dict[str, str]:
    """One sentence or two for each phase of this step."""
    words = templates()["phases"]
    survival = [a for r in trace.requests for a in r.survival]
    own = sum(r.own is not None for r in trace.requests)
    behind = trace.count("behind")
    refused = trace.count("refused")
    kind, _, level = trace.policy.partition(":")
    numbers = {
        "words": count(len(survival), "word"),
        "requests": count(trace.load, "request"),
        "depth": trace.depth,
        "drafted": drafted_depth(trace),
        "surest": percent(max(survival, default=0.0)),
        "shakiest": percent(min(survival, default=0.0)),
        "stop": count(trace.stop, "word"),
        "level": _level(kind, level),
        "batch": count(trace.batch, "word"),
        "sent": trace.batch - trace.load,
        "passed": trace.count("passed"),
        "refused": f"{refused} is" if refused == 1 else f"{refused} are",
        "got": count(trace.got, "word"),
        "own": own,
        "behind": _behind(behind),
    }
    drafted = ("fewer" if shallow(trace) else "words") if survival else "none" if trace.drafting or kind == "off" else "not drafting"
    chosen = {
        "draft": words["draft"][drafted],
        "score": words["score"],
        "sort": words["sort"],
        "load": words["load"].get(kind, words["load"]["early-stop"]) if survival else words["load"]["off"],
        "check": words["check"]["words" if numbers["sent"] else "none"],
        "deliver": words["deliver"]["each" if own == trace.load else "some"],
    }
    return {phase: text.format(**numbers) for phase, text in chosen.items()}


def drafted_depth(trace: StepTrace) -> int:
    """How many words in a row were guessed for each request."""
    return max((len(r.drafts) for r in trace.requests), default=0)


def shallow(trace: StepTrace) -> bool:
    """Whether the expediter itself had fewer words guessed than it might; a policy that always sends so many has not decided that."""
    return trace.policy == "early-stop" and 0 < drafted_depth(trace) < trace.depth


def end_sentence(trace: StepTrace) -> str:
    """Why loading ended where it did: the lesson when the score decided, an honest word when something else did."""
    ends, stop, path = templates()["end"], trace.stop, trace.path
    if len(path) == 1:
        return ends["none"].format(theta=rate(path[0]))
    if trace.reason == "exhausted":
        climbed = all(after > before for before, after in pairwise(path))
        return ends["exhausted" if climbed else "exhausted down"]
    if trace.reason == "peak" and stop < len(path) - 1:
        kind = "dip" if max(path) > path[stop] else "peak worth" if falls_short(trace) else "peak"
        return ends[kind].format(**next_word(trace), fall="fall" if path[stop + 1] < path[stop] else "not rise")
    known = trace.reason if trace.reason in ends else "policy"
    return ends[known].format(stop=count(stop, "word"), where=_where(trace))


def next_word(trace: StepTrace) -> dict[str, str]:
    """What the first word behind the stop would bring and take, and what its time is worth at the present score. There must be one."""
    k, path, seconds = trace.stop, trace.path, trace.step_seconds
    gain = path[k + 1] * seconds[k + 1] - path[k] * seconds[k]
    return {"words": f"{gain:.2f}", **worth(path[k], 1000 * (seconds[k + 1] - seconds[k]))}


def falls_short(trace: StepTrace) -> bool:
    """Whether loading stops before a word that brings less than its time is worth, with the digits that are shown."""
    if trace.reason != "peak" or trace.stop == len(trace.path) - 1:
        return False
    told = next_word(trace)
    return float(told["words"]) < float(told["worth"])


def worth(theta: float, ms: float) -> dict[str, str]:
    """What a reading that takes `ms` longer must bring at this score, with as many digits of the time as a reader's own product needs."""
    told = f"{theta * ms / 1000:.2f}"
    seen = float(rate(theta).replace(",", "")) / 1000
    shown = (f"{ms:.{digits}f}" for digits in (2, 3))
    return {"ms": next((text for text in shown if f"{seen * float(text):.2f}" == told), f"{ms:.3f}"), "worth": told}


def _where(trace: StepTrace) -> str:
    """Where the highest point of the curve lies, seen from the stop."""
    peak = max(range(len(trace.path)), key=trace.path.__getitem__)
    side = "here" if peak == trace.stop else "later" if peak > trace.stop else "earlier"
    return templates()["where"][side].format(theta=rate(trace.path[peak]), batch=trace.load + peak)


def _level(kind: str, level: str) -> str:
    """ "fixed:2" sends "2 words"; "threshold:0.5" sends from "50 %"; the others have no level."""
    if kind == "fixed" and level.isdigit():
        return count(int(level), "word")
    return percent(float(level)) if kind == "threshold" and level else level


def _behind(behind: int) -> str:
    """What the refusals take back, as a sentence."""
    texts = templates()["behind"]
    return texts["none" if behind == 0 else "one" if behind == 1 else "some"].format(behind=f"{behind:,}")
