"""Load a pair from its folder: target, draft, tokenizer, calibrated confidence. Local safetensors only, no code from the folder."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging

from expediter.core.pairs import PairInfo, find
from expediter.engine.calibration_store import read_calibration
from expediter.engine.confidence import Probe, Scorer, width
from expediter.engine.device import Place, choose
from expediter.engine.drafter import Drafter, OneByOne
from expediter.engine.lean import LeanLlama
from expediter.engine.requests import ROOM
from expediter.engine.target import Target


@dataclass(frozen=True)
class Pair:
    """A loaded pair. Weights only: everything that changes belongs to an engine."""

    name: str
    target: Target
    drafter: Callable[[int], Drafter]  # slots → a drafter with an empty store
    scorer: Scorer
    tokenizer: object

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


def read_model(folder: Path, place: Place):
    """A causal LM from local safetensors. Raises OSError or ValueError with one sentence when the folder is not whole."""
    if not (folder / "model.safetensors").exists():
        raise OSError(
            f"{folder.name}/model.safetensors is missing: the model was copied half. Restore models/{folder.name} or pick another pair."
        )
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
    target, draft = read_model(info.target, place), read_model(info.draft, place)
    tokenizer = read_tokenizer(info.target)
    sizes = {target.config.vocab_size, draft.config.vocab_size}
    if len(sizes) > 1 or len(tokenizer) > min(sizes):
        raise ValueError(
            f"The target {info.target.name} reads {target.config.vocab_size} tokens, the draft {info.draft.name} "
            f"{draft.config.vocab_size} and the tokenizer {len(tokenizer)}: they do not belong together. Pick another pair."
        )
    lean = LeanLlama(draft, ROOM + 16)
    scorer = _probe(info, draft.config.hidden_size, place) if calibrated else _Unscored()
    return Pair(
        name=info.name,
        target=Target(target, place),
        drafter=lambda slots: OneByOne(lean, slots),
        scorer=scorer,
        tokenizer=tokenizer,
    )


def _probe(info: PairInfo, hidden: int, place: Place) -> Probe:
    calibration = read_calibration(info.folder)
    have, need = calibration.weights.shape[1], width(hidden)
    if have != need:
        raise ValueError(
            f"models/pairs/{info.name} was calibrated for a draft with {have} features, this one has {need}: "
            f"calibrate the pair again (python -m expediter calibrate {info.name})."
        )
    return Probe(calibration, place.device)
