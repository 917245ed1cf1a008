"""What a sweep shows, in sentences that only say what is in it, and the charts in words. Pure: sweep in, text out."""

from collections.abc import Mapping
from itertools import combinations

from expediter.core.settings import Settings
from expediter.core.sweep import Point, Sweep
from expediter.ui.captions import count, percent, rate
from expediter.ui.figures_rush import lines
from expediter.ui.policy_look import name
from expediter.ui.rush_verdict import NEAR, RESTS, listed, rarely

CLEAR = 0.5  # words sent; a rise of less is not told


def crossing(sweep: Sweep) -> int | None:
    """The load from which on checking everything was slower than not guessing, at every load measured; None when it never was."""
    found = None
    for load in reversed(sweep.loads):
        if not _slower(sweep, load):
            break
        found = load
    return found


def _slower(sweep: Sweep, load: int) -> bool:
    return sweep.at("all", load).words_per_second < sweep.at("off", load).words_per_second


def crossing_sentence(sweep: Sweep) -> str:
    """Where checking everything stops paying, or that it never does."""
    at, loads = crossing(sweep), sweep.loads
    if at is None and any(_slower(sweep, load) for load in loads):
        told = listed([load for load in loads if _slower(sweep, load)])
        return f"Checking every word was slower than not guessing at {told} at once, but not at {loads[-1]}."
    if at is None:
        return f"Up to {count(loads[-1], 'request')} at once, checking every word was never slower than not guessing at all here."
    every, off = (rate(sweep.at(policy, loads[-1]).words_per_second) for policy in ("all", "off"))
    fullest = f"at {loads[-1]} it brings {every} words per second, no guessing {off}"
    if at == loads[0]:
        return f"Checking every word is slower than not guessing at every load measured: {fullest}."
    before = loads[loads.index(at) - 1]
    return f"Between {before} and {count(at, 'request')} at once, checking every word falls below not guessing at all: {fullest}."


def pace_sentence(sweep: Sweep) -> str:
    """How the expediter compares with the better of the two ends, at the lightest and the fullest load."""
    return " ".join(_pace(sweep, load) for load in dict.fromkeys((sweep.loads[0], sweep.loads[-1])))


def _pace(sweep: Sweep, load: int) -> str:
    mine = sweep.at("early-stop", load).words_per_second
    off, every = (sweep.at(policy, load).words_per_second for policy in ("off", "all"))
    return (
        f"With {count(load, 'request')} at once the expediter writes {rate(mine)} words per second, no guessing {rate(off)}, "
        f"checking every word {rate(every)}."
    )


def limit_sentence(sweep: Sweep) -> str:
    """Whether one limit by hand would do; empty where none was measured."""
    best = sweep.best_fixed()
    if not best:
        return ""
    limits = [int(point.policy.split(":")[1]) for point in best]
    if len(set(limits)) == 1:
        return f"Among limits by hand, {count(limits[0], 'word')} each came out best at every load here."
    told = ", ".join(f"{limit} at {point.load}" for limit, point in list(zip(limits, best, strict=True))[1:])
    first = f"{count(limits[0], 'word')} each with {count(best[0].load, 'request')} at once"
    return (
        f"The best limit by hand changes with the load ({first}, {told}), and somebody would have to set it anew each time. "
        "It is picked afterwards here, so luck is on its side."
    )


def sent_sentence(sweep: Sweep) -> str:
    """What the load does to the words per request, and to the batch."""
    points = sweep.line("early-stop")
    first, last = points[0], points[-1]
    if first.load == last.load:
        return f"The expediter sends {first.sent:.1f} words per request."
    said = f"From {first.load} to {last.load} requests at once, what the expediter sends {course(first.sent, last.sent)} words per request."
    said += rebound({point.load: point.sent for point in points})
    if last.drafting <= RESTS:
        told = rarely(last.drafting) if last.drafting else "has stopped guessing"
        said += f" At {last.load} it {told}: the standing orders alone fill the batch."
    elif last.sent < first.sent and last.batch > first.batch:
        said += (
            f" The batch still grows, from {first.batch:.0f} to {last.batch:.0f} words: on the batch axis the stop moves right, because "
            "every request brings a word of its own before any guess is loaded. So compare loads by words per request."
        )
    return said


def course(first: float, last: float) -> str:
    """ "falls from 5.0 to 1.5", "stays at 2.0": compared as they are written."""
    before, after = f"{first:.1f}", f"{last:.1f}"
    if before == after:
        return f"stays at {before}"
    return f"{'falls' if last < first else 'rises'} from {before} to {after}"


def rebound(sent: Mapping[int, float]) -> str:
    """Where what is sent falls with the load and rises again on the way, with the largest rise; empty where it does not. sent: by load"""
    loads = list(sent)
    if sent[loads[-1]] > sent[loads[0]]:
        return ""
    low, high = max(combinations(loads, 2), key=lambda pair: sent[pair[1]] - sent[pair[0]])
    if sent[high] - sent[low] < CLEAR:
        return ""
    return f" Not steadily: it is {sent[low]:.1f} at {low:,} and {sent[high]:.1f} at {high:,}."


