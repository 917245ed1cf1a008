"""A sign of life that the browser keeps up by itself: the markup stays the same as long as the same thing goes on."""

import time

import pytest

from expediter.ui import alive


@pytest.fixture(autouse=True)
def session(monkeypatch) -> dict:
    """A reader's session."""
    made = {}
    monkeypatch.setattr(alive.st, "session_state", made)
    return made


def test_the_same_thing_is_the_same_markup_and_goes_on_counting_from_when_it_began(monkeypatch):
    now = time.monotonic()
    first = alive.moving("pair", now - 7.2, "1 of 3: <b>libraries</b>")
    assert "--ex-since: -7s" in first
    assert "aria-label='1 of 3: &lt;b&gt;libraries&lt;/b&gt;'" in first
    monkeypatch.setattr(alive.time, "monotonic", lambda: now + 5)
    assert alive.moving("pair", now - 7.2, "1 of 3: <b>libraries</b>") == first
    assert "--ex-since: -12s" in alive.moving("pair", now - 7.2, "2 of 3: weights"), "the seconds do not begin anew"


def test_each_thing_that_is_waited_for_has_its_own_count():
    now = time.monotonic()
    one, two = alive.moving("one", now - 3, "a"), alive.moving("two", now - 9, "a")
    assert ("-3s" in one, "-9s" in two) == (True, True)
