"""Colours, marks and labels of what can become of a word: once, for the stage, the figures and the text. No streamlit here.

Every state has one colour in light, one in dark, and one mark, so that nothing depends on colour alone. Each colour reaches a contrast of
4.5 : 1 against the page and against a panel in its own scheme (tests/ui/test_theme.py measures it).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class State:
    """One thing that a word can be, on the dock, in the curve and in the text."""

    name: str  # key in payloads and CSS class names
    label: str  # the reader's words for it
    mark: str  # one character, the same everywhere
    light: str  # #rrggbb on a light page
    dark: str  # #rrggbb on a dark page


STATES = {
    state.name: state
    for state in (
        State("waiting", "waiting", "□", "#47637d", "#a3bdd6"),
        State("loaded", "loaded", "■", "#1f766d", "#4cc2b4"),
        State("left", "left on the dock, not checked", "▨", "#59626b", "#a9b2bb"),
        State("passed", "passed", "✓", "#14564c", "#8fe3cb"),
        State("refused", "refused", "✕", "#b2371f", "#ff9078"),
        State("behind", "behind a refusal, comes back", "↩", "#80570a", "#e8b958"),
        State("own", "the big model's own word", "●", "#4546a8", "#b4b6ff"),
    )
}

STOP = STATES["refused"]  # the stop line and the peak share the strong red
PAGE = {"light": "#faf8f4", "dark": "#12171d"}  # as .streamlit/config.toml says
PANEL = {"light": "#f4f0e9", "dark": "#1e262f"}  # the second background, harder to read on


def css_variables() -> str:
    """The states as CSS custom properties that follow the page's colour scheme: `--xp-passed: light-dark(…, …)` and so on."""
    lines = [f"--xp-{state.name}:light-dark({state.light},{state.dark});" for state in STATES.values()]
    return ":root{" + "".join(lines) + "}"
