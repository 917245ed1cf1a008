"""Numbers for people: to so many digits, written out, with their noun, and never two different ones that read the same."""

import math
from collections.abc import Iterable
from itertools import pairwise

DIGITS = 4
MOST_DIGITS = 10


def plain(value: float, digits: int = DIGITS) -> str:
    """A number to so many digits, whole ones all written out, never as 1e+03; zeros at the end of a fraction are left out."""
    if not value or not math.isfinite(value):
        return f"{value:g}"
    places = max(digits - 1 - math.floor(math.log10(abs(value))), 0)
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text


def count(number: float, noun: str) -> str:
    """ "1 word", "2 words", "2.5 words", "1,024 words"."""
    return f"{int(number) if number == int(number) else number:,} {noun}{'s' * (number != 1)}"


def told_apart(values: Iterable[float], digits: int = DIGITS) -> list[str]:
    """The numbers with as many digits as it takes for neighbours that differ to read differently, as far as that is sensible."""
    numbers = [float(value) for value in values]
    differ = sum(a != b for a, b in pairwise(numbers))
    for more in range(digits, MOST_DIGITS + 1):
        texts = [plain(number, more) for number in numbers]
        if sum(a != b for a, b in pairwise(texts)) >= differ:
            break
    return texts
