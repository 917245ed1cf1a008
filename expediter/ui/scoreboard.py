"""The table of numbers under the stage, as HTML. Pure: numbers in, markup out; every piece of text is escaped."""

from collections.abc import Sequence
from html import escape

from expediter.core.clock import SIMULATED
from expediter.ui.captions import count, half_up, percent, rate
from expediter.ui.numbers import Rates, Step


def scoreboard(step: Step, rates: Rates, table_source: str, asides: Sequence[str] = ()) -> str:
    """What was expected beside what was measured, then where the words went, what was wasted and what else is to be said of the step."""
    last = "this step" if rates.steps == 1 else f"last {rates.steps} steps"
    rows = [
        ("Words in this step", f"{step.expected:.1f}", f"{step.got}"),
        ("Time of this step", _ms(step.expected_seconds), _ms(step.seconds)),
        (f"Words per second, {last}", rate(rates.predicted), rate(rates.measured)),
        ("The same for each user", f"{rates.predicted_each:.1f}", f"{rates.measured_each:.1f}"),
        ("The same if nothing were guessed", rate(rates.off), ""),
        ("The same if every guess were checked", "nothing was guessed" if rates.all is None else rate(rates.all), ""),
    ]
    simulated = table_source == SIMULATED
    outcome = "came out<small>words real, time simulated</small>" if simulated else "measured"
    told = (where_the_words_went(step), what_was_wasted(step), *((other_clock(step),) if simulated else ()), *asides)
    sums = "".join(f"<p>{escape(sentence)}</p>" for sentence in told)
    body = "".join(f"<tr><th scope='row'>{escape(name)}</th><td>{escape(a)}</td><td>{escape(b)}</td></tr>" for name, a, b in rows)
    return (
        "<div class='ex-board'><table>"
        f"<thead><tr><td></td><th scope='col'>expected<small>table {escape(table_source)}</small></th>"
        f"<th scope='col'>{outcome}</th></tr></thead>"
        f"<tbody>{body}</tbody></table>"
        f"<div class='ex-sums'>{sums}</div></div>"
    )


def where_the_words_went(step: Step) -> str:
    """One sentence: sent, passed, refused, behind a refusal, left."""
    if step.sent == 0:
        return (
            f"No guessed words were sent; {step.left} left on the dock. The batch had only the {step.orders} that the requests always send."
        )
    return (
        f"{count(step.sent, 'guessed word')} sent, {half_up(step.sent / step.orders, '0.1')} for each request: "
        f"{step.passed} passed, {step.refused} refused, {step.behind} behind a refused word. "
        f"{count(step.left, 'guessed word')} left on the dock. "
        f"The batch had {step.batch} words: {step.orders} that the requests always send, and the {step.sent} sent."
    )


def what_was_wasted(step: Step) -> str:
    """One sentence: the share of words read for nothing, and what that cost in time, which is less where the road is flat."""
    if step.refused + step.behind == 0:
        return "No word was read for nothing."
    words, time = percent(step.wasted_words), percent(step.wasted_time)
    but = "but only" if words != time and step.wasted_time < step.wasted_words else "and"
    return f"Read for nothing: {words} of the words in the batch, {but} {time} of the step's time."


def other_clock(step: Step) -> str:
    """Why this machine's own time is not in the table."""
    return f"This machine itself took {_ms(step.wall)} for the step. That is another clock: do not compare it with the simulated times."


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms"
