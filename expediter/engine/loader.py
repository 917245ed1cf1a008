"""Load a pair from its folder: target, draft, tokenizer, calibrated confidence. Local safetensors only, no code from the folder."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging

from expediter.core.pairs import PairInfo, find
from expediter.engine.calibration_store import read_calibration
from expediter.engine.confidence import Probe, Scorer, width
from expediter.engine.device import Place, choose
from expediter.engine.drafter import Drafter, OneByOne
from expediter.engine.dspark import BlockDrafter
from expediter.engine.dspark_config import DSparkConfig, is_dspark, parse
from expediter.engine.dspark_model import DSparkModel
from expediter.engine.kv_store import KVStore
from expediter.engine.lean import LeanLlama
from expediter.engine.requests import ROOM
from expediter.engine.target import Target


@dataclass(frozen=True)
class Pair:
    """A loaded pair. Weights only: everything that changes belongs to an engine."""

    name: str
    target: Target
    drafter: Callable[..., Drafter]  # (slots, the target's store) → a drafter with an empty store of its own
    scorer: Scorer
    tokenizer: object
    plain: Callable[[int, KVStore], Drafter] | None = None  # the same with the Markov head left out; None where there is none

    @cached_property
    def end(self) -> frozenset[int]:
        """Tokens that close an answer."""
        ids = self.target.model.generation_config.eos_token_id
        ids = [ids] if isinstance(ids, int) else ids or []
        return frozenset([*ids, self.tokenizer.eos_token_id])

    @cached_property
    def pieces(self) -> list[str]:
        """Every token as text of its own."""
        return self.tokenizer.batch_decode([[i] for i in range(len(self.tokenizer))], clean_up_tokenization_spaces=False)

    def encode(self, prompt: str) -> list[int]:
        """A prompt through the chat template, ready for an answer."""
        turn = [{"role": "user", "content": prompt}]
        return self.tokenizer.apply_chat_template(turn, add_generation_prompt=True, return_dict=False)

    def texts(self, rows: list) -> list[str]:
        """Several token sequences as text, without the end mark."""
        return self.tokenizer.batch_decode(rows, skip_special_tokens=True, clean_up_tokenization_spaces=False)


def read_config(folder: Path) -> dict:
    """A draft's config.json. Raises OSError or ValueError with one sentence when it is missing or damaged."""
    try:
        return json.loads((folder / "config.json").read_text())
    except OSError as error:
        raise OSError(f"models/{folder.name}/config.json is missing: restore the folder or pick another pair.") from error
    except ValueError as error:
        raise ValueError(f"models/{folder.name}/config.json is damaged: restore the folder or pick another pair.") from error


def read_weights(folder: Path) -> dict:
    """The tensors of one safetensors file by name. Raises OSError or ValueError with one sentence when it is not whole."""
    _weights_there(folder)
    try:
        return load_file(folder / "model.safetensors")
    except SafetensorError as error:
        raise ValueError(f"models/{folder.name} could not be read ({error}): restore the folder or pick another pair.") from error


def _weights_there(folder: Path) -> None:
    if not (folder / "model.safetensors").exists():
        raise OSError(
            f"{folder.name}/model.safetensors is missing: the model was copied half. Restore models/{folder.name} or pick another pair."
        )


def read_model(folder: Path, place: Place):
    """A causal LM from local safetensors. Raises OSError or ValueError with one sentence when the folder is not whole."""
    _weights_there(folder)
    try:
        logging.disable_progress_bar()
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=place.dtype, local_files_only=True, use_safetensors=True)
    except Exception as error:
        raise ValueError(
            f"models/{folder.name} could not be read ({type(error).__name__}): restore the folder or pick another pair."
        ) from error
    return model.to(place.device).eval()


def read_tokenizer(folder: Path):
    """A tokenizer from local files. Raises ValueError with one sentence when they are not whole."""
    try:
        return AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as error:
        again = "restore the folder or pick another pair"
        raise ValueError(f"The tokenizer of models/{folder.name} could not be read ({type(error).__name__}): {again}.") from error


class _Unscored:
    """In place of a confidence that has yet to be fitted."""

    def score(self, draft, temperature: float):
        raise RuntimeError("This pair was loaded without its calibration, to be calibrated.")


def load(name: str, device: str | None = None, dtype: str | None = None, *, info: PairInfo | None = None, calibrated: bool = True) -> Pair:
    """Load the pair of this name from models/pairs; calibrated=False when its confidence is still to be fitted.

    Raises KeyError for an unknown name, OSError or ValueError with one sentence for a folder that is damaged or does not fit.
    """
    info, place = info or find(name), choose(device, dtype)
    config = read_config(info.draft)
    target, tokenizer = read_model(info.target, place), read_tokenizer(info.target)
    if is_dspark(config):
        drafters, hidden = _block_drafters(parse(config, f"models/{info.draft.name}"), info, target)
        features = tuple(config["target_layer_ids"])
    else:
        drafters, hidden = _ordinary_drafters(info, target, place)
        features = ()
    if len(tokenizer) > target.config.vocab_size:
        raise ValueError(
            f"The target {info.target.name} reads {target.config.vocab_size} tokens and its tokenizer has {len(tokenizer)}: "
            "they do not belong together. Pick another pair."
        )
    return Pair(
        name=info.name,
        target=Target(target, place, features),
        scorer=_probe(info, hidden, place) if calibrated else _Unscored(),
        tokenizer=tokenizer,
        **drafters,
    )


def _ordinary_drafters(info: PairInfo, target, place: Place) -> tuple[dict[str, Callable], int]:
    """A draft that guesses one token at a time. → Pair's drafters, width of the hidden state"""
    draft = read_model(info.draft, place)
    if draft.config.vocab_size != target.config.vocab_size:
        raise ValueError(
            f"The target {info.target.name} reads {target.config.vocab_size} tokens, the draft {info.draft.name} "
            f"{draft.config.vocab_size}: they do not belong together. Pick another pair."
        )
    lean = LeanLlama(draft, ROOM + 16)
    return {"drafter": lambda slots, store=None: OneByOne(lean, slots)}, draft.config.hidden_size


def _block_drafters(config: DSparkConfig, info: PairInfo, target) -> tuple[dict[str, Callable], int]:
    """A draft that guesses a block from its target's hidden states. → Pair's drafters, width of what the confidence sees"""
    model = DSparkModel(config, read_weights(info.draft), target, ROOM + 16)
    make = {
        "drafter": lambda slots, store=None: BlockDrafter(model, slots, store),
        "plain": lambda slots, store=None: BlockDrafter(model, slots, store, markov=False),
    }
    return make, config.width + config.rank


def _probe(info: PairInfo, hidden: int, place: Place) -> Probe:
    calibration = read_calibration(info.folder)
    have, need = calibration.weights.shape[1], width(hidden)
    if have != need:
        raise ValueError(
            f"models/pairs/{info.name} was calibrated for a draft with {have} features, this one has {need}: "
            f"calibrate the pair again (python -m expediter calibrate {info.name})."
        )
    return Probe(calibration, place.device)
