"""How one token is shown. Token text is untrusted: this makes it short and visible, the page then inserts it as text, never as HTML."""

import unicodedata

SPACE, NEWLINE, UNPRINTABLE = "␣", "⏎", "·"


def visible(text: str) -> str:
    """One token as a reader can see it: no spaces around it, a newline as ⏎, nothing but space as ␣, what has no picture as ·."""
    inner = text.strip(" \t\r")
    if not inner:
        return SPACE
    shown = "".join(NEWLINE if c == "\n" else UNPRINTABLE if unprintable(c) else c for c in inner)
    return " ".join(shown.split(" "))


def unprintable(character: str) -> bool:
    """Control, format (these can reverse a line), private and unassigned characters, and the mark of a broken byte."""
    return character == "�" or unicodedata.category(character)[0] == "C"
