"""The page says what state it is in, in every state."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from expediter.core.curve import Curve
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui.history import History
from expediter.ui.job_panel import bringing_up
from expediter.ui.live import Progress
from expediter.ui.numbers import rates
from expediter.ui.wording import asides, flat, footer, label, remarks, state_sentence
from tests.fakes import profile
from tests.ui.test_session import Desk

TEXT = json.loads((Path(__file__).parents[2] / "assets" / "loading_dock.json").read_text(encoding="utf-8"))


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_recorded_run_says_that_it_is_one(desk):
    assert "another machine" in state_sentence(desk.session, TEXT)
    assert label(desk.session) == "recorded run, 1 of 3"


def test_a_live_run_says_that_it_is_one(desk):
    desk.ready()
    desk.session.take_over()
    assert state_sentence(desk.session, TEXT).startswith("Live")
    assert label(desk.session) == "live"


@pytest.mark.parametrize("step", ["libraries", "weights", "table"])
def test_loading_says_what_is_done_now(desk, step):
    desk.pairs[DEFAULT_PAIR].progress = Progress("loading", step=step)
    said = state_sentence(desk.session, TEXT)
    assert said.startswith(TEXT["states"]["loading"].format(step="").strip())
    assert said.endswith(bringing_up(desk.session.pair.progress))
    assert f"{['libraries', 'weights', 'table'].index(step) + 1} of 3: " in said


def test_measuring_shows_how_far_it_is(desk):
    desk.ready()
    desk.session.take_over()
    desk.pairs[DEFAULT_PAIR].progress = Progress("live", 0.42)
    assert "42 %" in state_sentence(desk.session, TEXT)


def test_a_failure_names_its_reason_and_what_is_on_screen(desk):
    desk.pairs[DEFAULT_PAIR].progress = Progress("failed", problem="The pair could not be loaded: a file is missing.")
    said = state_sentence(desk.session, TEXT)
    assert "a file is missing" in said
    assert "recorded run" in said


def test_changed_controls_of_a_recorded_run_are_promised_for_later():
    said = remarks(Desk(Settings(load=32)).session, TEXT)
    assert len(said) == 1
    assert "live as soon as the model is ready" in said[0]
    assert "16 requests" in said[0]


def test_nothing_is_remarked_on_an_ordinary_step(desk):
    assert remarks(desk.session, TEXT) == []


def test_a_stop_within_the_noise_is_called_uncertain(desk):
    shown = desk.session.history.shown
    uncertain = replace(shown, uncertain=True)
    assert asides(uncertain, rates((uncertain,)), TEXT) == [TEXT["uncertain"]]
    assert asides(replace(shown, uncertain=False), rates((shown,)), TEXT) == []


def test_what_comes_and_goes_with_a_step_is_not_said_above_the_stage(desk):
    shown = desk.session.history.shown
    before = remarks(desk.session, TEXT)
    desk.session.history = History((replace(shown, uncertain=not shown.uncertain, drafting=False),))
    assert remarks(desk.session, TEXT) == before, "a line more or less would move the stage"
    assert TEXT["not_drafting"] in asides(desk.session.history.shown, rates((shown,)), TEXT)


@pytest.mark.parametrize(
    ("source", "steps", "stretch", "says"),
    [
        ("measured here", 10, 1.9, "took 1.9 times as long"),
        ("measured here", 10, 0.25, "took 25 % of the time"),
        ("measured here", 10, 1.4, ""),
        ("measured here", 9, 1.9, ""),
        ("recorded on another machine", 10, 1.9, ""),
    ],
)
def test_a_table_that_the_steps_contradict_is_doubted(desk, source, steps, stretch, says):
    shown = replace(desk.session.history.shown, uncertain=False, table_source=source)
    expected = shown.step_seconds[shown.stop]
    took = replace(shown, seconds=replace(shown.seconds, verify=shown.seconds.verify + stretch * expected - shown.seconds.step))
    said = asides(took, rates((took,) * steps), TEXT)
    assert (says in said[0]) if says else (said == [])


def test_a_machine_that_never_fills_says_so(desk):
    desk.ready()
    desk.pairs[DEFAULT_PAIR].profile = profile("measured here", {1: 0.01, 384: 0.0101})
    desk.session.take_over()
    assert any("never fills" in remark for remark in remarks(desk.session, TEXT))
    assert not flat(profile(), 5, 64)


def test_a_van_that_fills_only_at_a_gpus_loads_does_fill():
    low, high = {load: {load: [0.01], 9 * load: [0.0101]} for load in (1, 64)}, {256: {256: [0.02], 2304: [0.08]}}
    table = replace(profile(), curves=tuple(Curve.from_samples(load, 32, sizes) for load, sizes in {**low, **high}.items()))
    assert flat(table, 8, 64)
    assert not flat(table, 8, 256)


def test_the_footer_names_pair_machine_and_the_age_of_the_table(desk):
    assert footer(desk.session, "Pocket") == "Pocket · dice, another machine · step rate: recorded on another machine"
    desk.ready()
    desk.session.take_over()
    assert footer(desk.session, "Pocket").startswith("Pocket · dice · step rate: measured here ")
    assert footer(desk.session, "Pocket").endswith(" ago")


def test_a_simulated_clock_is_named_everywhere(desk):
    desk.ready()
    desk.session.take_over()
    desk.session.change(replace(desk.session.settings, hardware="published-gpu"))
    assert label(desk.session) == "live words, simulated clock"
    assert footer(desk.session, "Pocket") == "Pocket · dice · step rate: simulated clock, Published GPU"
    said = remarks(desk.session, TEXT)
    assert len(said) == 1
    assert said[0].startswith("Simulated clock: Published GPU.")
    desk.session.act("back")
    assert remarks(desk.session, TEXT) == ["An earlier step, planned on another clock than the one chosen now."]


def test_a_flat_table_is_called_unmeasured(desk):
    desk.ready()
    desk.session.take_over()
    desk.session.change(replace(desk.session.settings, hardware="flat"))
    assert any("nobody has measured it" in remark for remark in remarks(desk.session, TEXT))


def test_a_link_to_an_own_table_says_that_the_table_is_not_here():
    session = Desk(Settings(hardware="own")).session
    assert any("not kept on this machine" in remark for remark in remarks(session, TEXT))
