"""Plain decoding: the target alone, one token at a time.

transformers' own generate with its own attention and its own cache: nothing of this engine takes part but the prompts.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

import torch
from transformers.generation.streamers import BaseStreamer

from expediter.core.answers import PlainAnswer
from expediter.core.pairs import find
from expediter.engine.device import Place
from expediter.engine.loader import Pair, read_model

Prompts = Mapping[int, tuple[str, str]]  # request number → workload and prompt
Grew = Callable[[dict[int, PlainAnswer]], None]  # called with the requests that have just got a token, without leads


class Growing(BaseStreamer):
    """Passes on what generate has written so far, after each token."""

    def __init__(self, grew: Callable[[list[list[int]]], None]):
        self.grew, self.steps = grew, []

    def put(self, value: torch.Tensor) -> None:
        """The prompts [N, L] at first, then one token a row [N]."""
        if value.ndim == 1:
            self.steps.append(value.tolist())
            self.grew([list(row) for row in zip(*self.steps, strict=True)])

    def end(self) -> None:
        """Nothing is left to pass on."""


def reference(name: str, place: Place):
    """The pair's target as transformers loads it, apart from the engine's. Raises OSError or ValueError as `load` does."""
    return read_model(find(name).target, place)


def plain_answers(
    model, pair: Pair, prompts: Prompts, tokens: int, turns: AbstractContextManager, grew: Grew = lambda answers: None
) -> dict[int, PlainAnswer]:
    """Every request's greedy answer of at most `tokens` tokens, up to its end mark. Takes a turn for each group of equal prompts."""
    ids = {number: pair.encode(text) for number, (_, text) in prompts.items()}
    done: dict[int, PlainAnswer] = {}
    for length in sorted({len(row) for row in ids.values()}):  # prompts of one length need no padding
        numbers = [number for number, row in ids.items() if len(row) == length]

        def answers(rows: list[list[int]], leads: list[list[float]] | None = None, numbers: list[int] = numbers) -> dict[int, PlainAnswer]:
            leads = leads or [[]] * len(rows)
            return {n: _answer(n, prompts[n], row, lead, pair.end) for n, row, lead in zip(numbers, rows, leads, strict=True)}

        with turns:
            stream = Growing(lambda rows, answers=answers: grew(answers(rows)))
            leads = _generate(model, torch.tensor([ids[number] for number in numbers]), tokens, stream)
        done |= answers([list(row) for row in zip(*stream.steps, strict=True)], leads)
    return done


def _generate(model, ids: torch.Tensor, tokens: int, stream: Growing) -> list[list[float]]:
    """Decode prompts of one length [N, L]. → by how much the best logit led the second at each token [N, n]"""
    greedy = {"max_new_tokens": tokens, "do_sample": False, "return_dict_in_generate": True, "output_logits": True}
    ids = ids.to(model.device)
    out = model.generate(ids, attention_mask=torch.ones_like(ids), streamer=stream, **greedy)
    best = [step.float().topk(2, dim=-1).values for step in out.logits]  # n times [N, 2]
    return torch.stack([two[:, 0] - two[:, 1] for two in best], dim=1).tolist()  # [N, n]


def _answer(number: int, told: tuple[str, str], row: list[int], leads: list[float], end: frozenset[int]) -> PlainAnswer:
    n = next((i + 1 for i, token in enumerate(row) if token in end), len(row))
    return PlainAnswer(number, *told, tuple(row[:n]), tuple(leads[:n]))
