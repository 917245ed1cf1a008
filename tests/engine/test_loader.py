"""Damaged or mismatched folders are refused in one sentence that names the thing and the way out."""

import json
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from expediter.core.calibration import Calibration
from expediter.core.pairs import PairInfo, find, pairs
from expediter.engine import model_folder
from expediter.engine.calibration_store import write_calibration
from expediter.engine.confidence import width
from expediter.engine.device import choose
from expediter.engine.loader import load
from tests.engine import tiny

SHIPPED = find("mini-good").target


def folder(tmp_path: Path, vocabulary: int = 4096, hidden: int = 32) -> PairInfo:
    """A pair of random models with the shipped tokenizer."""
    for name, layers in (("big", 2), ("small", 1)):
        tiny.model("llama", vocabulary if name == "small" else 4096, layers=layers).save_pretrained(tmp_path / name)
    for file in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        (tmp_path / "big" / file).write_bytes((SHIPPED / file).read_bytes())
    features = width(hidden)
    write_calibration(tmp_path / "pair", Calibration([0.0, 1.0], np.zeros((2, features)), np.zeros(2), np.ones((2, 8))), {})
    return PairInfo("pair", "Pair", "", tmp_path / "big", tmp_path / "small", 8, tmp_path / "pair")


def test_a_whole_folder_loads_and_speaks(tmp_path):
    pair = load("pair", info=folder(tmp_path))
    ids = pair.encode("Tell me a story.")
    assert pair.tokenizer.decode(ids).startswith("<|prompt|>Tell me a story.")
    assert len(pair.pieces) == 4096
    assert pair.tokenizer.eos_token_id in pair.end


def test_a_folder_of_the_projects_own_is_called_by_its_short_name():
    assert model_folder.called(SHIPPED) == "models/mini"


def test_missing_weights_are_named(tmp_path):
    info = folder(tmp_path)
    (tmp_path / "small" / "model.safetensors").unlink()
    with pytest.raises(OSError, match=rf"{tmp_path}/small/model\.safetensors is missing.*Restore"):
        load("pair", info=info)


def test_damaged_weights_are_named(tmp_path):
    info = folder(tmp_path)
    (tmp_path / "big" / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(ValueError, match=f"{tmp_path}/big could not be read"):
        load("pair", info=info)


@pytest.mark.parametrize("content", ["[]", '"text"', "{", "\x00"])
def test_a_damaged_config_is_named(tmp_path, content):
    info = folder(tmp_path)
    (tmp_path / "small" / "config.json").write_text(content)
    with pytest.raises(ValueError, match=rf"{tmp_path}/small/config\.json is damaged: restore the folder"):
        load("pair", info=info)


def test_a_damaged_tokenizer_is_named(tmp_path):
    info = folder(tmp_path)
    (tmp_path / "big" / "tokenizer.json").write_text("{")
    with pytest.raises(ValueError, match=f"tokenizer of {tmp_path}/big could not be read"):
        load("pair", info=info)


def test_models_that_do_not_belong_together_are_refused(tmp_path):
    with pytest.raises(ValueError, match="do not belong together"):
        load("pair", info=folder(tmp_path, vocabulary=512))


def test_a_calibration_of_another_draft_is_refused(tmp_path):
    with pytest.raises(ValueError, match="calibrate the pair again"):
        load("pair", info=folder(tmp_path, hidden=16))


def test_no_calibration_is_told_with_the_command_that_makes_one(tmp_path):
    info = folder(tmp_path)
    (tmp_path / "pair" / "calibration.safetensors").unlink()
    with pytest.raises(OSError, match="python -m expediter calibrate pair"):
        load("pair", info=info)


def test_an_unknown_pair_is_answered_with_the_known_ones():
    with pytest.raises(KeyError, match="mini-good"):
        load("no-such-pair")


def test_a_damaged_description_hides_that_pair_and_no_other(tmp_path):
    good = {"title": "t", "about": "a", "target": "x", "draft": "y", "max_depth": 8}
    for name, text in (("one", json.dumps(good)), ("two", "{"), ("three", "[]")):
        (tmp_path / "pairs" / name).mkdir(parents=True)
        (tmp_path / "pairs" / name / "pair.json").write_text(text)
    assert [info.name for info in pairs(tmp_path)] == ["one"]


def test_a_device_or_dtype_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="dtype"):
        choose("cpu", "int3")
    assert choose("cpu").name == "float32"


def test_two_pairs_that_are_swapped_quickly_are_built_one_after_the_other(tmp_path, monkeypatch):
    """Two at once in two threads, and transformers takes tied weights of one of them for missing."""
    info, place = folder(tmp_path), choose("cpu", None, 0)
    build, now, most = model_folder.AutoModelForCausalLM.from_pretrained, [], []

    def slowly(*given, **options):
        now.append(1)
        most.append(len(now))
        time.sleep(0.05)
        made = build(*given, **options)
        now.pop()
        return made

    monkeypatch.setattr(model_folder.AutoModelForCausalLM, "from_pretrained", slowly)
    readers = [threading.Thread(target=model_folder.read_model, args=(info.target, place)) for _ in range(3)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert most == [1, 1, 1]
