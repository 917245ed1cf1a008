"""A step's time by phase."""

from dataclasses import replace

import pytest

from expediter.core.phases import PHASES, mean_seconds
from expediter.core.settings import Settings
from tests.fakes import recording

RUN = recording(Settings(load=2), steps=2)


def test_the_pieces_add_up_to_the_mean_step():
    seconds = mean_seconds(RUN)
    assert tuple(seconds) == PHASES
    assert sum(seconds.values()) == pytest.approx(sum(trace.seconds.step for trace in RUN) / 2)


def test_steps_that_drafted_nothing_do_not_count():
    bare = replace(RUN[0], requests=tuple(replace(r, drafts=()) for r in RUN[0].requests))
    assert mean_seconds([bare, RUN[1]]) == mean_seconds([RUN[1]])
    assert mean_seconds([bare]) == {}
    assert mean_seconds([]) == {}
