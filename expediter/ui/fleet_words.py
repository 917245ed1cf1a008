"""What the fleet shows, in sentences, and its charts in words. Pure: runs in, text out."""

from collections.abc import Mapping
from html import escape

from expediter.ui.captions import count, rate, small_percent
from expediter.ui.durations import duration
from expediter.ui.fleet_run import Crowd, Day
from expediter.ui.policy_look import name
from expediter.ui.rush_words import course, rebound

EQUAL = 1.01  # rates nearer than this are not told apart
CLEAR = 1.05  # from here on one rate is clearly above another


def budget_sentence(crowds: Mapping[str, tuple[Crowd, ...]]) -> str:
    """What the crowd does to the budget of one request."""
    first, last = crowds["early-stop"][0], crowds["early-stop"][-1]
    if first.lanes == last.lanes:
        return f"The expediter sends {first.sent:.1f} words per request."
    risen = rebound({crowd.lanes: crowd.sent for crowd in crowds["early-stop"]})
    return (
        f"From {count(first.lanes, 'request')} to {last.lanes:,} at once the budget of one request {course(first.sent, last.sent)} words a "
        f"step.{risen} Nobody sets it: it follows from the table and the chances."
    )


def through_sentence(crowds: Mapping[str, tuple[Crowd, ...]]) -> str:
    """What the policies bring at the fullest crowd, and where checking everything stops paying."""
    last = {policy: line[-1].words_per_second for policy, line in crowds.items()}
    best = max(last, key=last.get)
    said = (
        f"With {crowds['off'][-1].lanes:,} at once the expediter brings {rate(last['early-stop'])} words per second, no guessing "
        f"{rate(last['off'])}, checking every word {rate(last['all'])}."
    )
    if best not in ("off", "all") and last[best] > EQUAL * last["early-stop"]:
        said += f" “{name(best).capitalize()}” brings the most there: {rate(last[best])}."
    slower = [off.lanes for off, every in zip(crowds["off"], crowds["all"], strict=True) if every.words_per_second < off.words_per_second]
    return f"{said} Checking every word is slower than no guessing from {slower[0]:,} at once on." if _tail(slower, crowds) else said


def dip_sentence(crowds: Mapping[str, tuple[Crowd, ...]]) -> str:
    """Where a budget that looks along the whole curve brings clearly more than stopping early does; empty where it never does."""
    both = list(zip(crowds["early-stop"], crowds["stale"], strict=True))
    mine, stale = max(both, key=lambda pair: pair[1].words_per_second / pair[0].words_per_second)
    if stale.words_per_second <= CLEAR * mine.words_per_second:
        return ""
    said = (
        f"With {mine.lanes:,} at once a budget from the step before brings {rate(stale.words_per_second)} words per second, the expediter "
        f"{rate(mine.words_per_second)}"
    )
    if stale.sent <= mine.sent:
        return f"{said}."
    return f"{said}: a budget may look past a dip of the table, the expediter never does. Bumpy roads shows why."


def _tail(slower: list[int], crowds: Mapping[str, tuple[Crowd, ...]]) -> bool:
    """Whether the crowds in which checking everything loses are the largest ones, without a gap."""
    sizes = [crowd.lanes for crowd in crowds["off"]]
    return bool(slower) and slower == sizes[-len(slower) :]


def day_table(day: Day) -> str:
    """How the policies came through the same arrivals, as HTML."""
    heads = "".join(f"<th scope='col'>{title}</th>" for title in ("who decides", "words per second", "one user gets", "still waiting"))
    rows = "".join(
        f"<tr><th scope='row'>{escape(name(policy))}</th><td>{rate(run.words_per_second)}</td><td>{rate(run.felt)}</td>"
        f"<td>{run.waiting[-1]:,}</td></tr>"
        for policy, run in day.runs.items()
    )
    return f"<div class='ex-board ex-ways'><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"


def swing_sentence(day: Day) -> str:
    """How the budget moves with the crowd within the day."""
    run = day.runs["early-stop"]
    each = run.sent / run.active
    middle = -(-int(run.active.min() + run.active.max()) // 2)
    half = run.active >= middle
    if half.all() or not half.any():
        return f"The crowd hardly changes, and the budget stays near {each.mean():.1f} words each."
    return (
        f"While {middle:,} requests or more are being served the expediter sends {each[half].mean():.1f} words per request, "
        f"in the quieter times {each[~half].mean():.1f}."
    )


def budget_alt(crowds: Mapping[str, tuple[Crowd, ...]]) -> str:
    """Words sent per request by policy and crowd."""
    return "Words sent per request against requests at once. " + _told(
        crowds, lambda crowd: f"{crowd.sent:.1f}", ("early-stop", "threshold:0.5", "stale")
    )


def through_alt(crowds: Mapping[str, tuple[Crowd, ...]]) -> str:
    """Words per second as a multiple of no guessing, by policy and crowd."""
    off = {crowd.lanes: crowd.words_per_second for crowd in crowds["off"]}
    told = _told(crowds, lambda crowd: f"{crowd.words_per_second / off[crowd.lanes]:.2f}", tuple(crowds))
    return f"Words per second as a multiple of no guessing, against requests at once. {told}"


def crowd_alt(day: Day) -> str:
    """The crowd of the day as a sentence."""
    run = day.runs["early-stop"]
    return (
        f"Requests being served over {duration(day.seconds)} of simulated time: between {run.active.min():,} and {run.active.max():,}, "
        f"{run.active.mean():,.0f} on average; at most {run.waiting.max():,} wait."
    )


def day_alt(day: Day) -> str:
    """The budget of the day as a sentence."""
    run = day.runs["early-stop"]
    each = run.sent / run.active
    return f"Words sent per request over the same time: between {each.min():.1f} and {each.max():.1f}, {each.mean():.1f} on average."


def resting_sentence(day: Day) -> str:
    """How often the expediter did not guess at all; empty where it always did."""
    share = 1 - day.runs["early-stop"].drafting.mean()
    return f"In {small_percent(share)} of its steps the expediter did not guess at all, because that paid more." if share else ""


def _told(crowds: Mapping[str, tuple[Crowd, ...]], value, policies: tuple[str, ...]) -> str:
    return " ".join(
        f"{name(policy).capitalize()}: {'; '.join(f'{value(crowd)} at {crowd.lanes:,}' for crowd in crowds[policy])}."
        for policy in policies
    )
