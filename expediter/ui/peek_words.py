"""The counterexample in sums and sentences, worded from its numbers: whatever the reader sets, they stay true. No streamlit here."""

from collections.abc import Mapping
from html import escape

import numpy as np

from expediter.core.counterexample import Counterexample
from expediter.core.goodness import Fit
from expediter.core.policy import Policy
from expediter.ui.answer_words import p_value
from expediter.ui.captions import count, percent

WORDS = ("A", "B")
EARLY, PEEK = Policy("early-stop"), Policy("global")
STRAIGHT = 1e-9  # a smaller shift is rounding


def number(value: float) -> str:
    """Up to three digits behind the point, as many as it has."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def shares(case: Counterexample) -> dict[str, str]:
    """How often target and draft want A."""
    return {"target_a": percent(case.target[0]), "draft_a": percent(case.draft[0])}


def sums(case: Counterexample, text: Mapping) -> tuple[str, ...]:
    """The scores with 0, 1 and 2 guesses sent, each with its sum."""
    one, two, three = case.sps
    told = [
        text["sum_none"].format(sps=number(one), score=number(one)),
        text["sum_one"].format(first=number(case.first), sps=number(two), score=number((1 + case.first) * two)),
    ]
    for word, c in zip(WORDS, case.second, strict=True):
        second = case.first * c
        score = number((1 + case.first + second) * three)
        told.append(text["sum_two"].format(word=word, first=number(case.first), second=number(second), sps=number(three), score=score))
    return tuple(told)


def why(case: Counterexample, policy: Policy, text: Mapping) -> str:
    """Why the words are bent, or why not."""
    sent = [plan.stop > 0 for plan in case.plans(policy)]
    delivered = percent(case.delivered(policy)[0])
    if policy == EARLY:
        return text["why_early"].format(delivered=delivered)
    if sent[0] == sent[1]:
        return text["why_peek_same"]
    if case.shift(policy) <= STRAIGHT:
        return text["why_peek_unbent"]
    at = sent.index(True)
    kept = case.given(policy)[at, at]
    told = {"sent": WORDS[at], "left": WORDS[1 - at], "kept": percent(kept)}
    return text["why_peek_one"].format(**told, delivered=percent(case.delivered(policy)[at]), should=percent(case.target[at]))


def bend(case: Counterexample, policy: Policy, text: Mapping) -> str:
    """How far the delivered words are from the target's."""
    shift = case.shift(policy)
    return text["straight"] if shift <= STRAIGHT else text["bent"].format(shift=percent(shift))


def sampled(counts: np.ndarray, found: Fit, text: Mapping) -> str:
    """What was drawn, and whether that could be chance."""
    share = counts / max(counts.sum(), 1)
    return text["sampled"].format(
        runs=count(int(counts.sum()), "answer"), a=percent(share[0]), b=percent(share[1]), p=p_value(found.p_value)
    )


def case_table(case: Counterexample, policy: Policy, text: Mapping) -> str:
    """One row for each first guess: the scores, what is sent, and how often A and B then come."""
    heads = "".join(f"<th scope='col'>{escape(text['case_table'][name])}</th>" for name in ("guess", "scores", "sent", "a", "b"))
    rows = []
    for word, plan, given in zip(WORDS, case.plans(policy), case.given(policy), strict=True):
        scores = ", ".join(f"<u>{number(theta)}</u>" if k == plan.stop else number(theta) for k, theta in enumerate(plan.path))
        cells = (scores, f"{plan.stop}", f"{given[0]:.2f}", f"{given[1]:.2f}")
        rows.append(f"<tr><th scope='row'>{word}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return f"<div class='ex-board ex-ways'><table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"


def bent_alt(case: Counterexample, policy: Policy, counts: np.ndarray) -> str:
    """The bars in words."""
    exact, drawn = case.delivered(policy), counts / max(counts.sum(), 1)
    parts = [f"{w}: wanted {t:.2f}, delivered {e:.2f}, drawn {d:.2f}" for w, t, e, d in zip(WORDS, case.target, exact, drawn, strict=True)]
    return "How often each word comes. " + "; ".join(parts) + "."
