"""Let the target write, and draft a block at every place of what it wrote, drawn as speculative sampling draws it beside that text.

Speculative sampling pairs a guess x ~ p_d with a word y of the output, y ~ p_t: with chance min(p_d, p_t)(v) both are v, and else x comes
from (p_d − p_t)₊ and y from (p_t − p_d)₊, each for itself. Here y is there first. So x is y with chance min(1, p_d(y)/p_t(y)), else it is
drawn from (p_d − p_t)₊, and behind the first that differs from the text the draft goes on alone. The pairs are the same, only drawn from
the other end and for every place at once: the text is the target's whatever a policy sends, and these are the blocks it meets on the way.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import torch

from expediter.core.recorded_places import Places
from expediter.core.workloads import PROMPTS
from expediter.engine.drafter import draw
from expediter.engine.loader import Pair
from expediter.engine.requests import ROOM, Requests
from expediter.engine.sampling import pick
from expediter.engine.uniforms import ACCEPT, OWN, uniforms

WORKLOADS = tuple(PROMPTS)
LONGEST = 112  # words of a text; an answer of the fleet that is longer goes on in another text
LOAD = 64  # texts at once


class Beside:
    """Draws a block's guesses beside the words that the target wrote there. One for each block; called once a place, in order."""

    def __init__(
        self, words: Sequence[torch.Tensor], chances: Sequence[torch.Tensor | None], uniform: np.ndarray, ids: torch.Tensor | None = None
    ):
        """words: the text from this place on, γ times [R]; chances: p_t there, γ times [R, V], None at temperature 0; uniform [R, γ];
        ids: the tokens that the draft proposes [V'], None for all."""
        self.words, self.chances, self.uniform, self.ids = words, chances, uniform, ids
        self.passed = torch.zeros_like(words[0])  # guesses that agree so far  [R]
        self.k = 0

    def __call__(self, logits: torch.Tensor, temperature: float, uniform: np.ndarray) -> tuple[torch.Tensor, torch.Tensor | None]:
        """As `draw`."""
        word, p_target, agrees = self.words[self.k], self.chances[self.k], self.passed == self.k
        if temperature == 0:
            column, proposed = logits.argmax(dim=-1), None
            agrees = agrees & ((column if self.ids is None else self.ids[column]) == word)
        else:
            proposed = torch.softmax(logits.float() / temperature, dim=-1)  # [R, V']
            p = (
                proposed if self.ids is None else torch.zeros_like(p_target, dtype=proposed.dtype).index_copy(-1, self.ids, proposed)
            )  # [R, V]
            at = word[:, None]
            chance = (p.gather(-1, at) / p_target.gather(-1, at)).squeeze(-1)  # [R]  of y passing, p_d(y)/p_t(y)
            same = torch.from_numpy(self.uniform[:, self.k]).to(chance.device) < chance
            excess = (p - p_target).clamp(min=0)  # [R, V]  (p_d − p_t)₊
            alone = ~agrees | (excess.sum(dim=-1) == 0)  # equal distributions never refuse but by a rounding error
            guess = torch.where(agrees & same, word, pick(torch.where(alone[:, None], p, excess), uniform))
            column = guess if self.ids is None else torch.searchsorted(self.ids, guess)
            agrees = agrees & same
        self.passed += agrees
        self.k += 1
        return column, proposed


def record_places(
    pair: Pair,
    prompts: list[tuple[str, str]],
    temperature: float,
    texts: int,
    seed: int,
    progress: Callable[[float], None] = lambda share: None,
    lock: AbstractContextManager | None = None,
    longest: int = LONGEST,
) -> Places:
    """So many texts on these prompts (workload, text) in turn, each of at most `longest` words, with a block at every place.

    progress and lock as in `record_blocks`. Raises ValueError for no prompts or no texts.
    """
    if not prompts or texts < 1:
        raise ValueError(f"{len(prompts)} prompts and {texts} texts are too few: give at least one of each.")
    lock, parts = lock or nullcontext(), []
    for first in range(0, texts, LOAD):
        numbers = np.arange(first, min(first + LOAD, texts))
        confidence, passed, length = [], [], np.zeros(len(numbers), dtype=np.int64)
        steps = _written(pair, [prompts[n % len(prompts)][1] for n in numbers], numbers, temperature, seed, longest)
        while True:
            with lock:
                step = next(steps, None)
            if step is None:
                break
            confidence.append(step[0])
            passed.append(step[1])
            length = step[2]
            progress(min((first + len(numbers) * len(passed) / longest) / texts, 1.0))
        for row, number in enumerate(numbers):
            kept = length[row]
            workload = WORKLOADS.index(prompts[number % len(prompts)][0])
            parts.append(([c[row] for c in confidence[:kept]], [p[row] for p in passed[:kept]], [number] * kept, [workload] * kept))
    progress(1.0)
    columns = (np.array([value for part in parts for value in part[i]]) for i in range(4))
    return Places(temperature, *columns)


@torch.inference_mode()
def _written(
    pair: Pair, prompts: list[str], numbers: np.ndarray, temperature: float, seed: int, longest: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Write all of these texts word by word; the target is γ words ahead of the draft. A yield for each place: confidence [R, γ],
    passed [R], and how many places each text has as far as is known [R]."""
    load = len(prompts)
    requests = Requests(load)
    store = pair.target.store(load, requests.tokens.shape[1])
    drafter = pair.drafter(load, store)
    depth, slots = drafter.max_depth, np.arange(load)
    behind = np.arange(depth)
    for slot, text in enumerate(prompts):
        requests.start(slot, int(numbers[slot]), pair.encode(text), ROOM, "", text)
    pair.target.prefill(store, requests, slots)
    begin = requests.length.copy()  # [R]
    longest = min(longest, requests.tokens.shape[1] - depth - int(begin.max()))
    end = np.full(load, longest)  # [R]  places, as far as is known
    words, chances = deque(maxlen=depth), deque(maxlen=depth)
    for ahead in range(longest + depth - 1):
        at = begin + ahead  # [R]  position of the word to come
        logits = pair.target.read(store, requests.tokens[slots, at - 1][:, None], np.ones(load, dtype=np.int64), at - 1, slots)  # [R, V]
        word, chance = draw(logits, temperature, uniforms(seed, numbers, at, OWN))
        words.append(word)
        chances.append(chance)
        requests.tokens[slots, at] = ids = word.cpu().numpy()
        end = np.minimum(end, np.where(np.isin(ids, list(pair.end)), ahead + 1, longest))
        place = ahead - depth + 1
        if place < 0:
            continue
        if place >= end.max():
            return
        uniform = uniforms(seed, numbers[:, None], requests.length[:, None] + behind, ACCEPT, behind)
        beside = Beside(words, chances, uniform, drafter.model.ids)
        draft = drafter.propose(requests, load, depth, temperature, seed, draw=beside)
        finite = np.where(end < longest, end - 1 - place, depth)  # [R]  nothing passes behind an end mark
        yield pair.scorer.score(draft, temperature), np.clip(beside.passed.cpu().numpy(), 0, np.maximum(finite, 0)), end
        requests.length += 1
