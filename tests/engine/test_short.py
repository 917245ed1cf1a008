"""Where a draft's products may be in a shorter format than its target's."""

import pytest
import torch

from expediter.engine import device
from expediter.engine.device import Place, short


@pytest.mark.parametrize(
    ("dtype", "hardware", "found"),
    [(torch.float32, True, torch.bfloat16), (torch.float32, False, None), (torch.bfloat16, True, None)],
)
def test_only_beside_a_float32_target_and_where_the_hardware_has_it(dtype, hardware, found, monkeypatch):
    monkeypatch.delenv("EXPEDITER_DTYPE", raising=False)
    monkeypatch.setattr(device, "multiplies_short", lambda name: hardware)
    assert short(Place(torch.device("cpu"), dtype)) == found


def test_whoever_names_a_format_gets_no_other(monkeypatch):
    monkeypatch.setattr(device, "multiplies_short", lambda name: True)
    monkeypatch.setenv("EXPEDITER_DTYPE", "float32")
    assert short(Place(torch.device("cpu"), torch.float32)) is None
