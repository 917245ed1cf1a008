"""What a model is, told from its config before any weight is read, and in one sentence why this engine cannot run it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from transformers import AutoConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from expediter.core.model_size import model_size
from expediter.engine.requests import ROOM

PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
POSITIONS = ROOM + 16  # of one request: committed tokens, and guesses behind them


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes that memory depends on."""

    layers: int
    kv_heads: int
    width: int  # of one head
    hidden: int  # d
    vocabulary: int  # V


def shape(folder: Path, name: str) -> Shape:
    """From the folder's config.json. Raises ValueError with one sentence for a model that cannot run here; name: as the reader gave it."""
    try:
        data = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        assert isinstance(data, dict)
    except (OSError, ValueError, AssertionError) as error:
        raise ValueError(f"{name} has no readable config.json: give the folder of a whole model.") from error
    if problem := _odd(data):
        raise ValueError(f"{name} {problem}: pick another model.")
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        heads = config.num_attention_heads
        return Shape(
            layers=config.num_hidden_layers,
            kv_heads=getattr(config, "num_key_value_heads", None) or heads,
            width=getattr(config, "head_dim", None) or config.hidden_size // heads,
            hidden=config.hidden_size,
            vocabulary=config.vocab_size,
        )
    except Exception as error:  # whatever a config can make transformers say
        raise ValueError(f"{name} has a config.json that is not understood ({type(error).__name__}): pick another model.") from error


def _odd(data: Mapping) -> str | None:
    """Why a model of this config is not run, as the end of a sentence."""
    kind = data.get("model_type")
    if data.get("is_encoder_decoder"):
        return "is an encoder-decoder, not a model that goes on with a text"
    if kind not in CONFIG_MAPPING:
        own = "brings code of its own, which is never run" if data.get("auto_map") else "is of a kind that is not known here"
        return f"{own} (model_type {kind!r})"
    if kind not in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        return f"is a {kind}, which is no language model"
    if data.get("quantization_config"):
        return "is stored quantised, which is not read"
    if data.get("attn_logit_softcapping"):
        return "bends its attention scores, which is not done here"
    window = data.get("sliding_window")
    kinds = data.get("layer_types") or ()
    slides = data.get("use_sliding_window", True) if not kinds else "sliding_attention" in kinds
    if window and slides and window < POSITIONS:
        return f"looks back only {window} tokens, and requests here have up to {POSITIONS}"
    if other := sorted({k for k in kinds if k not in ("full_attention", "sliding_attention")}):
        return f"has layers of the kind {other[0]}, which keep no keys and values"
    most = data.get("max_position_embeddings") or data.get("n_positions")
    if most and most < POSITIONS:
        return f"knows {most} positions, and requests here need {POSITIONS}"
    return None


def parameters(folder: Path, name: str) -> int:
    """How many numbers the folder's safetensors hold. Raises ValueError with one sentence when there are none or one is damaged."""
    if size := model_size(folder):
        return size.parameters
    if any(folder.glob("model*.safetensors")):
        raise ValueError(f"{name} has damaged weights: copy or fetch it again.")
    pickles = sorted(file.name for file in folder.iterdir() if file.suffix in PICKLES)
    raise ValueError(f"{name} {no_safetensors(pickles)}: pick a model with safetensors.")


def no_safetensors(pickles: list[str]) -> str:
    """What a model without safetensors has instead, as the end of a sentence."""
    return f"keeps its weights only as {pickles[0]}, a format that can run code and is never read" if pickles else "has no safetensors"
