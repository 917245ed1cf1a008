"""A shipped calibration is kept before another takes its place, and comes back as it was."""

from pathlib import Path

import numpy as np
import pytest

from expediter.core.calibration import Calibration
from expediter.engine.calibration_store import kept_aside, put_back, read_calibration, read_figures, set_aside, write_calibration


def some(bias: float) -> Calibration:
    return Calibration(np.array([0.0]), np.ones((1, 3)), np.array([bias]), np.ones((1, 2)))


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A pair with the calibration that it came with, and a cache of its own."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    write_calibration(tmp_path / "a-pair", some(1.0), {"seed": 1})
    return tmp_path / "a-pair"


def test_what_was_set_aside_comes_back(folder):
    set_aside(folder)
    write_calibration(folder, some(2.0), {"seed": 2})
    assert kept_aside(folder)
    put_back(folder)
    assert (read_calibration(folder).bias[0], read_figures(folder)) == (1.0, {"seed": 1})
    assert not kept_aside(folder)


def test_only_the_first_one_is_kept(folder):
    for bias in (2.0, 3.0):
        set_aside(folder)
        write_calibration(folder, some(bias), {"seed": 2})
    put_back(folder)
    assert read_calibration(folder).bias[0] == 1.0


def test_a_pair_without_a_calibration_has_nothing_to_keep(folder):
    (folder / "calibration.safetensors").unlink()
    set_aside(folder)
    assert not kept_aside(folder)
