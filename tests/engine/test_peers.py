"""What people would use instead, on the same weights and prompts."""

from expediter.engine.peers import peers
from tests.engine.tiny import pair


def test_assisted_generation_runs_for_one_request_alone(info, monkeypatch):
    monkeypatch.setattr("expediter.engine.peers.read_model", lambda folder, place: "a model")
    one, note = peers(pair(), info, 1, "mixed", 0.0, 1, 5)
    many, _ = peers(pair(), info, 4, "mixed", 0.0, 1, 5)
    assert [p.name for p in one] == ["generate", "assisted generation", "assisted generation, 5 drafts"]
    assert [p.name for p in many] == ["generate"]
    assert note == ""


def test_a_drafter_that_reads_hidden_states_has_no_assisted_generation_and_says_so(info, monkeypatch):
    monkeypatch.setattr("expediter.engine.peers.is_dspark", lambda config: True)
    found, note = peers(pair(), info, 1, "mixed", 0.0, 1, 5)
    assert [p.name for p in found] == ["generate"]
    assert "left out" in note


def test_a_draft_of_few_words_has_no_assisted_generation_and_says_so(info):
    (info.draft / "config.json").write_text('{"model_type": "llama", "draft_vocab_size": 24}')
    found, note = peers(pair(), info, 1, "mixed", 0.0, 1, 5)
    assert [p.name for p in found] == ["generate"]
    assert "only some of its target's tokens" in note
