"""What a recorded step tells about plans that were not carried out."""

from dataclasses import replace

import pytest

from expediter.core.replay import Replay, replay
from expediter.core.settings import Settings
from tests.fakes import recording

STEP = recording(Settings(load=8, policy="all"), steps=1)[0]


def one(**changes: object):
    """A step of one request that drafted five words."""
    request = replace(STEP.requests[0], **changes)
    return replace(STEP, requests=(request,))


def test_the_plan_that_was_carried_out_brings_what_it_brought():
    assert replay(STEP, [r.sent for r in STEP.requests]) == Replay(STEP.got, 0)


def test_nothing_sent_brings_one_word_each():
    assert replay(STEP, [0] * 8) == Replay(8, 0)


@pytest.mark.parametrize(
    ("sent", "accepted", "length", "words", "unknown"),
    [
        (3, 1, 1, 2, 0),
        (3, 1, 5, 2, 0),  # a refusal was seen: nothing behind it counts
        (3, 3, 2, 3, 0),
        (3, 3, 5, 4, 1),  # all passed: what comes after was never checked
        (0, 0, 2, 1, 1),
    ],
)
def test_shorter_plans_are_known_and_longer_ones_only_behind_a_refusal(sent, accepted, length, words, unknown):
    assert replay(one(sent=sent, accepted=accepted), [length]) == Replay(words, unknown)


def test_an_answer_that_ended_on_an_accepted_word_gets_no_own_word():
    ended = one(sent=3, accepted=2, own=None, own_token=None)
    assert replay(ended, [5]) == Replay(2, 0)
    assert replay(ended, [1]) == Replay(2, 0)
