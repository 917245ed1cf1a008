"""Charts of Three machines: what they are made of, and that colour is never the only difference."""

import numpy as np
import pytest

from expediter.core.acceptance_counts import acceptance_counts
from expediter.ui.figures_machines import acceptance_figure, time_figure

DRAFTERS = {name: acceptance_counts(np.array([0, 1, 2]), depth=2) for name in "ABCDE"}
SECONDS = {"draft": 0.004, "score": 0.0005, "schedule": 0.0002, "verify": 0.015, "commit": 0.0003}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_drafter_has_its_own_line_and_mark(scheme):
    figure = acceptance_figure(DRAFTERS, "B", scheme)
    assert len({(line.line.dash, line.marker.symbol) for line in figure.data}) == len(DRAFTERS)
    assert [line.name for line in figure.data if line.line.width == 4] == ["B"]
    assert list(figure.data[0].y) == pytest.approx([2 / 3, 1 / 2])
    assert figure.data[0].customdata == ("2 of 3", "1 of 2")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_steps_pieces_stand_in_order_and_differ_in_pattern(scheme):
    figure = time_figure(SECONDS, {phase: phase for phase in SECONDS}, scheme)
    assert [piece.name for piece in figure.data] == list(SECONDS)
    assert sum(piece.x[0] for piece in figure.data) == pytest.approx(20)
    assert len({piece.marker.pattern.shape for piece in figure.data}) == len(SECONDS)
    assert [piece.text for piece in figure.data] == ["20%", "", "", "75%", ""]
