"""The work behind Same answer's buttons tells how far it is, in the page's words. The engine's part is stood in for."""

from types import SimpleNamespace

import pytest

from expediter.core.settings import Settings
from expediter.engine import plain, same_answer
from expediter.ui import answer_runs
from expediter.ui.page import page_words

TEXT = page_words("same_answer")
PAIR = SimpleNamespace(name="dice", target=SimpleNamespace(place=SimpleNamespace(name="float32")))


@pytest.fixture
def ran(monkeypatch):
    """Do the work that a button begins; what it reported."""

    def run(work, *given) -> list[str]:
        said = []
        monkeypatch.setattr(answer_runs, "on_pair", lambda pair, work, profiled: work)
        monkeypatch.setattr(answer_runs, "_path", lambda wanted, pair: None)
        monkeypatch.setattr(answer_runs, "_kept", lambda path, made: made)
        monkeypatch.setattr(plain, "reference", lambda name, place: None)
        work(None, Settings(), *given, TEXT)(PAIR, None, lambda share, sentence, picture=None: said.append(sentence), None)
        return said

    return run


def test_samples_are_counted_while_they_are_drawn(ran, monkeypatch):
    def sampling(pair, model, asked, profile, prompt, samples, rule, turns, watch):
        watch(0.5, SimpleNamespace(drawn=512))

    monkeypatch.setattr(same_answer, "sampling", sampling)
    assert ran(answer_runs.sample_here, "early-stop", "stories", 1024, "honest") == [TEXT["progress"]["reading"], "512 of 1,024 samples"]


def test_words_are_counted_while_they_are_compared(ran, monkeypatch):
    def side_by_side(pair, model, asked, profile, tokens, turns, watch):
        watch(0.1, SimpleNamespace(compared=0, plain={0: SimpleNamespace(tokens=[1, 2, 3])}))
        watch(0.9, SimpleNamespace(compared=40, plain={}))

    monkeypatch.setattr(same_answer, "side_by_side", side_by_side)
    assert ran(answer_runs.compare_here, "float32") == [TEXT["progress"]["reading"], "The big model alone: 3 words", "40 words compared"]
