"""Many requests on their way through recorded texts."""

import numpy as np


class Walk:
    """Where requests stand in the texts."""

    def __init__(self, text: np.ndarray, seed: int) -> None:
        """text: which text each place belongs to [M]"""
        first = np.flatnonzero(np.diff(text, prepend=text[0] - 1))  # [T]  the place where each text begins
        self._first, self._rng = first, np.random.default_rng(seed)
        self._end = np.repeat([*first[1:], len(text)], np.diff(first, append=len(text)))  # [M]  behind the last place of the same text

    def begin(self, requests: int) -> np.ndarray:
        """The first place of some text for each. → [requests]"""
        return self._first[self._rng.integers(len(self._first), size=requests)]

    def anywhere(self, requests: int) -> np.ndarray:
        """Any place of any text for each, all equally likely. → [requests]"""
        return self._rng.integers(len(self._end), size=requests)

    def on(self, place: np.ndarray, words: np.ndarray) -> np.ndarray:
        """So many words further; from the end of a text to the beginning of another. place, words [R] → [R]"""
        there = place + words
        over = np.flatnonzero(there >= self._end[place])
        there[over] = self.begin(len(over))
        return there
