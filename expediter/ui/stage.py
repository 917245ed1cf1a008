"""The stage: one step of decoding as bars, curve and van under one playhead that runs in the browser.

Python hands over a whole step and hears back only when the reader wants another one. While a step plays, nothing is rerun.
The script's parts lie in assets/stage/ and are joined here in reading order; they share one scope and the last one exports it.
"""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from expediter.core.trace import StepTrace
from expediter.ui.stage_data import payload
from expediter.ui.theme import css_variables

ASSETS = Path(__file__).parents[2] / "assets" / "stage"
SCRIPTS = (
    "svg",
    "clock",
    "player",
    "bars",
    "strip",
    "curve",
    "labels",
    "cargo",
    "scene",
    "van",
    "dials",
    "sum",
    "words",
    "transport",
    "stage",
    "mount",
)


@dataclass(frozen=True, slots=True)
class StageEvent:
    """What the reader asked of Python. It arrives in exactly one run of the script."""

    kind: str  # "advance", "back" or "reset"
    step: int  # the step that was on screen
    revision: str  # the picture that was on screen
    id: str  # unique per request; the same id twice is the same wish


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


_mount = st.components.v2.component(
    "expediter_stage",
    html=_read("stage.html"),
    css=css_variables() + _read("stage.css") + _read("van.css"),
    js="\n".join(_read(f"{name}.js") for name in SCRIPTS),
    isolate_styles=False,
)


def stage(
    trace: StepTrace, *, key: str, revision: str | int, settle: str = "load", note: str = "", can_back: bool = False
) -> StageEvent | None:
    """Draw one step. Returns what the reader asked for in this run, or None.

    `key` must stay the same for the life of the page. `revision` must differ whenever the picture does: a new step, or the same step
    planned anew. `settle` says where the playhead stands when a picture arrives unasked ("start", "load" or "end"). `note` is the label
    that says where the step comes from, such as "recorded run". `can_back` lets the reader go back beyond the start of this step.
    Answer every event with a trace of another revision: the stage waits for it. Raises ValueError for an unknown `settle`.
    """
    data = payload(trace, revision=revision, settle=settle, note=note, can_back=can_back)
    result = _mount(key=key, data=data, on_event_change=lambda: None)
    return _event(result.event)


def heard(key: str) -> StageEvent | None:
    """What the reader asked for in this run, before the stage is drawn: so that the answer is drawn at once and not one run later.

    Each wish is heard once: a run of the script can come by twice, with the stage's own fragment and with one around it.
    """
    wish, last = _event(st.session_state[key].get("event")) if key in st.session_state else None, f"{key}_heard"
    if wish is None or wish.id == st.session_state.get(last):
        return None
    st.session_state[last] = wish.id
    return wish


def _event(event: dict | None) -> StageEvent | None:
    if not event:
        return None
    return StageEvent(kind=str(event["kind"]), step=int(event["step"]), revision=str(event["revision"]), id=str(event["id"]))
