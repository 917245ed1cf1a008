"""The requests: every word is told apart by what became of it, and token text stays data."""

import json

import pytest

from expediter.core.settings import Settings
from expediter.core.trace import RequestTrace
from expediter.ui.words import BACK, legend, letters, pieces
from tests.fakes import FakeEngine, recording


def request(drafts=(), sent=0, accepted=0, own=" fox", before="Once", **rest) -> RequestTrace:
    """A request whose guesses all had the same chance."""
    chance = (0.5,) * len(drafts)
    asked = {"number": 7, "workload": "stories", "prompt": "Tell a story.", "before": before, "tokens": tuple(range(len(drafts)))}
    return RequestTrace(
        **asked, drafts=tuple(drafts), confidence=chance, survival=chance, sent=sent, accepted=accepted, own=own, own_token=1,
        ended=rest.get("ended", False),
    )  # fmt: skip


def kinds(request: RequestTrace, earlier=()) -> list[tuple[str, str]]:
    return [(piece["text"], piece["kind"]) for piece in pieces(request, earlier)]


def test_a_refused_word_stands_before_the_word_that_replaces_it():
    told = kinds(request([" a", " b", " c", " d"], sent=3, accepted=1))
    assert told == [("Once", "past"), (" a", "passed"), (" b", "refused"), (" fox", "correction"), (" c", "behind"), (" d", "left")]


def test_when_all_sent_words_pass_the_own_word_is_a_bonus():
    assert kinds(request([" a", " b"], sent=1, accepted=1)) == [("Once", "past"), (" a", "passed"), (" fox", "bonus"), (" b", "left")]


def test_an_answer_that_ends_on_a_guess_has_no_own_word():
    assert kinds(request([" a", " b"], sent=2, accepted=1, own=None)) == [("Once", "past"), (" a", "passed"), (" b", "behind")]


def test_earlier_steps_keep_passed_and_own_words_apart():
    earlier = [request([" little"], sent=1, accepted=1, own=" red")]
    now = request(before="Once little red")
    assert kinds(now, earlier) == [("Once", "past"), (" little", "past-passed"), (" red", "past-own"), (" fox", "bonus")]


def test_text_that_cannot_be_told_apart_is_shown_whole():
    earlier = [request([" litt"], sent=1, accepted=1, own="�")]
    assert kinds(request(before="Once littlé"), earlier)[0] == ("Once littlé", "past")


@pytest.mark.parametrize(("draft", "shown"), [("\n", "⏎"), (" ", "␣"), ("}\n", "}⏎"), ("a\u202eb", "a·b"), ("\x00", "·")])
def test_unsent_words_never_break_the_line_and_invisible_ones_get_a_sign(draft, shown):
    assert kinds(request([draft]))[-1] == (shown, "left")


def test_a_committed_line_break_is_both_seen_and_done():
    assert kinds(request(own="\n"))[-1] == ("⏎\n", "bonus")


def test_markup_in_a_token_stays_text():
    assert kinds(request(["<img src=x onerror=alert(1)>"]))[-1][0] == "<img src=x onerror=alert(1)>"


def test_positions_count_from_one_in_draft_order():
    drawn = pieces(request([" a", " b", " c"], sent=2, accepted=1), ())
    assert {p["text"]: p["position"] for p in drawn} == {"Once": 0, " a": 1, " b": 2, " fox": 0, " c": 3}


def test_every_committed_word_of_a_run_is_in_the_text():
    run = recording(Settings(load=3), steps=4)
    for drawn, after in zip(letters(run[:3]), run[3].requests, strict=True):
        committed = [p for p in drawn["pieces"] if p["kind"] not in ("refused", "behind", "left")]
        assert "".join(p["text"] for p in committed).replace("⏎", "") == after.before


def test_a_fresh_request_in_a_slot_does_not_inherit_the_old_ones_words():
    engine = FakeEngine(Settings(load=1))
    old = engine.step()
    fresh = request(before="", own="Hi")
    assert kinds(fresh, []) == [("Hi", "bonus")]
    assert letters([old])[0]["prompt"] == old.requests[0].prompt


def test_64_requests_stay_small_enough_to_send_at_every_step():
    run = recording(Settings(load=64, depth=8), steps=BACK + 3)
    assert len(json.dumps(letters(run))) < 300_000


def test_no_two_kinds_of_words_share_their_look():
    entries = legend()
    assert len({entry["kind"] for entry in entries}) == len(entries) == 6
    assert all(entry["mark"] and entry["label"] for entry in entries)
