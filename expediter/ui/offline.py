"""Steps as one HTML file: stage, script and words in a page that asks nothing of any network. Pure: traces in, text out."""

import base64
import hashlib
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template

from expediter.core.trace import StepTrace
from expediter.ui import stage, words
from expediter.ui.links import words as share_words
from expediter.ui.stage_data import payload
from expediter.ui.theme import css_variables

ASSETS = Path(__file__).parents[2] / "assets"


def page(traces: Sequence[StepTrace], origin: str) -> str:
    """A whole HTML document that plays these steps, oldest first, and opens on the last. `origin` says where they come from.

    Raises ValueError without a step.
    """
    if not traces:
        raise ValueError("There is no step to save: wait for the first one and try again.")
    text, last = share_words()["offline"], traces[-1]
    place = {"step": last.step + 1, "pair": last.pair}
    script = _script()
    fields = {
        "title": text["title"].format(**place),
        "heading": text["heading"].format(**place),
        "promise": json.loads(_read("loading_dock.json"))["promise"],
        "origin": origin,
        "keys": text["keys"],
        "requests": text["requests"],
        "no_script": text["no_script"],
    }
    return Template(_read("share/offline.html")).substitute(
        {name: escape(value) for name, value in fields.items()},
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        style=_style(),
        stage=_read("stage/stage.html"),
        steps=_json([_step(traces, at, text["note"]) for at in range(len(traces))]),
        script=script,
    )


def _step(traces: Sequence[StepTrace], at: int, note: str) -> dict:
    """What the page draws of one step: the stage's payload and the requests."""
    label = note.format(at=at + 1, all=len(traces))
    drawn = payload(traces[at], revision=at, settle="load", note=label, can_back=at > 0)
    return {"stage": drawn, "words": {"letters": words.letters(traces[: at + 1]), "legend": words.legend()}}


def _style() -> str:
    return css_variables() + "".join(_read(name) for name in ("stage/stage.css", "stage/van.css", "words.css", "share/offline.css"))


def _script() -> str:
    """One classic script: a browser loads no modules from a file. Each component's parts keep a scope of their own."""
    staged = "\n".join(_read(f"stage/{name}.js") for name in stage.SCRIPTS)
    return (
        f"'use strict';\nconst mountStage = {_scope(staged)};\nconst mountWords = {_scope(_read('words.js'))};\n{_read('share/offline.js')}"
    )


def _scope(module: str) -> str:
    """A module's text as an expression: its one export, "export default function", is what comes out."""
    before, export, after = module.partition("export default function")
    if not export or "export " in after or "</script" in module:
        raise ValueError("A component's script must export exactly one function, as its default, and never spell a script's end.")
    return f"(() => {{\n{before}return function{after}\n}})()"


def _json(value: object) -> str:
    """JSON that can stand inside a script element: no character of it can end the element or begin a comment."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e")


def _hash(script: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")
