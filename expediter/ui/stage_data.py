"""One StepTrace as the plain dictionary that the stage's script draws. Pure: no streamlit, no clock, no files but the captions.

The script decides nothing: what was loaded, refused or left is read off the trace here, and so is every number on the stage.
"""

from collections.abc import Iterator
from itertools import pairwise

from expediter.core.trace import RequestTrace, StepTrace
from expediter.ui.captions import end_sentence, phase_captions, templates
from expediter.ui.theme import STATES
from expediter.ui.token_text import visible

SETTLE = ("start", "load", "end")


def payload(trace: StepTrace, *, revision: str | int, settle: str = "load", note: str = "", can_back: bool = False) -> dict:
    """Everything that the stage shows of one step: JSON values only. N words in admission order, path and ms with N + 1 entries.

    `revision` names this picture: the script redraws when it differs. `settle` is where the playhead starts ("start", "load": the end of
    loading, "end"). Raises ValueError for another `settle`.
    """
    if settle not in SETTLE:
        raise ValueError(f'settle is "{settle}": it must be one of {", ".join(SETTLE)}.')
    path = trace.path
    return {
        "revision": str(revision),
        "settle": settle,
        "note": note,
        "canBack": can_back,
        "step": trace.step,
        "policy": trace.policy,
        "reason": trace.reason,
        "uncertain": trace.uncertain,
        "drafting": trace.drafting,
        "words": list(_words(trace)),
        "requests": [_request(slot, request) for slot, request in enumerate(trace.requests)],
        "path": [round(theta, 3) for theta in path],  # tokens/s              [N + 1]
        "ms": [round(1000 * s, 4) for s in trace.step_seconds],  # expected step time [N + 1]
        "rise": [(after > before) - (after < before) for before, after in pairwise(path)],  # 1, 0 or -1 [N]
        "candidates": len(trace.order),
        "stop": trace.stop,
        "peak": max(range(len(path)), key=path.__getitem__),
        "thetaOff": round(trace.theta_off, 3),
        "thetaAll": round(trace.theta_all, 3),
        "tau": round(trace.tau, 6),
        "got": trace.got,
        "spent": round(1000 * (trace.seconds.step + trace.seconds.prefill), 1),  # ms that the models took, fresh prompts included
        "captions": phase_captions(trace),
        "end": end_sentence(trace),
        "text": {name: templates()[name] for name in ("sum", "curve", "product", "aboard")},
        "states": [{"name": s.name, "label": s.label, "mark": s.mark} for s in STATES.values()],
    }


def _words(trace: StepTrace) -> Iterator[dict]:
    """Every drafted word: the candidates in admission order, then those whose survival is 0 and that no policy sends."""
    candidates = set(trace.order)
    drafted = ((r, j) for r, request in enumerate(trace.requests) for j in range(1, len(request.tokens) + 1))
    hopeless = sorted((place for place in drafted if place not in candidates), key=lambda place: (place[1], place[0]))
    for slot, position in (*trace.order, *hopeless):
        request = trace.requests[slot]
        yield {
            "r": slot,
            "j": position,
            "t": visible(request.drafts[position - 1]),
            "a": round(request.survival[position - 1], 6),  # so that no chance but a certain one reads as 100 %
            "c": round(request.confidence[position - 1], 4),
            "fate": request.fate(position),
        }


def _request(slot: int, request: RequestTrace) -> dict:
    """What one customer gets: accepted words and perhaps the target's own."""
    own = None if request.own is None else visible(request.own)
    return {"r": slot, "n": len(request.tokens), "accepted": request.accepted, "own": own, "got": request.committed}
