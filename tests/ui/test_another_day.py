"""What was measured here is shown again on another day, under the settings and the weights that it was made with and no others."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
import streamlit as st

from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.engine import bench, plain, same_answer
from expediter.ui import answer_runs, asked, honest_blocks, jobs, proofs
from expediter.ui.page import page_words
from tests.answers import sampling, side_by_side
from tests.core.bench_case import made
from tests.fake_blocks import ORIGIN, some_recording
from tests.fakes import pair_info

SETTINGS = Settings(pair=DEFAULT_PAIR, temperature=0.8)
TEXT = page_words("same_answer")
PAIR = SimpleNamespace(name=DEFAULT_PAIR, target=SimpleNamespace(place=SimpleNamespace(name="float32")))


@pytest.fixture(autouse=True)
def weights(tmp_path, monkeypatch):
    """An empty cache, weights that may change, nothing shipped, and work that is done at once."""
    known = {"now": "abc"}
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path))
    monkeypatch.setattr(asked, "title", str)
    monkeypatch.setattr(honest_blocks, "pair_info", lambda name: pair_info(name, name))
    monkeypatch.setattr(honest_blocks, "block_recording", lambda pair: None)
    monkeypatch.setattr(proofs, "recorded_benches", lambda pair: ())
    for module in (asked, honest_blocks, proofs, answer_runs):
        monkeypatch.setattr(module, "weights_now", lambda pair: known["now"])
    for module in (honest_blocks, proofs, answer_runs):
        monkeypatch.setattr(module, "on_pair", lambda name, work, profiled=True: lambda report: work(PAIR, "profile", report, "turns"))
    st.cache_resource.clear()  # another process: no job is known
    yield known
    st.cache_resource.clear()


def ignore(*told) -> None:
    """A reader who does not look."""


def test_blocks(monkeypatch, weights):
    recording = some_recording(40, depth=8)
    monkeypatch.setattr(honest_blocks, "measure_here", lambda *given: replace(recording, origin=replace(ORIGIN, machine="here")))
    honest_blocks.measuring(SETTINGS, {"measuring": ""})(ignore)
    assert jobs.result(honest_blocks.asked(SETTINGS)) is None
    shown = honest_blocks.shown(SETTINGS)
    assert (shown.here, shown.origin.machine, shown.other_weights) == (True, "here", False)
    for other in (replace(SETTINGS, temperature=0.7), replace(SETTINGS, seed=2), replace(SETTINGS, pair="mini-good")):
        assert honest_blocks.shown(other) is None
    weights["now"] = "def"
    assert honest_blocks.shown(SETTINGS) is None


def test_a_benchmark(monkeypatch, weights):
    monkeypatch.setattr(bench, "bench", lambda *given: replace(made(), weights="abc"))
    proofs.measuring(SETTINGS)(ignore)
    shown = proofs.shown_bench(SETTINGS)
    assert (shown.here, shown.other_weights, shown.bench) == (True, False, replace(made(), weights="abc"))
    assert proofs.shown_bench(replace(SETTINGS, temperature=0.0)) is None
    weights["now"] = "def"
    assert proofs.shown_bench(SETTINGS) is None


def test_answers_and_samples(monkeypatch, weights):
    monkeypatch.setattr(plain, "reference", lambda *given: "model")
    monkeypatch.setattr(same_answer, "side_by_side", lambda *given: side_by_side(requests=3))
    monkeypatch.setattr(same_answer, "sampling", lambda *given: sampling())
    greedy = answer_runs.comparing(SETTINGS, "float32", TEXT)
    answer_runs.compare_here(greedy, SETTINGS, "float32", TEXT)(ignore)
    shown = answer_runs.shown(greedy, DEFAULT_PAIR, None)
    assert (shown.state, shown.run) == ("here", side_by_side(requests=3))
    assert (datetime.now(UTC) - datetime.fromisoformat(shown.when)).total_seconds() < 60
    short = answer_runs.comparing(SETTINGS, "bfloat16", TEXT)
    assert answer_runs.shown(short, DEFAULT_PAIR, None).run is None

    chosen = ("all", "code", 1024, "honest")
    chance = answer_runs.drawing(SETTINGS, *chosen, TEXT)
    answer_runs.sample_here(chance, SETTINGS, *chosen, TEXT)(ignore)
    assert answer_runs.shown(chance, DEFAULT_PAIR, None).run.planned == sampling().planned
    other = answer_runs.drawing(SETTINGS, "off", *chosen[1:], TEXT)
    assert answer_runs.shown(other, DEFAULT_PAIR, "recorded").state == "recorded"
    weights["now"] = "def"
    assert answer_runs.shown(answer_runs.comparing(SETTINGS, "float32", TEXT), DEFAULT_PAIR, None).run is None
