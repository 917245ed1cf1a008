"""The requests under the stage: each one's prompt and growing text, with the fate of every guessed word of the newest step.

Token text is data. It leaves Python as JSON and enters the page as text nodes, never as markup.
"""

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from expediter.core.trace import RequestTrace, StepTrace
from expediter.ui.theme import STATES, css_variables
from expediter.ui.token_text import NEWLINE, SPACE, UNPRINTABLE

BACK = 12  # earlier steps whose own and passed words are still told apart
ASSETS = Path(__file__).parents[2] / "assets"
TAB = "⇥"
UNCOMMITTED = ("refused", "behind", "left")


def pieces(request: RequestTrace, earlier: Sequence[RequestTrace]) -> list[dict]:
    """One request's answer as pieces {text, kind, position}, in reading order.

    `earlier` is the same request in the steps before, oldest first. kind is past, past-passed or past-own for what was there before
    this step; passed, correction or bonus for what this step committed; refused, behind or left for guesses that it did not.
    Positions count from 1; 0 is no guessed word.
    """
    told = [_piece(earlier[0].before, "past")] if earlier else []
    for step in earlier:
        told += [_piece("".join(step.drafts[: step.accepted]), "past-passed"), _piece(step.own or "", "past-own")]
    if "".join(piece["text"] for piece in told) != request.before:
        told = [_piece(request.before, "past")]  # a word can be spelled by two tokens together; then the steps cannot be told apart
    drafts = [_piece(text, request.fate(j), j) for j, text in enumerate(request.drafts, 1)]
    own = [] if request.own is None else [_piece(request.own, "correction" if request.sent > request.accepted else "bonus")]
    # The target's word stands where the reader will read on; the guesses that it replaced follow it.
    newest = drafts[: request.accepted] + _refused_first(drafts[request.accepted :], own)
    return [{**piece, "text": _shown(piece)} for piece in told + newest if piece["text"]]


def letters(seen: Sequence[StepTrace]) -> list[dict]:
    """What the component draws: every request of the last step of `seen`, in slot order."""
    shown, before = seen[-1], [{r.number: r for r in step.requests} for step in seen[-1 - BACK : -1]]
    drawn = []
    for slot, request in enumerate(shown.requests):
        earlier = [step[request.number] for step in before if request.number in step]
        drawn.append(
            {
                "slot": slot,
                "workload": request.workload,
                "prompt": request.prompt,
                "pieces": pieces(request, earlier),
                "ended": request.ended,
            }
        )
    return drawn


def legend() -> list[dict]:
    """The kinds of words with the theme's marks and labels, in the order in which a reader meets them."""
    own = STATES["own"]
    kinds = [{"kind": name, "mark": STATES[name].mark, "label": STATES[name].label} for name in ("passed", "refused", "behind", "left")]
    kinds.insert(1, {"kind": "bonus", "mark": own.mark, "label": own.label})
    kinds.insert(3, {"kind": "correction", "mark": own.mark, "label": "its own word in place of a refused one"})
    return kinds


def words(seen: Sequence[StepTrace], *, key: str) -> None:
    """Draw the requests of the newest of the seen steps."""
    _component()(data={"letters": letters(seen), "legend": legend()}, key=key)


@cache
def _component():
    css, js = (css_variables() + read("words.css"), read("words.js"))
    return st.components.v2.component("expediter_words", html="<div class='ex-words'></div>", css=css, js=js, isolate_styles=False)


def read(name: str) -> str:
    """A file of assets/ as text."""
    return (ASSETS / name).read_text(encoding="utf-8")


def _refused_first(rest: list[dict], own: list[dict]) -> list[dict]:
    """The refused guess, the word that replaces it, then what was behind or never sent."""
    refused = [piece for piece in rest if piece["kind"] == "refused"]
    return refused + own + [piece for piece in rest if piece["kind"] != "refused"]


def _piece(text: str, kind: str, position: int = 0) -> dict:
    return {"text": text, "kind": kind, "position": position}


def _shown(piece: dict) -> str:
    """A piece's text with signs for what has no picture. In the newest step blank words get a sign; only committed ones break the line."""
    text, kind = piece["text"], piece["kind"]
    if kind in UNCOMMITTED:
        text = text.replace("\n", NEWLINE)
    if not kind.startswith("past") and not text.strip():
        text = text.replace(" ", SPACE).replace("\n", f"{NEWLINE}\n").replace("\t", TAB)
    if text.isprintable():
        return text
    return "".join(UNPRINTABLE if c not in "\n\t" and (c == "\ufffd" or unicodedata.category(c)[0] == "C") else c for c in text)
