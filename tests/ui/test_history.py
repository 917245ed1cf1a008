"""Stepping through what was seen: pure values, and never two pictures with one number."""

from expediter.core.settings import Settings
from expediter.ui.history import KEEP, History
from tests.fakes import recording

RUN = recording(Settings(load=2), steps=3)


def test_a_recording_goes_round():
    history = History(RUN)
    assert [history.forward().at, history.forward().forward().at, history.forward().forward().forward().at] == [1, 2, 0]


def test_back_stops_at_the_first_step():
    assert (History(RUN).back().at, History(RUN, at=2).back().at) == (0, 1)


def test_every_action_is_a_new_picture():
    history = History(RUN)
    pictures = [history.picture]
    for action in ("forward", "back", "back", "rewound"):
        history = getattr(history, action)()
        pictures.append(history.picture)
    assert len(set(pictures)) == 5


def test_a_new_step_is_shown_from_its_start_unless_it_is_settled():
    assert not History(RUN[:1]).then(RUN[1]).settled
    assert History(RUN[:1]).then(RUN[1], settled=True).settled


def test_old_steps_are_let_go():
    history = History(RUN[:1])
    for _ in range(KEEP + 3):
        history = history.then(RUN[1])
    assert (len(history.traces), history.at) == (KEEP, KEEP - 1)


def test_seen_ends_with_the_step_on_screen():
    assert History(RUN, at=1).seen == RUN[:2]
