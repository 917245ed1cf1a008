"""A decision in words: what was sent, what the next draft would have brought, and what the ends of the curve would have given."""

import numpy as np

from expediter.core.case import Case
from expediter.core.digits import count, plain, told_apart
from expediter.core.plan import Plan
from expediter.core.step_rate import StepRate
from expediter.core.tables import FLAT

AROUND = 3  # admissions shown before and after the stop
MOST_LENGTHS = 16  # requests whose lengths are written out


def explain(plan: Plan, case: Case) -> str:
    """The plan as a few sentences and the part of the admission order around the stop. Lines end with newlines."""
    parts = [_sent(plan), "", _steps(plan), "", _why(plan, case), _ends(plan)]
    if not case.policy.lossless:
        parts.append("A global search looks at confidences behind its stop: above temperature 0 this bends the answers (Appendix A).")
    if warning := _flat(plan, case.step_rate):
        parts.append(warning)
    return "\n".join(parts) + "\n"


def _sent(plan: Plan) -> str:
    requests, candidates = len(plan.lengths), len(plan.gains)
    lengths = ", ".join(map(str, plan.lengths[:MOST_LENGTHS].tolist())) + (", …" if requests > MOST_LENGTHS else "")
    return (
        f"{count(requests, 'request')} with {count(candidates, 'draft')}: send {plan.stop}, by request {lengths}.\n"
        f"The target reads B = {count(plan.batch, 'token')}: {count(requests, 'anchor')} and {count(plan.stop, 'draft')}. "
        f"Expected: τ = {plain(plan.tau)} tokens in {plain(1000 * plan.step_seconds[plan.stop])} ms: Θ = {plain(plan.theta)} tokens/s."
    )


def _steps(plan: Plan) -> str:
    """The admission order around the stop, one line an admission."""
    first, last = max(plan.stop - AROUND, 0), min(plan.stop + AROUND, len(plan.gains))
    shown = range(first, last + 1)
    columns = [
        ["admitted", *map(str, shown)],
        ["request", *(str(plan.order[k - 1, 0]) if k else "–" for k in shown)],
        ["position", *(str(plan.order[k - 1, 1]) if k else "–" for k in shown)],
        ["survival", *(_chance(plan.gains[k - 1]) if k else "–" for k in shown)],
        ["B", *(str(len(plan.lengths) + k) for k in shown)],
        ["ms", *told_apart(1000 * plan.step_seconds[k] for k in shown)],
        ["Θ tokens/s", *told_apart(plan.path[k] for k in shown)],
    ]
    widths = [max(map(len, column)) for column in columns]
    lines = ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in zip(*columns, strict=True)]
    lines[1 + plan.stop - first] += "  ← stop"
    return "\n".join(lines)


def _why(plan: Plan, case: Case) -> str:
    """Why loading stopped where it did."""
    old = "a budget from older confidences" + (" (assumed to be 1.0: a cold start)" if plan.cold else "")
    if case.policy.kind == "off":
        return "Why: the policy off drafts nothing."
    if not len(plan.gains):
        return "Why: there was no draft with a survival above 0."
    if plan.reason == "exhausted":
        paid = "every draft raised Θ, and " if case.policy.kind == "early-stop" else ""
        more = f": {old} let in everything. {_best(plan)}" if case.policy.kind == "stale" else "."
        return f"Why: {paid}nothing was left to admit{more}"
    if plan.reason == "budget":
        limit = f"the budget of {case.budget}" if case.budget is not None and case.policy.kind != "stale" else old
        return f"Why: {limit} let in {count(plan.stop, 'draft')}. {_best(plan)}"
    if plan.reason == "policy":
        return f"Why: the policy {case.policy} decides without asking Θ. {_best(plan)}"
    k = plan.stop
    request, position = plan.order[k]
    slower = plan.step_seconds[k + 1] - plan.step_seconds[k]
    more, longer = told_apart((100 * plan.gains[k] / plan.tau, 100 * slower / plan.step_seconds[k]), 2)
    now, then = told_apart(plan.path[k : k + 2])
    would = f"go from {now} to {then}" if now != then else f"stay at {now}"
    sentence = (
        f"Why: the next draft (request {request}, position {position}) adds {_chance(plan.gains[k])} tokens, {more} % of τ, and "
        f"{plain(1000 * slower, 3)} ms, {longer} % of the step: Θ would {would}."
    )
    beyond = int(np.argmax(plan.path))
    if beyond > k and plan.path[beyond] > plan.theta:
        sentence += (
            f"\nBehind this dip Θ rises again, to {plain(plan.path[beyond])} at {count(beyond, 'draft')}. Early stop does not look there: "
            "a search that did would have seen the tokens it decides about."
        )
    return sentence


def _best(plan: Plan) -> str:
    """What the whole order offers where Θ did not choose the stop."""
    best = int(np.argmax(plan.path))
    if plan.path[best] <= plan.theta:
        return "No other stop in this order has a higher Θ."
    there, here = told_apart((plan.path[best], plan.theta))
    return f"In this order Θ is highest at {count(best, 'draft')}: {there} tokens/s instead of {here}."


def _ends(plan: Plan) -> str:
    text = (
        f"Instead: nothing drafted {plain(plan.theta_off)}, drafted and nothing sent {plain(plan.theta_none)}, "
        f"everything sent {plain(plan.theta_all)} tokens/s."
    )
    if plan.theta_off > plan.theta:
        text += " Not drafting at all would be faster here."
    return text


def _flat(plan: Plan, rate: StepRate) -> str:
    """A warning where the table says nothing about size."""
    none, everything = rate.verify_seconds(np.array([len(plan.lengths), len(plan.lengths) + max(len(plan.gains), 1)]))
    if everything > FLAT * none or len(plan.gains) < 2:
        return ""
    return "The table is flat over these sizes: on it every draft looks free. If it was never measured, measure it."


def _chance(value: float) -> str:
    """A survival with three places; of a smaller one its first two digits."""
    return f"{value:.3f}" if value >= 0.0005 else plain(value, 2)
