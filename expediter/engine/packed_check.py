"""The proof that a model may be run packed: random texts read in one batch give the numbers that they give one by one.

Whatever looks at a token in another way (windows, distances added to the scores, states instead of keys) shows up here.
"""

import numpy as np
import torch

from expediter.engine.drafter import Drafter
from expediter.engine.requests import ROOM, Requests
from expediter.engine.target import Target

LENGTHS = (3, 41, ROOM - 2, 90)  # committed tokens of the texts
COUNTS = np.array([1, 6, 9, 4])  # tokens of each that are read in one batch, anchor included
DEPTH = 4
TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 0.06}  # of how much the logits differ among themselves


def check_target(target: Target, name: str) -> None:
    """Raises ValueError with one sentence when the packed forward is not the model's own, or does not run at all."""
    try:
        error = _target_error(target)
    except Exception as wrong:  # whatever a foreign architecture can throw
        raise ValueError(
            f"{name} cannot be read packed ({type(wrong).__name__} in a {target.model.config.model_type}): pick another model."
        ) from wrong
    _judge(error, target, target.place.dtype, f"{name} answers differently when requests are read together")


def check_draft(drafter: Drafter, reference: Target, name: str) -> None:
    """The same for a draft that guesses one token at a time: the logits behind its guesses. reference: the draft read from its folder."""
    try:
        error = _draft_error(drafter, reference)
    except Exception as wrong:  # as above
        raise ValueError(
            f"{name} cannot draft ({type(wrong).__name__} in a {reference.model.config.model_type}): pick another draft."
        ) from wrong
    _judge(error, reference, drafter.model.products, f"{name} guesses otherwise than it would alone")


def _judge(error: float, target: Target, products: torch.dtype, told: str) -> None:
    if not error <= TOLERANCE[products]:  # also when it is no number
        kind = target.model.config.model_type
        raise ValueError(f"{told} (a {kind}, off by {error:.1e} of the spread): pick another model.")


def _texts(target: Target) -> tuple[Requests, np.ndarray]:
    """Requests of random tokens, and more tokens behind them. → requests, [R, n]"""
    rng = np.random.default_rng(0)
    most = min(target.model.config.vocab_size, target.model.get_input_embeddings().num_embeddings)
    requests = Requests(len(LENGTHS))
    for slot, length in enumerate(LENGTHS):
        requests.start(slot, slot, rng.integers(0, most, length).tolist(), ROOM, "", "")
    return requests, rng.integers(0, most, (len(LENGTHS), int(COUNTS.max())))


@torch.inference_mode()
def one_by_one(target: Target, text: np.ndarray, last: int) -> torch.Tensor:
    """The logits of the last tokens of a text as the model's own attention has them. → [last, V]"""
    packed = target.model.config._attn_implementation
    target.model.set_attn_implementation("eager")
    try:
        return target.model(input_ids=torch.from_numpy(text).to(target.place.device)[None], use_cache=False).logits[0, -last:]
    finally:
        target.model.set_attn_implementation(packed)


def _target_error(target: Target) -> float:
    requests, more = _texts(target)
    slots = np.arange(len(LENGTHS))
    store = target.store(len(LENGTHS), requests.tokens.shape[1])
    target.prefill(store, requests, slots)
    tokens = np.concatenate([requests.anchors(len(LENGTHS))[:, None], more], axis=1)
    ours = target.read(store, tokens, COUNTS, requests.length - 1, slots).split(COUNTS.tolist())
    texts = [np.concatenate([requests.tokens[r, : requests.length[r] - 1], tokens[r, : COUNTS[r]]]) for r in slots]
    return _apart(ours, [one_by_one(target, text, int(count)) for text, count in zip(texts, COUNTS, strict=True)])


def _draft_error(drafter: Drafter, reference: Target) -> float:
    requests, _ = _texts(reference)
    load = len(LENGTHS)
    draft = drafter.propose(requests, load, DEPTH, 0.0, 0)
    depth = draft.tokens.shape[1]
    known = min(draft.logits.shape[-1], reference.model.config.vocab_size)
    texts = [np.concatenate([requests.tokens[r, : requests.length[r]], draft.tokens[r, :-1]]) for r in range(load)]
    return _apart([row[:, :known] for row in draft.logits], [one_by_one(reference, text, depth)[:, :known] for text in texts])


def _apart(ours: list[torch.Tensor], theirs: list[torch.Tensor]) -> float:
    """Root mean square of the differences, as a share of how much the logits differ among themselves."""
    a, b = torch.cat(list(ours)).double(), torch.cat(theirs).double()
    return float((a - b).square().mean().sqrt() / b.std().clamp(min=1e-12))
