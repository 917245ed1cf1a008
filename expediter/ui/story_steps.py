"""Which recorded steps tell the story best, and whose answer is shown. Pure: traces in, traces out."""

from collections.abc import Sequence

from expediter.core.settings import Settings
from expediter.core.trace import RequestTrace, StepTrace
from expediter.ui.captions import falls_short

SEVERAL = 6  # words of an answer with which the story can begin: each is one reading of the big model


def telling(traces: Sequence[StepTrace]) -> StepTrace | None:
    """The step that shows the rule at its clearest; None when the expediter loaded from no pile in any of them.

    Wanted, most important first: loading stops at the peak with words on both sides of it, some words pass, some are refused, the noise
    leaves no doubt about the stop, the answers have begun, the sum at the stop shows why. Then the answer that is shown: its guesses have
    met every fate, it has several words that can be read, and a word in place of a word.
    """
    usable = [trace for trace in traces if trace.policy == "early-stop" and trace.order]
    return max(usable, key=_clearness, default=None)  # the first of equals


def busier(traces: Sequence[StepTrace], told: StepTrace) -> StepTrace | None:
    """The step to compare with: everything like `told` but with more requests. None when there is none."""
    return telling([trace for trace in traces if _alike(trace) == _alike(told) and trace.load > told.load])


def hero(trace: StepTrace) -> int:
    """The slot of the request whose answer is shown: in the best case its guesses have met every fate, and it can be read."""

    def worth(slot: int) -> tuple:
        request = trace.requests[slot]
        fates = _fates(request)
        kinds = [fate in fates for fate in ("passed", "refused", "left")]
        plain = sum(word.strip().isalpha() for word in request.drafts)
        own, written = request.own is not None, min(len(request.before.split()), 12)
        return bool(request.tokens), sum(kinds), *kinds, "behind" in fates, own, plain, written

    return max(range(trace.load), key=worth)


def _clearness(trace: StepTrace) -> tuple:
    peak = max(range(len(trace.path)), key=trace.path.__getitem__)
    inside = trace.reason == "peak" and 0 < trace.stop < len(trace.order)
    begun = sum(bool(request.before.strip()) for request in trace.requests) * 2 >= trace.load
    shown = trace.requests[hero(trace)]
    readable = len(shown.before.split()) >= SEVERAL and "\n" not in shown.before
    worded = all(word.strip().isalpha() for word in (*shown.drafts[shown.accepted : shown.accepted + 1], shown.own or ""))
    passed, refused = trace.count("passed") > 0, trace.count("refused") > 0
    return inside, passed, refused, not trace.uncertain, peak == trace.stop, begun, falls_short(trace), len(_fates(shown)), readable, worded


def _fates(request: RequestTrace) -> set[str]:
    return {request.fate(j) for j in range(1, len(request.tokens) + 1)}


def _alike(trace: StepTrace) -> tuple:
    return trace.pair, trace.depth, trace.temperature, trace.workload, trace.machine


def settings_of(trace: StepTrace) -> Settings:
    """The settings that a step was made with, so that the live dock can go on from them."""
    return Settings(trace.pair, trace.load, trace.depth, trace.temperature, trace.workload, trace.policy, trace.seed)
