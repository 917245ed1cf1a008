"""Runs of Same answer that nobody made: small, with invented numbers, for tests of files, figures and pages."""

from dataclasses import replace

import numpy as np

from expediter.core.answer_file import AnswerFile
from expediter.core.answers import POLICIES, PlainAnswer, ServedAnswer, SideBySide, compare
from expediter.core.first_two import NONE, FirstTwo, Sampling
from expediter.core.settings import DEFAULT_PAIR

WORDS = {1: "Once", 2: " upon", 3: " a", 4: " <b>fox</b>", 5: "\n", 9: "<|end|>"}


def side_by_side(number_format: str = "float32", parted: bool = False, requests: int = 5) -> SideBySide:
    """Two kinds of answers; with `parted`, the second request's differ at its third token under every policy that guesses."""
    plain = {n: PlainAnswer(n, "stories", f"Story {n} & more", (1, 2, 3, 4, 9), (2.0, 1.5, 0.01, 3.0, 1.0)) for n in range(requests)}
    same = {n: ServedAnswer(n, (1, 2, 3, 4, 9), (True, True, False, True, False), 2) for n in plain}
    served = {policy: dict(same) for policy in POLICIES}
    if parted:
        for policy in POLICIES[:-1]:
            served[policy][1] = ServedAnswer(1, (1, 2, 5, 2, 1), (True, False, True, False, False), 3)
    comparisons = {policy: compare(policy, plain, answers) for policy, answers in served.items()}
    return SideBySide(DEFAULT_PAIR, number_format, requests, 5, f"{number_format} · dice", plain, served, comparisons, WORDS)


def sampling(counts: tuple[int, ...] = (510, 290, 105, 95), planned: int | None = None, **other) -> Sampling:
    """A thousand samples, by default near what is expected."""
    joint = FirstTwo(np.array([[1, 2], [1, 3], [9, NONE]]), np.array([0.5, 0.3, 0.1, 0.1]))
    drawn = sum(counts)
    run = Sampling(
        DEFAULT_PAIR, "early-stop", "honest", 1.0, "Tell a story.", planned or max(drawn, 1), "float32 · dice", joint, np.array(counts),
        ((drawn // 2, 0.4), (drawn, 0.6)) if drawn else (), (500, 300, 200), 0.09, WORDS,
    )  # fmt: skip
    return replace(run, **other)


def answer_file(parted: bool = True) -> AnswerFile:
    """A recording with both number formats."""
    runs = (side_by_side(), side_by_side("bfloat16", parted))
    return AnswerFile("2026-01-02T03:04:05+00:00", "0123456789ab", runs, sampling())
