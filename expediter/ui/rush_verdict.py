"""Whether a fixed rule goes wrong when the load changes, whether the expediter keeps up with the fastest one, and if not, why.

Pure: sweep in, sentences out. Nothing is said that the sweep does not show, whoever wins.
"""

from expediter.core.policy import Policy
from expediter.core.sweep import Point, Sweep
from expediter.ui.captions import count, percent, rate, small_percent
from expediter.ui.policy_look import name

NEAR = 0.03  # rates within 3 % of each other are called equal
RESTS = 0.5  # a policy that drafts in fewer of its steps has given guessing up
MINE = "early-stop"


def rule_sentence(sweep: Sweep) -> str:
    """What becomes of the rule that is fastest at the lightest load; empty for a sweep of one load."""
    first = sweep.loads[0]
    rule = fastest(sweep, first).policy
    ahead = f"Of the fixed rules “{name(rule)}” came out fastest with {count(first, 'request')} at once"
    gaps = {load: fastest(sweep, load).words_per_second / sweep.at(rule, load).words_per_second - 1 for load in sweep.loads[1:]}
    if not gaps:
        return ""
    worst = max(gaps, key=gaps.get)
    if gaps[worst] <= NEAR:
        return f"{ahead}, and stays within {percent(NEAR)} of the fastest at every load measured. A fixed rule does not go wrong here."
    better = fastest(sweep, worst)
    less = percent(1 - sweep.at(rule, worst).words_per_second / better.words_per_second)
    return f"{ahead}. Kept at {worst}, it brings {less} less than “{name(better.policy)}”: what is right for one load is wrong for another."


def follow_sentence(sweep: Sweep) -> str:
    """How the expediter compares with the fastest fixed rule of every load, picked afterwards."""
    gaps = {load: fastest(sweep, load).words_per_second / sweep.at(MINE, load).words_per_second - 1 for load in sweep.loads}
    behind = [load for load, gap in gaps.items() if gap > NEAR]
    if not behind:
        ahead = [load for load, gap in gaps.items() if 1 / (1 + gap) > 1 + NEAR]
        more = f" At {listed(ahead)} it is faster than all of them." if ahead else ""
        if len(gaps) == 1:
            return f"The expediter comes within {percent(NEAR)} of the fastest fixed rule, and nobody sets it.{more}"
        return f"The expediter follows: it comes within {percent(NEAR)} of the fastest fixed rule at every load, and nobody sets it.{more}"
    worst = max(behind, key=gaps.get)
    rival, mine = fastest(sweep, worst), sweep.at(MINE, worst)
    most = f", most at {worst}" if len(behind) > 1 else ""
    kept = "" if len(behind) == len(gaps) else " At the other loads it keeps up."
    return (
        f"A fixed rule came out faster than the expediter at {listed(behind)} at once{most}: “{name(rival.policy)}” writes "
        f"{rate(rival.words_per_second)} words per second there, the expediter {rate(mine.words_per_second)}, "
        f"{percent(1 - mine.words_per_second / rival.words_per_second)} less. {_spread(sweep, behind)} {why(sweep, mine, rival)}{kept} "
        "The fastest rule is picked afterwards at every load: beforehand somebody would have to know it."
    )


def why(sweep: Sweep, mine: Point, rival: Point) -> str:
    """What the sweep shows about why the expediter is behind this rule at this load."""
    other = name(rival.policy)
    if mine.drafting <= RESTS < rival.drafting:
        return f"The expediter {rarely(mine.drafting)} there: its earlier steps told it that guessing did not pay."
    if rival.on_table <= (1 + NEAR) * mine.on_table:
        told = f"By the step-rate table's times it would keep up, {rate(mine.on_table)} against {rate(rival.on_table)}"
        if mine.words_per_second < mine.on_table:
            return f"{told}: its steps took longer than the table that it decides by."
        return f"{told}: the steps of “{other}” were shorter than the table that it decides by."
    if mine.sent >= rival.sent and mine.words_per_step < rival.words_per_step:
        return (
            f"It sent {mine.sent:.1f} words for each request, “{other}” {rival.sent:.1f}, and yet a step brought each request "
            f"{mine.words_per_step:.2f} words against {rival.words_per_step:.2f}: luck has its part in {mine.steps} steps."
        )
    guessed = Policy.parse(rival.policy).depth(sweep.depth)
    if guessed < sweep.depth and mine.drafting > RESTS:
        words = "none" if not guessed else f"only {guessed}"
        return (
            f"A guess costs time whether it is sent or not: the expediter guesses up to {sweep.depth} words for each request and sent "
            f"{mine.sent:.1f}, “{other}” guesses {words}."
        )
    much = "few" if mine.sent < rival.sent else "many"
    return f"The expediter sent {mine.sent:.1f} words for each request, “{other}” {rival.sent:.1f}: by what was measured, too {much}."


def rarely(drafting: float) -> str:
    """How seldom a policy that has given guessing up still guessed: "guessed in only 3 % of its steps"."""
    if not drafting:
        return "guessed in none of its steps"
    return f"guessed in {'only ' if drafting >= 0.01 else ''}{small_percent(drafting)} of its steps"


def fastest(sweep: Sweep, load: int) -> Point:
    """Of the policies that look at no score, the one that came out fastest at this load."""
    return max((p for p in sweep.points if p.load == load and p.policy != MINE), key=lambda p: p.words_per_second)


def _spread(sweep: Sweep, behind: list[int]) -> str:
    """At which of these loads the slowest round of the fastest rule is faster than the expediter's fastest one."""
    clear = [load for load in behind if fastest(sweep, load).low > sweep.at(MINE, load).high]
    if not clear:
        return f"The repeated rounds overlap {'there' if len(behind) == 1 else 'at all of these loads'}, so noise has its part in it."
    if len(clear) == len(behind):
        return "That is more than the spread of the repeated rounds."
    return f"Only at {listed(clear)} is that more than the spread of the repeated rounds."


def listed(loads: list[int]) -> str:
    """1, 4 and 16"""
    told = [str(load) for load in loads]
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)
