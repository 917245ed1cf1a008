"""Which number format a model runs in unless it is told."""

import pytest
import torch

from expediter.engine import device
from expediter.engine.device import LARGE, choose


@pytest.mark.parametrize(
    ("numbers", "able", "wanted"), [(LARGE, True, "bfloat16"), (LARGE, False, "float32"), (LARGE - 1, True, "float32")]
)
def test_only_a_large_model_on_a_machine_that_multiplies_it_runs_in_bfloat16(monkeypatch, numbers, able, wanted):
    monkeypatch.setattr(device, "multiplies_short", lambda place: able)
    assert choose("cpu", None, numbers).name == wanted


def test_what_is_asked_for_counts(monkeypatch):
    monkeypatch.setattr(device, "multiplies_short", lambda place: True)
    assert choose("cpu", "float32", LARGE).name == "float32"
    assert choose("cpu", "bfloat16").name == "bfloat16"


@pytest.mark.parametrize("has", ["_is_avx512_bf16_supported", "_is_amx_tile_supported"])
def test_either_kind_of_instruction_is_enough(monkeypatch, has):
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, name, lambda name=name: name == has, raising=False)
    assert device.multiplies_short("cpu")
    monkeypatch.setattr(torch.cpu, has, lambda: False)
    assert not device.multiplies_short("cpu")
    assert not device.multiplies_short("mps")
