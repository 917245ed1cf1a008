"""A decision in words: what was sent, what the next draft would have brought, and what the ends of the curve would have given."""

import numpy as np

from expediter.core.case import Case
from expediter.core.plan import Plan
from expediter.core.step_rate import StepRate
from expediter.core.tables import FLAT

AROUND = 3  # admissions shown before and after the stop
MOST_LENGTHS = 16  # requests whose lengths are written out


def explain(plan: Plan, case: Case) -> str:
    """The plan as a few sentences and the part of the admission order around the stop. Lines end with newlines."""
    parts = [_sent(plan), "", _steps(plan), "", _why(plan, case), _ends(plan)]
    if warning := _flat(plan, case.step_rate):
        parts.append(warning)
    return "\n".join(parts) + "\n"


def _sent(plan: Plan) -> str:
    requests, candidates = len(plan.lengths), len(plan.gains)
    lengths = ", ".join(map(str, plan.lengths[:MOST_LENGTHS].tolist())) + (", …" if requests > MOST_LENGTHS else "")
    return (
        f"{_count(requests, 'request')} with {_count(candidates, 'draft')}: send {plan.stop}, by request {lengths}.\n"
        f"The target reads B = {plan.batch} tokens: {_count(requests, 'anchor')} and {_count(plan.stop, 'draft')}. It is expected to bring "
        f"τ = {plan.tau:.2f} tokens in {1000 * plan.step_seconds[plan.stop]:.3g} ms: Θ = {plan.theta:.4g} tokens/s."
    )


def _steps(plan: Plan) -> str:
    """The admission order around the stop, one line an admission."""
    first, last = max(plan.stop - AROUND, 0), min(plan.stop + AROUND, len(plan.gains))
    lines = ["  admitted  request  position  survival      B     ms  Θ tokens/s"]
    for k in range(first, last + 1):
        who = f"{plan.order[k - 1, 0]:7d}  {plan.order[k - 1, 1]:8d}  {plan.gains[k - 1]:8.3f}" if k else "      –         –         –"
        mark = "  ← stop" if k == plan.stop else ""
        lines.append(f"  {k:8d}  {who}  {len(plan.lengths) + k:5d}  {1000 * plan.step_seconds[k]:5.4g}  {plan.path[k]:10.4g}{mark}")
    return "\n".join(lines)


def _why(plan: Plan, case: Case) -> str:
    """Why loading stopped where it did."""
    if plan.reason == "exhausted":
        return "Why: nothing was left to admit." if len(plan.gains) else "Why: there was no draft with a survival above 0."
    if plan.reason == "budget":
        limit = (
            f"the budget of {case.budget}" if case.budget is not None and case.policy.kind != "stale" else "a budget from older confidences"
        )
        cold = " (assumed to be 1.0: a cold start)" if plan.cold else ""
        return f"Why: {limit}{cold} let in {_count(plan.stop, 'draft')}."
    if plan.reason == "policy":
        return f"Why: the policy {case.policy} decides without asking Θ."
    k = plan.stop
    request, position = plan.order[k]
    slower = plan.step_seconds[k + 1] - plan.step_seconds[k]
    more, longer = plan.gains[k] / plan.tau, slower / plan.step_seconds[k]
    sentence = (
        f"Why: the next draft (request {request}, position {position}) adds {plan.gains[k]:.3f} tokens, {_share(more)} of τ, and "
        f"{1000 * slower:.3g} ms, {_share(longer)} of the step: Θ would go from {plan.theta:.4g} to {plan.path[k + 1]:.4g}."
    )
    beyond = int(np.argmax(plan.path))
    if beyond > k and plan.path[beyond] > plan.theta:
        sentence += (
            f"\nBehind this dip Θ rises again, to {plan.path[beyond]:.4g} at {_count(beyond, 'draft')}. Early stop does not look there: "
            "a search that did would have seen the tokens it decides about."
        )
    return sentence


def _ends(plan: Plan) -> str:
    text = (
        f"Instead: nothing drafted {plan.theta_off:.4g}, drafted and nothing sent {plan.theta_none:.4g}, "
        f"everything sent {plan.theta_all:.4g} tokens/s."
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


def _share(value: float) -> str:
    return f"{100 * value:.2g} %"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
