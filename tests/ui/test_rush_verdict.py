"""Whoever wins a sweep, the sentences say so, and why."""

from dataclasses import replace

import pytest

from expediter.core.sweep import Sweep, load_sweep
from expediter.core.sweep_store import FOLDER
from expediter.ui import rush_verdict as verdict
from tests.fake_sweeps import USUAL, sweep

BEATEN = {**USUAL, "fixed:1": {1: 140.0, 8: 900.0, 64: 2100.0}}


def changed(made: Sweep, policy: str, load: int, **other) -> Sweep:
    """The same with one point changed."""
    same = tuple(replace(p, **other) if (p.policy, p.load) == (policy, load) else p for p in made.points)
    return replace(made, points=same)


def test_a_rule_that_is_right_for_one_load_goes_wrong_at_another():
    assert verdict.rule_sentence(sweep()) == (
        "Of the fixed rules “check every word” came out fastest with 1 request at once. Kept at 64, it brings 29 % less than "
        "“at most 1 each”: "
        "what is right for one load is wrong for another."
    )


def test_a_rule_that_does_not_go_wrong_is_told_too():
    flat = {**USUAL, "all": {1: 180.0, 8: 755.0, 64: 2080.0}}
    said = verdict.rule_sentence(sweep(flat))
    assert "stays within 3 % of the fastest at every load measured. A fixed rule does not go wrong here." in said
    assert "wrong for another" not in said


def test_the_expediter_that_keeps_up_is_said_to_follow():
    said = verdict.follow_sentence(sweep())
    assert said == (
        "The expediter follows: it comes within 3 % of the fastest fixed rule at every load, and nobody sets it. "
        "At 8 it is faster than all of them."
    )
    even = sweep({**USUAL, "early-stop": {1: 180.0, 8: 750.0, 64: 2100.0}})
    assert "faster than all" not in verdict.follow_sentence(even)


def test_a_rule_that_beats_the_expediter_is_named_with_the_load_and_the_loss():
    said = verdict.follow_sentence(sweep(BEATEN))
    assert "follows" not in said
    assert said.startswith(
        "A fixed rule came out faster than the expediter at 8 at once: “at most 1 each” writes 900 words per second there, "
        "the expediter 790, 12 % less. The repeated rounds overlap there, so noise has its part in it. A guess costs time"
    )
    assert "guesses only 1. At the other loads it keeps up. The fastest rule is picked afterwards" in said
    lost = sweep({**BEATEN, "early-stop": {1: 100.0, 8: 790.0, 64: 1500.0}})
    assert "at 1, 8 and 64 at once, most at 1: “check every word”" in verdict.follow_sentence(lost)
    assert "keeps up" not in verdict.follow_sentence(lost)
    assert "Only at 1 and 64 is that more than the spread of the repeated rounds." in verdict.follow_sentence(lost)
    alone = changed(sweep(BEATEN), "fixed:1", 8, low=880.0)
    assert "That is more than the spread" in verdict.follow_sentence(changed(alone, "early-stop", 8, high=800.0))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "the expediter guesses up to 5 words for each request and sent 2.4, “at most 1 each” guesses only 1."),
        ({"on_table": 900.0}, "By the step-rate table's times it would keep up, 900 against 900: its steps took longer than the table"),
        ({"drafting": 0.03, "sent": 0.1}, "The expediter guessed in only 3 % of its steps there"),
        ({"drafting": 0.004, "sent": 0.1}, "The expediter guessed in under 1 % of its steps there"),
        ({"drafting": 0.0, "sent": 0.0}, "The expediter guessed in none of its steps there"),
        ({"words_per_step": 1.2}, "and yet a step brought each request 1.20 words against 1.88: luck has its part in 40 steps."),
    ],
)
def test_why_the_expediter_is_behind_follows_from_the_numbers(changes, told):
    assert told in verdict.follow_sentence(changed(sweep(BEATEN), "early-stop", 8, **changes))


def test_a_rule_that_guesses_as_deep_is_explained_by_what_was_sent():
    ahead = sweep({**USUAL, "all": {1: 180.0, 8: 900.0, 64: 1500.0}})
    assert "The expediter sent 2.4 words for each request, “check every word” 5.0: by what was measured, too few." in (
        verdict.follow_sentence(ahead)
    )
    faster = changed(changed(ahead, "all", 8, on_table=790.0), "early-stop", 8, on_table=780.0)
    assert "the steps of “check every word” were shorter than the table" in verdict.follow_sentence(faster)
    plain = sweep({**USUAL, "off": {1: 100.0, 8: 900.0, 64: 2000.0}})
    assert "“no guessing” guesses none." in verdict.follow_sentence(plain)


def test_a_sweep_of_one_load_reads_well():
    alone = sweep({policy: {64: line[64]} for policy, line in USUAL.items()})
    assert verdict.rule_sentence(alone) == ""
    assert verdict.follow_sentence(alone) == "The expediter comes within 3 % of the fastest fixed rule, and nobody sets it."


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_what_is_said_of_the_shipped_sweeps_is_in_them(file):
    made = load_sweep(file)
    behind = [
        load
        for load in made.loads
        if verdict.fastest(made, load).words_per_second > (1 + verdict.NEAR) * made.at("early-stop", load).words_per_second
    ]
    said = verdict.follow_sentence(made)
    assert said.startswith("A fixed rule came out faster than the expediter at") == bool(behind)
    assert said.startswith("The expediter follows") == (not behind)
