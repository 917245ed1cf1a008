"""What the stage says to Python: every wish is heard, and heard once."""

import pytest

from expediter.ui import stage

WISH = {"kind": "advance", "step": 3, "revision": "1.4", "id": "1.4/a.1"}


@pytest.fixture
def state(monkeypatch) -> dict:
    """The session's state, with the stage on the page."""
    kept = {"stage": {"event": WISH}}
    monkeypatch.setattr(stage.st, "session_state", kept)
    return kept


def test_a_wish_is_heard_once(state):
    wish = stage.heard("stage")
    assert (wish.kind, wish.step, wish.revision) == ("advance", 3, "1.4")
    assert stage.heard("stage") is None, "the same run came by a second time"


def test_the_next_wish_is_heard_again(state):
    stage.heard("stage")
    state["stage"] = {"event": {**WISH, "id": "1.5/a.2"}}
    assert stage.heard("stage").id == "1.5/a.2"


def test_a_silent_stage_and_a_page_without_one_ask_for_nothing(state):
    state["stage"] = {"event": None}
    assert stage.heard("stage") is None
    assert stage.heard("another") is None
