"""A model's size from its folder: the shipped ones as their cards say, and folders that are no models."""

import json
import struct
from pathlib import Path

import pytest

from expediter.core.model_size import folder_bytes, model_size
from expediter.core.pairs import MODELS


def write(folder: Path, header: dict, config: str | None = None, name: str = "model.safetensors") -> Path:
    """A folder with a safetensors file that has only its header."""
    folder.mkdir(exist_ok=True)
    text = json.dumps(header).encode()
    (folder / name).write_bytes(struct.pack("<Q", len(text)) + text)
    if config is not None:
        (folder / "config.json").write_text(config)
    return folder


@pytest.mark.parametrize(
    ("name", "parameters", "kind", "layers", "width"),
    [("pocket", 15.3e6, "llama", 12, 320), ("pocket-draft-cheap", 0.1e6, "llama", 1, 32), ("mini", 8.3e6, "llama", 6, 320)],
)
def test_shipped_models_are_as_big_as_their_cards_say(name, parameters, kind, layers, width):
    size = model_size(MODELS / name)
    assert round(size.parameters / 1e6, 1) == parameters / 1e6
    assert (size.kind, size.layers, size.width) == (kind, layers, width)
    assert size.weights == (MODELS / name / "model.safetensors").stat().st_size
    assert size.kept % (2 * layers) == 0
    assert 0 < size.kept <= 2 * layers * width


def test_several_files_are_one_model(tmp_path):
    shape = {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]}
    write(
        tmp_path,
        {"a": shape, "__metadata__": {"format": "pt"}},
        '{"model_type": "gpt2", "n_layer": 2, "n_embd": 4, "n_head": 2}',
        "model-1.safetensors",
    )
    write(tmp_path, {"b": shape, "scalar": {"dtype": "F32", "shape": [], "data_offsets": [48, 52]}}, name="model-2.safetensors")
    size = model_size(tmp_path)
    assert (size.parameters, size.kind, size.layers, size.width, size.kept) == (25, "gpt2", 2, 4, 16)


@pytest.mark.parametrize(
    "content", [b"", b"short", struct.pack("<Q", 2**60) + b"{}", struct.pack("<Q", 2) + b"[]", struct.pack("<Q", 4) + b'{"a"']
)
def test_what_is_no_safetensors_has_no_size(tmp_path, content):
    (tmp_path / "model.safetensors").write_bytes(content)
    assert model_size(tmp_path) is None


def test_a_folder_that_is_not_there_has_no_size(tmp_path):
    assert model_size(tmp_path / "nowhere") is None
    assert folder_bytes(tmp_path / "nowhere") == 0


@pytest.mark.parametrize("config", ["{", "[1]", None, '{"num_hidden_layers": "many"}'])
def test_a_config_that_says_nothing_leaves_the_weights_counted(tmp_path, config):
    size = model_size(write(tmp_path, {"a": {"shape": [5]}}, config))
    assert (size.parameters, size.kind, size.layers) == (5, "", 0)


def test_a_folder_counts_once(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "b").write_bytes(b"123")
    assert folder_bytes(tmp_path, tmp_path) == 5
