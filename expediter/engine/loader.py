"""Load a pair from its folder: target, draft, tokenizer, calibrated confidence. Local safetensors only, no code from the folder."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import torch

from expediter.core.model_size import model_size
from expediter.core.pairs import PairInfo, find
from expediter.engine.any_draft import AnyDraft
from expediter.engine.calibration_store import FILE, read_calibration
from expediter.engine.confidence import Head, Probe, Scorer, width
from expediter.engine.device import Place, choose, short
from expediter.engine.drafter import Drafter, OneByOne
from expediter.engine.dspark import BlockDrafter
from expediter.engine.dspark_config import is_dspark, parse
from expediter.engine.dspark_model import DSparkModel
from expediter.engine.kv_store import KVStore
from expediter.engine.lean import LeanLlama
from expediter.engine.model_folder import called, read_config, read_few, read_model, read_tokenizer, read_weights
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
        own = self.tokenizer.eos_token_id  # None for a tokenizer that knows no end
        return frozenset([*ids, *([] if own is None else [own])])

    @cached_property
    def pieces(self) -> list[str]:
        """Every token as text of its own; empty for numbers that only pad the vocabulary."""
        rows = [[i] for i in range(self.target.model.config.vocab_size)]
        return self.tokenizer.batch_decode(rows, clean_up_tokenization_spaces=False)

    def encode(self, prompt: str) -> list[int]:
        """A prompt through the chat template, ready for an answer; as it stands for a model that has none."""
        if self.tokenizer.chat_template is None:
            return self.tokenizer(prompt).input_ids
        turn = [{"role": "user", "content": prompt}]
        return self.tokenizer.apply_chat_template(turn, add_generation_prompt=True, return_dict=False)

    def texts(self, rows: list) -> list[str]:
        """Several token sequences as text, without the end mark."""
        return self.tokenizer.batch_decode(rows, skip_special_tokens=True, clean_up_tokenization_spaces=False)


class _Unscored:
    """In place of a confidence that has yet to be fitted."""

    def score(self, draft, temperature: float):
        raise RuntimeError("This pair was loaded without its calibration, to be calibrated.")


def load(name: str, device: str | None = None, dtype: str | None = None, *, info: PairInfo | None = None, calibrated: bool = True) -> Pair:
    """Load the pair of this name from models/pairs; calibrated=False when its confidence is still to be fitted.

    Raises KeyError for an unknown name, OSError or ValueError with one sentence for a folder that is damaged or does not fit.
    """
    info = info or find(name)
    size = model_size(info.target)
    place = choose(device, dtype, size.parameters if size else 0)
    config = read_config(info.draft)
    target, tokenizer = read_model(info.target, place), read_tokenizer(info.target)
    if len(tokenizer) > target.config.vocab_size:
        raise ValueError(
            f"The target {info.target.name} reads {target.config.vocab_size} tokens and its tokenizer has {len(tokenizer)}: "
            "they do not belong together. Pick another pair."
        )
    if not is_dspark(config):
        draft, hidden = _ordinary_draft(info, target, place, len(tokenizer), None if dtype else short(place))
        return Pair(
            name=info.name,
            target=Target(target, place),
            drafter=lambda slots, store=None: OneByOne(draft, slots),
            scorer=_probe(info, hidden, place) if calibrated else _Unscored(),
            tokenizer=tokenizer,
        )
    shape = parse(config, called(info.draft))
    weights = read_weights(info.draft, without=("embed_tokens", "lm_head"))
    block = DSparkModel(shape, weights, target, ROOM + 16, None if dtype else short(place))
    return Pair(
        name=info.name,
        target=Target(target, place, shape.features),
        drafter=lambda slots, store=None: BlockDrafter(block, slots, store),
        plain=lambda slots, store=None: BlockDrafter(block, slots, store, markov=False),
        scorer=_block_scorer(info, block, place) if calibrated else _Unscored(),
        tokenizer=tokenizer,
    )


def _ordinary_draft(info: PairInfo, target, place: Place, words: int, products: torch.dtype | None) -> tuple[LeanLlama | AnyDraft, int]:
    """A draft that guesses one token at a time, and the width of its hidden state. words: how many the tokenizer has; products:
    number format of a small draft's matrices, None for its own."""
    vocabulary = target.config.vocab_size
    if "draft_vocab_size" in read_config(info.draft):
        few, ids = read_few(info.draft, place)
        return LeanLlama(few, ROOM + 16, ids, vocabulary, products), few.config.hidden_size
    draft = read_model(info.draft, place)
    config = draft.config
    if config.vocab_size < words:
        raise ValueError(
            f"The target {info.target.name} reads {vocabulary} tokens, the draft {info.draft.name} "
            f"{config.vocab_size}: they do not belong together. Pick another pair."
        )
    if config.model_type == "llama" and config.hidden_act == "silu" and config.vocab_size == vocabulary:
        with suppress(ValueError):  # not quite a plain one
            return LeanLlama(draft, ROOM + 16, products=products), config.hidden_size
    return AnyDraft(Target(draft, place), vocabulary, ROOM + 16), config.hidden_size


def _block_scorer(info: PairInfo, block: DSparkModel, place: Place) -> Scorer:
    """What was calibrated here, else the confidence head that came with the weights."""
    if block.confidence is not None and not (info.folder / FILE).exists():
        return Head(*block.confidence)
    return _probe(info, block.config.width + block.config.rank, place)


def _probe(info: PairInfo, hidden: int, place: Place) -> Probe:
    calibration = read_calibration(info.folder)
    have, need = calibration.weights.shape[1], width(hidden)
    if have != need:
        raise ValueError(
            f"models/pairs/{info.name} was calibrated for a draft with {have} features, this one has {need}: "
            f"calibrate the pair again (python -m expediter calibrate {info.name})."
        )
    return Probe(calibration, place.device)
