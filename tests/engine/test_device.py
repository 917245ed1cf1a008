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


def test_the_environment_has_a_say_where_the_caller_has_none(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setenv("EXPEDITER_DEVICE", "cpu")
    monkeypatch.setenv("EXPEDITER_DTYPE", "bfloat16")
    assert (choose().device.type, choose().name) == ("cpu", "bfloat16")
    assert (choose("cuda").device.type, choose(dtype="float32").name) == ("cuda", "float32")
    monkeypatch.setenv("EXPEDITER_DEVICE", "")
    assert choose().device.type == "cuda"


@pytest.mark.parametrize("named", ["cuda", "cuda:1", "gpu", "mps"])
def test_a_device_that_is_not_there_is_told_in_one_sentence(monkeypatch, named):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    monkeypatch.setenv("EXPEDITER_DEVICE", named)
    with pytest.raises(ValueError, match=f"'{named}' was asked for, but torch finds only cpu here: ask for cpu"):
        choose()
    monkeypatch.setenv("EXPEDITER_DEVICE", "cpu")
    with pytest.raises(ValueError, match="'float64' is not offered: choose one of float32, bfloat16"):
        choose(dtype="float64")


@pytest.mark.parametrize("has", ["_is_avx512_bf16_supported", "_is_amx_tile_supported"])
def test_either_kind_of_instruction_is_enough(monkeypatch, has):
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, name, lambda name=name: name == has, raising=False)
    assert device.multiplies_short("cpu")
    monkeypatch.setattr(torch.cpu, has, lambda: False)
    assert not device.multiplies_short("cpu")
    assert not device.multiplies_short("mps")
