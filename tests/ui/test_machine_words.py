"""Sentences of Three machines, read off counts and blocks."""

from dataclasses import replace

import numpy as np

from expediter.core.acceptance_counts import acceptance_counts
from expediter.core.block import Block
from expediter.ui import machine_words as words
from tests.machine_case import dice_set

COUNTS = acceptance_counts(np.array([0, 0, 1, 2]), depth=2)
NONE = acceptance_counts(np.array([0, 0]), depth=2)
BLOCK = dice_set(head=True).blocks[0]


def of(sent: int, accepted: int, own: str | None = " and") -> Block:
    return Block(replace(BLOCK.request, sent=sent, accepted=accepted, own=own), None)


def test_the_first_and_the_last_position_are_told_with_their_counts():
    assert words.acceptance_sentence(COUNTS) == (
        "Its first guess passes 50 % of the time: in 2 of 4 blocks. "
        "Its guess number 2, where all before it have passed: 50 %, in 1 of 2 blocks."
    )
    assert words.acceptance_sentence(NONE) == "Its first guess passes 0 % of the time: in 0 of 2 blocks."
    assert words.acceptance_alt({"A": COUNTS, "B": NONE}).endswith("A: 50 %, 50 %. B: 0 %, never looked at.")


def test_what_the_head_changed_is_counted():
    assert words.head_sentence(BLOCK) == "Here the head changes 1 of the 5 words, the first of them at position 5."
    assert words.head_sentence(Block(BLOCK.request, BLOCK.request.drafts)) == "Here the head changes none of the 5 words."
    assert words.run_sentence(dice_set(head=True)) == "All 8 blocks of the run had at least one other word."
    assert words.run_sentence(replace(dice_set(head=True), differing=3)) == "Of all 8 blocks of the run, 3 had at least one other word."
    assert words.run_sentence(dice_set()) == ""
    other = Block(BLOCK.request, tuple("≠" for _ in BLOCK.request.drafts))
    assert words.head_sentence(other) == "Here the head changes all 5 words, the first of them at position 1."


def test_every_fate_is_told():
    own = " The big model's own word follows."
    assert words.fate_sentence(of(0, 0)) == "None of the 5 guesses was sent." + own
    assert words.fate_sentence(of(5, 5)) == "All 5 guesses went to the big model: 5 passed, none was refused." + own
    assert words.fate_sentence(of(4, 1)) == (
        "Of 5 guesses 4 went to the big model: 1 passed, 1 was refused and 2 behind it came back. 1 stayed on the dock." + own
    )
    assert words.fate_sentence(of(2, 0)).startswith(
        "Of 5 guesses 2 went to the big model: none passed, 1 was refused and 1 behind it came back."
    )
    assert words.fate_sentence(of(3, 1, None)).endswith("2 stayed on the dock. The answer ended there.")


def test_small_shares_are_not_rounded_to_nothing():
    seconds = {"draft": 0.002, "score": 0.0004, "schedule": 0.00001, "verify": 0.017, "commit": 0.0}
    assert "the scheduler under 1 %" in words.time_sentence(seconds)
    names = {phase: phase for phase in seconds}
    assert words.time_alt(seconds, names).startswith("A step takes 19.4 ms on average: draft 2.00 ms (10 %), ")
    assert "commit 0.00 ms (0 %)" in words.time_alt(seconds, names)
