"""The numbers of the story's sentences: every one is read off a recorded step. No streamlit here."""

from expediter.core.trace import StepTrace
from expediter.ui.captions import count, falls_short, half_up, next_word, percent, rate
from expediter.ui.story_models import Models

VISIBLE = 0.1  # a tenth fewer can be seen in two bars beside each other
LITTLE = 1.6  # times as long: up to here several words are read in little more time than one
NEAR = 0.97  # of the expediter's words per second: that is very close


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
        "kept": guesses(trace.count("passed")),
        "passed": f"{trace.count('passed'):,} passed",
        "refused": f"{refused:,} refused",
        "behind": f"{behind:,} came back from behind a refusal",
        "left": f"{left:,}" if left else "None",
        "got": count(trace.got, "word"),
        "own": f"{sum(request.own is not None for request in trace.requests):,}",
        "alone": f"{trace.load:,}",
    }


def reading(models: Models, guesses: int) -> dict:
    """What a reading of one word and one of 1 + `guesses` takes, as it is said and drawn; empty where it is unknown or much longer."""
    if models.reading is None or not guesses or models.reading[1] > LITTLE * models.reading[0]:
        return {}
    one, several = models.reading
    words = 1 + guesses
    told = {"one_ms": ms(one), "several_ms": ms(several), "several": count(words, "word"), "singly_ms": f"{1000 * one * words:,.0f} ms"}
    return {**told, "words": words, "share": round(several / (one * words), 4)}


def of_next(trace: StepTrace) -> dict[str, str]:
    """Why the next word does not pay: what it brings, and what its time is worth at the present score.

    Empty where the step has no such word, or where two digits do not show the difference.
    """
    if not falls_short(trace):
        return {}
    told = next_word(trace)
    return {"gain": told["words"], "ms": f"{told['ms']} ms", "worth": told["worth"]}


def of_rush(quiet: StepTrace, busy: StepTrace) -> dict[str, str]:
    """Two loads side by side, compared by words per request: the stop on the batch axis moves right with the load and would mislead."""
    return {
        "requests": count(quiet.load, "request"),
        "many": count(busy.load, "request"),
        "few": f"{quiet.load:,}",
        "sent": f"{quiet.stop:,}",
        "sent_busy": f"{busy.stop:,}",
        "least": percent(least(quiet)),
        "least_busy": percent(least(busy)),
        "each": f"{half_up(each(quiet), '0.1')}",
        "each_busy": f"{half_up(each(busy), '0.1')}",
        "theta_busy": f"{busy.theta:,.0f}",
        "off_busy": f"{busy.theta_off:,.0f}",
        "empty_busy": ms(busy.step_seconds[0]),
        "empty": ms(quiet.step_seconds[0]),
    }


def each(trace: StepTrace) -> float:
    """Guessed words sent for one request, on average."""
    return (trace.batch - trace.load) / trace.load


def least(trace: StepTrace) -> float:
    """The chance of the shakiest guess aboard; 1 where none is."""
    if not trace.stop:
        return 1.0
    slot, position = trace.order[trace.stop - 1]
    return trace.requests[slot].survival[position - 1]


def dearer(quiet: StepTrace, busy: StepTrace) -> bool:
    """Whether a millisecond is worth more words in the busier step, and a guess had to be surer there."""
    return busy.theta > quiet.theta and least(busy) > least(quiet)


def fewer(quiet: StepTrace, busy: StepTrace) -> bool:
    """Whether the busier step sent fewer words per request, by so much that the story may rest on it."""
    return each(busy) <= (1 - VISIBLE) * each(quiet) and each(busy) < each(quiet)


def comparison(quiet: StepTrace, busy: StepTrace) -> list[dict]:
    """One row a load for the picture beside the van."""
    return [
        {
            "label": count(trace.load, "request"),
            "each": round(each(trace), 3),
            "most": most_guessed(trace),
            "text": f"{half_up(each(trace), '0.1')} of {guesses(most_guessed(trace))} go aboard for each",
            "share": f"the shakiest aboard: {percent(least(trace))}; in all {trace.stop:,} of {guesses(len(trace.order))}",
        }
        for trace in (quiet, busy)
    ]


def most_guessed(trace: StepTrace) -> int:
    """How many words were guessed for the request with the most of them."""
    return max(len(request.tokens) for request in trace.requests)


def verdicts(trace: StepTrace, words: dict) -> list[dict]:
    """For every place where a reader could stop: their words per second, and a sentence beside the expediter's. N + 1 entries."""
    best = trace.path[trace.stop]
    told = []
    for k, theta in enumerate(trace.path):
        yours, theirs = rate(theta), rate(best)
        side = "early" if k < trace.stop else "late"
        kind = "same" if k == trace.stop else "level" if yours == theirs else _kind(theta / best, side)
        gap = abs(_read(theirs) - _read(yours))  # of the numbers that are shown, so that the reader's own sum comes out
        values = {"yours": yours, "theirs": theirs, "gap": f"{round(gap, 1):,g}", "side": words["sides"][side]}
        told.append({"rate": yours, "sentence": words[kind].format(**values)})
    return told


def _kind(share: float, side: str) -> str:
    """Of the expediter's words per second: more, nearly as many, or fewer."""
    return "over" if share > 1 else "near" if share >= NEAR else side


def _read(shown: str) -> float:
    return float(shown.replace(",", ""))


def ms(seconds: float) -> str:
    """Milliseconds, as exact as a glance can use."""
    return f"{1000 * seconds:.1f} ms"


def guesses(number: int) -> str:
    """ "1 guess", "80 guesses"."""
    return "1 guess" if number == 1 else f"{number:,} guesses"
