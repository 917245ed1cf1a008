"""A token is shown short and visible, whatever it holds."""

import pytest

from expediter.ui.token_text import visible


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (" forest", "forest"),
        ("", "␣"),
        ("   ", "␣"),
        ("\n", "⏎"),
        ("\n\n", "⏎⏎"),
        (".\n", ".⏎"),
        ("\x00a", "·a"),
        ("�", "·"),
        ("\u202eevil", "·evil"),  # would turn the line around
        ("<b>light</b>", "<b>light</b>"),  # shown as written: the page inserts text, never HTML
        (" a b", "a b"),
    ],
)
def test_visible(token: str, shown: str):
    assert visible(token) == shown
