"""The numbers of the story's sentences: every one is read off a recorded step. No streamlit here."""

from expediter.core.trace import StepTrace
from expediter.ui.captions import count, percent, rate

VISIBLE = 0.1  # a tenth fewer can be seen in two bars beside each other


def of_quiet(trace: StepTrace, slot: int) -> dict[str, str]:
    """What the scenes say about the step on stage and about the request in this slot."""
    survival = [a for request in trace.requests for a in request.survival]
    chances = trace.requests[slot].survival
    sent, refused, behind, left = trace.batch - trace.load, trace.count("refused"), trace.count("behind"), trace.count("left")
    return {
        "guesses": count(len(chances), "word"),
        "first": percent(chances[0]) if chances else "",
        "last": percent(chances[-1]) if chances else "",
        "requests": count(trace.load, "request"),
        "words": guesses(len(survival)),
        "surest": percent(max(survival, default=0.0)),
        "shakiest": percent(min(survival, default=0.0)),
        "empty": ms(trace.step_seconds[0]),
        "full": ms(trace.step_seconds[-1]),
        "batch": count(trace.batch, "word"),
        "sent": guesses(sent),
        "passed": f"{trace.count('passed'):,} passed",
        "refused": f"{refused:,} refused",
        "behind": f"{behind:,} came back from behind a refusal",
        "left": f"{left:,}" if left else "None",
        "got": count(trace.got, "word"),
    }


def of_next(trace: StepTrace) -> dict[str, str]:
    """Why the next word does not pay: what it brings, and what its time is worth at the present score.

    Empty where the step has no such word, or where two digits do not show the difference.
    """
    k = trace.stop
    if trace.reason != "peak" or k == len(trace.order):
        return {}
    more = trace.step_seconds[k + 1] - trace.step_seconds[k]
    gain = trace.path[k + 1] * trace.step_seconds[k + 1] - trace.path[k] * trace.step_seconds[k]
    shown = {"gain": f"{gain:.2f}", "ms": f"{1000 * more:.2f} ms", "worth": f"{trace.theta * more:.2f}"}
    return shown if float(shown["gain"]) < float(shown["worth"]) else {}


def of_rush(quiet: StepTrace, busy: StepTrace) -> dict[str, str]:
    """Two loads side by side, compared by words per request: the stop on the batch axis moves right with the load and would mislead."""
    return {
        "requests": count(quiet.load, "request"),
        "many": count(busy.load, "request"),
        "each": f"{each(quiet):.1f}",
        "each_busy": f"{each(busy):.1f}",
        "theta_busy": f"{busy.theta:,.0f}",
        "off_busy": f"{busy.theta_off:,.0f}",
        "empty_busy": ms(busy.step_seconds[0]),
        "empty": ms(quiet.step_seconds[0]),
    }


def each(trace: StepTrace) -> float:
    """Guessed words sent for one request, on average."""
    return (trace.batch - trace.load) / trace.load


def fewer(quiet: StepTrace, busy: StepTrace) -> bool:
    """Whether the busier step sent fewer words per request, by so much that the story may rest on it."""
    return each(busy) <= (1 - VISIBLE) * each(quiet) and each(busy) < each(quiet)


def comparison(quiet: StepTrace, busy: StepTrace) -> list[dict]:
    """One row a load for the picture beside the van."""
    return [
        {
            "label": count(trace.load, "request"),
            "each": round(each(trace), 3),
            "text": f"{each(trace):.1f} guessed words for each request",
            "share": f"{trace.stop:,} of {guesses(len(trace.order))} go aboard; {count(most_guessed(trace), 'word')} guessed for each",
        }
        for trace in (quiet, busy)
    ]


def most_guessed(trace: StepTrace) -> int:
    """How many words were guessed for the request with the most of them."""
    return max(len(request.tokens) for request in trace.requests)


def verdicts(trace: StepTrace, words: dict[str, str]) -> list[dict]:
    """For every place where a reader could stop: their words per second, and a sentence beside the expediter's. N + 1 entries."""
    best = trace.path[trace.stop]
    told = []
    for k, theta in enumerate(trace.path):
        yours, theirs = rate(theta), rate(best)
        kind = "same" if k == trace.stop else "level" if yours == theirs else "under" if theta < best else "over"
        side = "early" if k < trace.stop else "late"
        gap = abs(_read(theirs) - _read(yours))  # of the numbers that are shown, so that the reader's own sum comes out
        values = {"yours": yours, "theirs": theirs, "gap": f"{round(gap, 1):,g}", "side": words[side]}
        told.append({"rate": yours, "sentence": words[kind].format(**values)})
    return told


def _read(shown: str) -> float:
    return float(shown.replace(",", ""))


def ms(seconds: float) -> str:
    """Milliseconds, as exact as a glance can use."""
    return f"{1000 * seconds:.1f} ms"


def guesses(number: int) -> str:
    """ "1 guess", "80 guesses"."""
    return "1 guess" if number == 1 else f"{number:,} guesses"