def wasted_sentence(sweep: Sweep) -> str:
    """How much checking was in vain at the fullest load."""
    load = sweep.loads[-1]
    every, mine = sweep.at("all", load), sweep.at("early-stop", load)
    of_mine = f"of the expediter's, {percent(mine.wasted)}" if mine.sent else "the expediter checks none"
    return (
        f"With {count(load, 'request')} at once, {percent(every.wasted)} of the guesses that “check every word” checks do not pass; "
        f"{of_mine}."
    )


def frontier_sentence(sweep: Sweep) -> str:
    """Both ends of the expediter's line."""
    first, last = sweep.line("early-stop")[0], sweep.line("early-stop")[-1]
    if first.load == last.load:
        return ""
    return (
        f"From {first.load} to {last.load} at once the server goes from {rate(first.words_per_second)} to {rate(last.words_per_second)} "
        f"words per second, and one user from {rate(first.felt)} to {rate(last.felt)}."
    )


def gone_too_far(sweep: Sweep) -> Point | None:
    """The plain point of the fullest load, where no policy that always drafts comes near it; None where guessing pays."""
    load = sweep.loads[-1]
    off = sweep.at("off", load)
    drafted = [p for p in sweep.points if p.load == load and p.drafting > RESTS]
    rivals = max((p.words_per_second for p in drafted), default=None)
    return off if rivals is not None and off.words_per_second > (1 + NEAR) * rivals else None


def rest_sentence(sweep: Sweep) -> str:
    """The scene in which not drafting beats every plan, and whether the engine noticed; empty where guessing pays."""
    off = gone_too_far(sweep)
    if off is None:
        return ""
    rivals = [p for p in sweep.points if p.load == off.load and p.drafting > RESTS]
    best, mine = max(rivals, key=lambda p: p.words_per_second), sweep.at("early-stop", off.load)
    said = (
        f"With {count(off.load, 'request')} at once and {count(sweep.depth, 'word')} guessed for each, not guessing brings "
        f"{rate(off.words_per_second)} words per second; of the policies that guess, the best is “{name(best.policy)}” with "
        f"{rate(best.words_per_second)}. Making the guesses costs more than they bring."
    )
    if mine.drafting <= RESTS:
        said += (
            f" The engine notices: under the expediter it {rarely(mine.drafting)}, and brings {rate(mine.words_per_second)}. "
            "Now and then it guesses once, to see whether that has changed. The stage then says “not drafting”."
        )
    return said


def origin(sweep: Sweep, here: bool, when: str, text: Mapping) -> str:
    """Where the numbers come from."""
    label = text["origin_here" if here else "origin_recorded"]
    return label.format(
        when=when, machine=sweep.machine, depth=count(sweep.depth, "word"), temperature=f"{sweep.temperature:g}",
        workload=text["workloads"].get(sweep.workload, sweep.workload), weights=sweep.weights, table=sweep.table,
    )  # fmt: skip


def differs(sweep: Sweep, settings: Settings) -> bool:
    """Whether the reader chose other settings than the sweep was made with."""
    return (sweep.depth, sweep.temperature, sweep.workload) != (settings.depth, settings.temperature, settings.workload)


def rates_alt(sweep: Sweep) -> str:
    """Words per second by policy and load."""
    return f"Words per second against requests at once. {_told(sweep, lambda point: rate(point.words_per_second))}"


def ratio_alt(sweep: Sweep) -> str:
    """The same as multiples of no guessing."""
    off = {point.load: point.words_per_second for point in sweep.line("off")}
    return f"Words per second as a multiple of no guessing. {_told(sweep, lambda p: f'{p.words_per_second / off[p.load]:.2f}')}"


def sent_alt(sweep: Sweep) -> str:
    """Words sent per request by policy and load."""
    return f"Words sent per request and step against requests at once. {_told(sweep, lambda point: f'{point.sent:.1f}')}"


def wasted_alt(sweep: Sweep) -> str:
    """Share of checks in vain by policy and load."""
    return f"Share of the checked words that did not pass, against requests at once. {_told(sweep, lambda point: percent(point.wasted))}"


def frontier_alt(sweep: Sweep) -> str:
    """One user's speed and the server's, by policy and load."""
    return "Words per second of one user and of the whole server. " + _told(
        sweep, lambda point: f"{rate(point.felt)} and {rate(point.words_per_second)}"
    )


def _told(sweep: Sweep, value) -> str:
    return " ".join(
        f"{name(policy).capitalize()}: {'; '.join(f'{value(point)} at {point.load}' for point in points)}."
        for policy, points in lines(sweep).items()
    )
