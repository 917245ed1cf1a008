"""Freeze a step: everything that happened, as values that the screen, a file and a test can read."""

import numpy as np

from expediter.core.plan import Plan
from expediter.core.profile import margin_uncertain
from expediter.core.trace import PhaseSeconds, RequestTrace, StepTrace
from expediter.engine.acceptance import Verdict


def trace_step(
    engine,
    draft,
    confidence: np.ndarray,
    plan: Plan,
    verdict: Verdict,
    ended: np.ndarray,
    number: np.ndarray,
    start: np.ndarray,
    seconds: PhaseSeconds,
) -> StepTrace:
    """One StepTrace of the step that the engine has just committed. start [R] lengths before it"""
    s, pair, requests = engine.settings, engine.pair, engine.requests
    load, depth = confidence.shape
    survival = np.cumprod(confidence, axis=1)  # [R, γ]
    before = pair.texts([requests.tokens[r, requests.prompt_length[r] : start[r]] for r in range(load)])
    pieces = pair.pieces
    views = []
    for r in range(load):
        accepted, own = int(verdict.accepted[r]), int(verdict.own[r])
        got = int(requests.length[r] - start[r])  # an accepted end mark cuts what was behind it
        tokens = tuple(draft.tokens[r].tolist()) if depth else ()
        whole = got == accepted + 1
        views.append(
            RequestTrace(
                number=int(number[r]),
                workload=requests.workload[r],
                prompt=requests.prompt[r],
                before=before[r],
                tokens=tokens,
                drafts=tuple(pieces[t] for t in tokens),
                confidence=tuple(confidence[r].tolist()),
                survival=tuple(survival[r].tolist()),
                sent=int(plan.lengths[r]),
                accepted=accepted if whole else got,
                own=pieces[own] if whole else None,
                own_token=own if whole else None,
                ended=bool(ended[r]),
            )
        )
    return StepTrace(
        step=engine.steps,
        pair=pair.name,
        policy=s.policy,
        temperature=s.temperature,
        depth=s.depth,
        seed=s.seed,
        workload=s.workload,
        requests=tuple(views),
        order=tuple(map(tuple, plan.order.tolist())),
        path=tuple(plan.path.tolist()),
        step_seconds=tuple(plan.step_seconds.tolist()),
        stop=int(plan.stop),
        reason=plan.reason,
        drafting=depth > 0 or engine.policy.kind == "off",
        theta_off=plan.theta_off,
        theta_all=plan.theta_all,
        uncertain=margin_uncertain(plan, engine.costs.noise(load)),
        table=engine.table,
        table_source=engine.profile.source,
        machine=str(pair.target.place),
        seconds=seconds,
    )
