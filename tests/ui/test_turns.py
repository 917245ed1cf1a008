"""One at a time, first come first served, and nobody left behind."""

import threading
import time

import pytest

from expediter.ui import turns
from expediter.ui.turns import Turns


def wait_until(true, seconds: float = 5) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_busy_loop_lets_a_reader_in_after_one_round():
    line, rounds, seen, stop = Turns(), [], [], threading.Event()

    def measure() -> None:
        while not stop.is_set():
            with line:
                rounds.append(None)
                time.sleep(0.01)

    loop = threading.Thread(target=measure)
    loop.start()
    wait_until(lambda: rounds)
    for _ in range(5):
        before = len(rounds)
        with line:
            seen.append(len(rounds) - before)
    stop.set()
    loop.join(5)
    assert max(seen) <= 2


def test_a_long_wait_is_told_once_and_a_short_one_not(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    line, told, done = Turns(), [], threading.Event()

    def second() -> None:
        with line.turn(lambda: told.append("second")):
            done.set()

    with line.turn(lambda: told.append("first")):
        other = threading.Thread(target=second)
        other.start()
        wait_until(lambda: told)
        assert not done.is_set()
    other.join(5)
    assert done.is_set()
    assert told == ["second"]


def test_a_reader_who_leaves_while_waiting_blocks_nobody(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    line, left = Turns(), []

    def leave() -> None:
        raise RuntimeError("the tab was closed")

    def impatient() -> None:
        with pytest.raises(RuntimeError), line.turn(leave):
            raise AssertionError("this turn must not begin")
        left.append(True)

    with line:
        other = threading.Thread(target=impatient)
        other.start()
        time.sleep(0.05)
    other.join(5)
    assert left
    with line.turn(leave):
        pass


def test_a_failing_turn_ends():
    line = Turns()
    with pytest.raises(ZeroDivisionError), line:
        _ = 1 / 0
    with line:
        pass
