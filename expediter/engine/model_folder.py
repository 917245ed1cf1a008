"""What lies in a model's folder, read from local safetensors and JSON only; what is missing or damaged is told in one sentence."""

import json
import threading
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from transformers.utils import logging

from expediter.core.pairs import MODELS
from expediter.engine.device import Place
from expediter.engine.few_words import IDS

building = threading.Lock()  # while transformers builds a model it changes torch for the whole process: one model after the other


def called(folder: Path) -> str:
    """What a message calls a folder: models/pocket for one of the project's, the whole path for any other."""
    return f"models/{folder.name}" if folder.parent == MODELS else str(folder)


def read_config(folder: Path) -> dict:
    """A draft's config.json. Raises OSError or ValueError with one sentence when it is missing or damaged."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if not isinstance(config, dict):
            raise ValueError("the top level is not an object")
        return config
    except OSError as error:
        raise OSError(f"{called(folder)}/config.json is missing: restore the folder or pick another pair.") from error
    except ValueError as error:
        raise ValueError(f"{called(folder)}/config.json is damaged: restore the folder or pick another pair.") from error


def read_weights(folder: Path, without: tuple[str, ...] = ()) -> dict[str, torch.Tensor]:
    """The tensors of a folder by name, in one safetensors file or in several that an index lists.

    without: beginnings of names that are left unread. Raises OSError or ValueError with one sentence when the folder is not whole.
    """
    _weights_there(folder)
    found = {}
    try:
        for file in _files(folder):
            with safe_open(file, "pt") as part:
                found |= {name: part.get_tensor(name) for name in part.keys() if not name.startswith(without)}  # noqa: SIM118 (not a dict)
    except (SafetensorError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{called(folder)} could not be read ({error}): restore the folder or pick another pair.") from error
    return found


def _files(folder: Path) -> list[Path]:
    """The files that hold a folder's weights."""
    index = folder / "model.safetensors.index.json"
    if not index.exists():
        return [folder / "model.safetensors"]
    return [folder / name for name in sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))]


def _weights_there(folder: Path) -> None:
    if not any((folder / name).exists() for name in ("model.safetensors", "model.safetensors.index.json")):
        raise OSError(f"{called(folder)}/model.safetensors is missing: the model was copied half. Restore the folder or pick another pair.")


def read_model(folder: Path, place: Place):
    """A causal LM from local safetensors. Raises OSError or ValueError with one sentence when the folder is not whole."""
    _weights_there(folder)
    try:
        logging.disable_progress_bar()
        logging.set_verbosity_error()  # what does not fit is told in one sentence, not in a table before it
        options = {"dtype": place.dtype, "local_files_only": True, "use_safetensors": True, "output_loading_info": True}
        with building:
            model, told = AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=False, **options)
    except Exception as error:
        raise ValueError(
            f"{called(folder)} could not be read ({type(error).__name__}): restore the folder or pick another pair."
        ) from error
    if told["missing_keys"]:  # transformers would fill them with random numbers
        raise ValueError(f"{called(folder)} lacks {min(told['missing_keys'])}: restore the folder or pick another pair.")
    return model.to(place.device).eval()


def read_few(folder: Path, place: Place) -> tuple[LlamaForCausalLM, torch.Tensor]:
    """A Llama that knows only some of its target's tokens, and which those are [V']; its last row stands for all others.

    Raises OSError or ValueError with one sentence when the folder is not whole.
    """
    weights = read_weights(folder)
    ids = weights.pop(IDS, torch.zeros(0))
    try:
        with building:
            model = LlamaForCausalLM(LlamaConfig.from_pretrained(folder, local_files_only=True))
            lacking = model.load_state_dict(weights, strict=False).missing_keys
    except Exception as error:
        raise ValueError(
            f"{called(folder)} could not be read ({type(error).__name__}): restore the folder or pick another pair."
        ) from error
    lacking = [name for name in lacking if not (name == "lm_head.weight" and model.config.tie_word_embeddings)]
    if lacking or len(ids) != model.config.draft_vocab_size:
        raise ValueError(f"{called(folder)} lacks {min(lacking, default=IDS)}: restore the folder or pick another pair.")
    return model.to(place.device, place.dtype).eval(), ids.long().to(place.device)


def read_tokenizer(folder: Path):
    """A tokenizer from local files. Raises ValueError with one sentence when they are not whole.

    tokenizer.json says all there is to say; the class that a folder names may build its own and cut digits another way.
    """
    kind = PreTrainedTokenizerFast if (folder / "tokenizer.json").exists() else AutoTokenizer
    try:
        return kind.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:
        again = "restore the folder or pick another pair"
        raise ValueError(f"The tokenizer of {called(folder)} could not be read ({type(error).__name__}): {again}.") from error
