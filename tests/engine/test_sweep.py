"""Sweeping a tiny random pair: what is counted, in which order, and under which lock."""

from dataclasses import replace

import numpy as np
import pytest

from expediter.__main__ import main
from expediter.core.settings import Settings
from expediter.engine import sweep as module
from expediter.engine.loop import Engine
from expediter.engine.relay import Relay, Stint, words_per_second
from expediter.engine.sweep import policies, sweep
from tests.engine import tiny
from tests.fakes import profile

SETTINGS = Settings(pair="tiny", load=4, depth=3, temperature=0.8)


@pytest.fixture(scope="module")
def pair():
    return tiny.pair()


class Lock:
    """Counts how often it was taken."""

    def __init__(self):
        self.taken, self.inside = 0, False

    def __enter__(self):
        assert not self.inside
        self.taken, self.inside = self.taken + 1, True

    def __exit__(self, *failure):
        self.inside = False


def test_a_stint_counts_what_its_steps_did(pair):
    relay = Relay(Engine(pair, SETTINGS, profile()))
    off, every = relay.run("off", 3), relay.run("all", 3)
    assert (off.words, off.sent, off.passed, off.drafting) == (12, 0, 0, 0)
    assert (every.sent, every.drafting) == (3 * 4 * 3, 3)
    assert every.words >= 12
    assert off.seconds > 0
    assert off.table_seconds > 0


def test_policies_drive_the_same_requests_and_keep_their_own_memory(pair):
    lock = Lock()
    relay = Relay(Engine(pair, SETTINGS, profile()), lock)
    relay.run("early-stop", 2)
    memory, numbers = relay.engine.pause, relay.engine.requests.number.copy()
    relay.run("off", 1)
    assert relay.engine.pause is not memory
    np.testing.assert_array_equal(relay.engine.requests.number, numbers)
    relay.run("early-stop", 1)
    assert relay.engine.pause is memory
    assert lock.taken == 2 + 1 + 1 + 1, "the draft caught up in one step that is not counted"


def test_a_rate_takes_all_words_and_the_median_time():
    stints = [Stint(2, 10, words, 0, 0, 0, seconds, 1.0) for words, seconds in ((20, 1.0), (40, 1.0), (30, 9.0))]
    assert words_per_second(stints) == pytest.approx(3.0 / 0.1)


def test_a_sweep_has_every_policy_at_every_load(pair, monkeypatch):
    monkeypatch.setattr(module, "fingerprint", lambda info: "weights")
    told = []
    made = sweep(pair, SETTINGS, profile(), lambda *at: told.append(at), loads=(1, 3), seconds=0.01, info=object())
    assert made.loads == (1, 3)
    assert made.policies == policies(3) == ("off", "all", "fixed:1", "fixed:2", "threshold:0.5", "early-stop")
    assert (made.pair, made.depth, made.temperature, made.weights) == ("tiny", 3, 0.8, "weights")
    for load in (1, 3):
        assert made.at("off", load).words_per_step == 1
        assert made.at("all", load).sent == 3
        assert made.at("fixed:1", load).sent == 1
        assert all(p.low <= p.high and 0 <= p.wasted <= 1 for p in made.points)
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(set(shares[: module.AGE])) == module.AGE, "something moves while it warms up"
    assert told[0][1] == f"Warming up: step 1 of {module.AGE}"
    assert told[-1][1] == "Measuring 1 request at once…"


def test_a_report_that_raises_ends_the_sweep(pair):
    class Enough(Exception):
        pass

    def report(done, sentence):
        if done > 0.2:
            raise Enough

    with pytest.raises(Enough):
        sweep(pair, SETTINGS, profile(), report, loads=(1, 2), seconds=0.01, info=object())


def test_more_requests_than_the_page_offers_when_told_so(pair):
    engine = Engine(pair, replace(SETTINGS, load=70), profile(), most=70)
    assert engine.step().load == 70
    assert Engine(pair, replace(SETTINGS, load=70), profile()).settings.load == 64


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["no-such-pair"], "There is no pair called"),
        (["mini-good", "--loads", "0,4"], "loads are whole numbers from 1 to 64, on a GPU to 256"),
        (["mini-good", "--seconds", "nan"], "--seconds takes more than 0"),
        (["mini-good", "--loads", "4,many"], "loads are whole numbers from 1 to 64, on a GPU to 256"),
    ],
)
def test_the_command_answers_bad_input_with_2_and_one_line(arguments, told, capsys):
    try:
        code = main(["sweep", *arguments])
    except SystemExit as end:
        code = end.code
    assert code == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1
