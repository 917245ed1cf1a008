"""What the reader looks at on Honest numbers: kept from page to page, in the address bar, and clamped to what there is."""

from collections.abc import Mapping, Sequence

import streamlit as st

from expediter.ui.remembered import Remembered

KEY = "honest"  # begins the name of every widget here
CHOICES = Remembered(KEY)
EVENTS = ("a", "c")
OTHERS = ("before", "draft_probability", "chance")
KINDS = ("confidence", *OTHERS)
NOTCHES = tuple(range(-4, 5))  # the dial; two notches double or halve the logits


def strength(notch: int) -> float:
    """What the dial multiplies the logits by."""
    return 2.0 ** (notch / 2)


def event(text: Mapping) -> str:
    """Which of the two chances: "a" or "c"."""
    index = EVENTS.index(CHOICES.find("event", EVENTS, "a"))
    return CHOICES.keep(
        "event", st.radio(text["event"], EVENTS, index, format_func=text["events"].get, key=f"{KEY}_event", horizontal=True)
    )


def position(text: Mapping, depth: int) -> int:
    """k, from 1 to γ."""
    if depth == 1:
        return 1
    positions = range(1, depth + 1)
    usual = CHOICES.find("position", positions, min(3, depth))
    return CHOICES.keep(
        "position", st.slider(text["position"], 1, depth, usual, key=f"{KEY}_position_{depth}", help=text["position_help"], width=260)
    )


def other(text: Mapping) -> str:
    """What the calibrated chances are compared with."""
    return _select("other", text["other"], OTHERS, "before", text, 280)


def whose(text: Mapping) -> str:
    """Whose chances the dial distorts."""
    return _select("whose", text["whose"], KINDS, "confidence", text, 280)


def dial(text: Mapping) -> int:
    """Which notch the dial is on."""
    usual = CHOICES.find("dial", NOTCHES, 0)
    ends = text["dial_ends"]

    def named(notch: int) -> str:
        return f"{notch_name(notch, text)}{ends.get(str(notch), '')}"

    shown = st.select_slider(text["dial"], NOTCHES, usual, named, key=f"{KEY}_dial", help=text["dial_help"])
    return CHOICES.keep("dial", shown)


def notch_name(notch: int, text: Mapping) -> str:
    """ "÷ 2", "as is", "× 1.4"."""
    return f"{'÷' if notch < 0 else '×'} {strength(abs(notch)):.2g}" if notch else text["dial_middle"]


def _select(name: str, label: str, options: Sequence[str], usual: str, text: Mapping, width: int) -> str:
    index = options.index(CHOICES.find(name, options, usual))
    return CHOICES.keep(
        name,
        st.selectbox(label, options, index, format_func=text["kinds"].get, key=f"{KEY}_{name}", help=text[f"{name}_help"], width=width),
    )
