"""The charts draw the numbers they are given, and nothing is told by colour alone."""

import numpy as np
import pytest

from expediter.core.dial import draws, lead, play, sharpened
from expediter.core.metrics import reliability
from expediter.core.step_rate import StepRate
from expediter.ui.figures_honest import cost_figure, error_figure, lost_figure, reliability_figure, sent_figure
from expediter.ui.theme import STATES
from tests.fake_blocks import some_blocks

BLOCKS = some_blocks(0.8, 600)
DEALT = draws(600, 16, 40, 1)
RATE = StepRate(np.array([1, 16, 96]), np.array([0.008, 0.01, 0.03]))
NOTCHES = {n: play(sharpened(BLOCKS.confidence, 2.0 ** (n / 2)), BLOCKS.passed, DEALT, RATE) for n in (-2, 0, 2)}
NAMES = {-2: "÷ 2", 0: "as is", 2: "× 2"}


def named(figure, name: str) -> list:
    return [trace for trace in figure.data if trace.name == name]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_reliability_draws_both_curves_with_their_counts(scheme):
    mine, theirs = (reliability(c[:, 0], BLOCKS.passed >= 1) for c in (BLOCKS.confidence, BLOCKS.before))
    figure = reliability_figure(mine, theirs, "before calibration", scheme)
    calibrated, before = named(figure, "calibrated")[0], named(figure, "before calibration")[0]
    assert calibrated.marker.symbol != before.marker.symbol
    assert calibrated.line.dash != before.line.dash
    assert calibrated.line.color == getattr(STATES["loaded"], scheme)
    shown = sum(sum(trace.customdata) for trace in named(figure, "calibrated"))
    assert shown == 600, "every bin is drawn, large or small"
    assert min(calibrated.customdata) >= 10
    assert sum(named(figure, "how many, calibrated")[0].y) == 600


def test_the_error_is_drawn_at_every_position_beside_luck():
    figure = error_figure((0.01, 0.02), (0.1, 0.2), "raw draft probability", 0.03, 2, "light")
    assert list(named(figure, "calibrated")[0].y) == [0.01, 0.02]
    assert list(named(figure, "raw draft probability")[0].y) == [0.1, 0.2]
    assert set(named(figure, "by luck alone")[0].y) == {0.03}


def test_promised_and_real_words_stand_on_one_axis_from_zero():
    figure = cost_figure(NOTCHES, NAMES, 2, 1500.0, 1400.0, "light")
    promised, came = named(figure, "promised")[0], named(figure, "really came")[0]
    assert list(promised.x) == list(came.x) == ["÷ 2", "as is", "× 2"]
    assert list(promised.y) == [o.promised for o in NOTCHES.values()]
    assert list(came.y) == [o.came for o in NOTCHES.values()]
    assert figure.layout.yaxis.rangemode == "tozero"
    now = named(figure, "the dial now")[0]
    assert (now.x[0], now.y[0]) == ("× 2", NOTCHES[2].came)


def test_the_loss_is_a_share_of_the_honest_rate_and_the_chosen_notch_is_filled():
    leads = {n: lead(o, NOTCHES[0], DEALT) for n, o in NOTCHES.items()}
    bars = lost_figure(leads, NOTCHES[0].came, NAMES, -2, "light").data[0]
    assert bars.y[1] == 0
    assert bars.y[0] == pytest.approx(NOTCHES[-2].came / NOTCHES[0].came - 1)
    assert [colour == "rgba(0,0,0,0)" for colour in bars.marker.color] == [False, True, True]


def test_the_budget_is_drawn_against_all_that_was_drafted():
    figure = sent_figure(NOTCHES, NAMES, 0, 5, "dark")
    assert list(named(figure, "sent")[0].y) == [o.sent for o in NOTCHES.values()]
    assert figure.layout.yaxis.range[1] > 5
