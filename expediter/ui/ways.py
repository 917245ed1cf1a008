"""The table that sets all ways to decide side by side on one road, as HTML. Pure; every piece of text is escaped."""

from collections.abc import Mapping
from dataclasses import replace
from html import escape

from expediter.core.plan import Plan
from expediter.core.policy import Policy
from expediter.core.step_rate import LOOKUPS
from expediter.ui.captions import count, percent, rate
from expediter.ui.controls import words
from expediter.ui.road_words import lossless, spelled
from expediter.ui.scenarios import Road

LOOKUP_TITLES = {"interp": "straight line (interpolate)", "ceil": "next larger size (ceil)", "floor": "next smaller size (floor)"}


def ways_table(road: Road, plans: Mapping[str, Plan], lag: int | None) -> str:
    """One row a policy: words sent, expected words per second and, for a recorded step, what came out. Best expectation marked."""
    best = max(plan.theta for plan in plans.values())
    rows = "".join(_row(way, plan, road, lag, plan.theta >= best) for way, plan in plans.items())
    outcome = "<th scope='col'>came out</th>" if road.trace else ""
    return (
        "<div class='ex-board ex-ways'><table><thead><tr><th scope='col'>who decides</th><th scope='col'>guesses sent</th>"
        f"<th scope='col'>expected words per second</th>{outcome}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def lookups_table(road: Road) -> str:
    """What early stop plans with each lookup of the same table, and what that plan brings where the hardware pads (ceil)."""
    padded = replace(road.rate, lookup="ceil")
    rows = []
    for lookup in LOOKUPS:
        plan = replace(road, rate=replace(road.rate, lookup=lookup)).plan("early-stop")
        paid = padded.step_seconds(plan.batch) if plan.order.size else padded.without_drafts(plan.batch)
        name = f"<th scope='row'>{escape(LOOKUP_TITLES[lookup])}</th>"
        rows.append(f"<tr>{name}<td>{plan.stop}</td><td>{spelled(road)(plan.theta)}</td><td>{spelled(road)(plan.tau / paid)}</td></tr>")
    return (
        "<div class='ex-board ex-ways'><table><thead><tr><th scope='col'>table read by</th><th scope='col'>guesses sent</th>"
        "<th scope='col'>it expects, words per second</th><th scope='col'>padded hardware gives</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(way: str, plan: Plan, road: Road, lag: int | None, best: bool) -> str:
    mark = " ★ <small>highest</small>" if best else ""
    name = f"<th scope='row'>{escape(title(way, plan.cold, lag))}<small>{escape(lossless(way, road, lag))}</small></th>"
    numbers = f"<td>{plan.stop}</td><td>{spelled(road)(plan.theta)}{mark}</td>"
    return f"<tr>{name}{numbers}{_outcome(plan, road)}</tr>"


def _outcome(plan: Plan, road: Road) -> str:
    replay = road.outcome(plan)
    if replay is None:
        return ""
    came = rate(replay.words / plan.step_seconds[plan.stop])
    if not replay.unknown:
        return f"<td>{came}</td>"
    return f"<td>≥ {came} <small>{escape(count(replay.unknown, 'request'))} unknown</small></td>"


def title(way: str, cold: bool = False, lag: int | None = None) -> str:
    """A policy's name for people, with its level or the age of its budget."""
    policy = Policy.parse(way)
    if policy.kind == "stale" and (cold or lag is not None):
        return "Budget, cold start" if cold else f"Budget, {count(lag, 'step')} old"
    said = words()["policies"][policy.kind]["title"]
    if policy.kind == "fixed":
        return f"{said}: {int(policy.level)}"
    return f"{said}: {percent(policy.level)}" if policy.kind == "threshold" else said
