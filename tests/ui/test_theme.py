"""Colours and marks: every state can be read and told apart without colour."""

import tomllib
from pathlib import Path

import pytest

from expediter.ui.theme import PAGE, PANEL, STATES, State, css_variables


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, 0..1 (WCAG 2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_knows_black_on_white():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("state", STATES.values(), ids=list(STATES))
def test_every_state_can_be_read_on_page_and_panel(state: State):
    for scheme, colour in (("light", state.light), ("dark", state.dark)):
        assert contrast(colour, PAGE[scheme]) >= 4.5
        assert contrast(colour, PANEL[scheme]) >= 4.5


def test_the_grounds_are_those_that_the_app_is_served_with():
    theme = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    for scheme in ("light", "dark"):
        assert (PAGE[scheme], PANEL[scheme]) == (theme[scheme]["backgroundColor"], theme[scheme]["secondaryBackgroundColor"])


def test_no_two_states_share_a_mark_or_a_colour():
    for part in ("mark", "light", "dark", "label"):
        assert len({getattr(state, part) for state in STATES.values()}) == len(STATES)


def test_every_state_reaches_the_style_sheet():
    assert all(f"--xp-{name}:light-dark({state.light},{state.dark})" in css_variables() for name, state in STATES.items())
