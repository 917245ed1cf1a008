"""The story: nine scenes on the stage, played in the browser. Python hands over everything once and hears back only at the end.

The stage's own script draws; assets/story/ holds what moves its playhead, the words around it and the reader's guess. Scene changes write
the address in the browser: nothing is rerun.
"""

from pathlib import Path

import streamlit as st

from expediter.ui.stage import ASSETS as STAGE
from expediter.ui.stage import SCRIPTS as STAGE_SCRIPTS
from expediter.ui.theme import css_variables

ASSETS = Path(__file__).parents[2] / "assets" / "story"
SCRIPTS = ("model", "letter", "guess", "scenes", "bar", "story")


def _read(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


_drawing = [_read(STAGE, f"{name}.js") for name in STAGE_SCRIPTS if name != "mount"]
_mount = st.components.v2.component(
    "expediter_story",
    html=_read(ASSETS, "story.html").replace("<!-- the stage -->", _read(STAGE, "stage.html")),
    css=css_variables() + _read(STAGE, "stage.css") + _read(STAGE, "van.css") + _read(ASSETS, "story.css"),
    js="\n".join(_drawing + [_read(ASSETS, f"{name}.js") for name in SCRIPTS]),
    isolate_styles=False,
)


def story(data: dict, *, key: str) -> bool:
    """Play the story of story_data.payload. True in the one run in which the reader asked for the live dock."""
    return bool(_mount(key=key, data=data, on_dock_change=lambda: None).dock)
