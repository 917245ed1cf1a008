"""How big a model is, read off its folder without loading anything: the first bytes of its safetensors, and its config.json."""

import json
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path

LONGEST = 64 * 2**20  # bytes of a header that is still read


@dataclass(frozen=True, slots=True)
class ModelSize:
    """What a folder says about its model."""

    parameters: int  # numbers in all its tensors
    weights: int  # bytes of the safetensors
    kind: str  # "llama", "qwen3", "dspark", …; empty when it does not say
    layers: int  # 0 when it does not say
    width: int  # d, 0 when it does not say
    kept: int  # numbers kept of every token that it has read: keys and values; 0 when it does not say


def model_size(folder: Path) -> ModelSize | None:
    """The model in a folder; None where its weights are missing or do not read."""
    whole = folder / "model.safetensors"
    files = [whole] if whole.exists() else sorted(folder.glob("model-*.safetensors"))
    try:
        tensors = sum(_parameters(file) for file in files)
        weights = sum(file.stat().st_size for file in files)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not tensors:
        return None
    config = _config(folder)
    kind = str(config.get("kind") or config.get("model_type") or "")
    layers, width = _whole(config, "num_hidden_layers", "n_layer"), _whole(config, "hidden_size", "n_embd")
    heads = _whole(config, "num_attention_heads", "n_head")
    head_width = _whole(config, "head_dim") or width // max(heads, 1)
    return ModelSize(tensors, weights, kind, layers, width, 2 * layers * (_whole(config, "num_key_value_heads") or heads) * head_width)


def folder_bytes(*folders: Path) -> int:
    """What these folders take on disk, each counted once, without their subfolders."""
    return sum(file.stat().st_size for folder in set(folders) if folder.is_dir() for file in folder.iterdir() if file.is_file())


def _parameters(file: Path) -> int:
    """Numbers in one safetensors file: its header lists the shapes. Raises OSError, ValueError, KeyError or TypeError where it does not."""
    with file.open("rb") as stream:
        length = struct.unpack("<Q", stream.read(8).ljust(8, b"\0"))[0]
        if length > LONGEST:
            raise ValueError("the header is too long")
        header = json.loads(stream.read(length))
    if not isinstance(header, dict):
        raise ValueError("the header is no object")
    return sum(prod(map(int, tensor["shape"])) for name, tensor in header.items() if name != "__metadata__")


def _config(folder: Path) -> dict:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}


def _whole(config: dict, *names: str) -> int:
    return next((config[name] for name in names if type(config.get(name)) is int), 0)
