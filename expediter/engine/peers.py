"""What people would use instead: transformers' own generation on the same weights and prompts, at its best.

Reading the prompts is not charged (the clock starts behind the first words), no row ends early, and nothing is padded but the prompts.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import torch
from transformers import GenerationConfig, StoppingCriteria, StoppingCriteriaList
from transformers.utils import logging

from expediter.core.bars import ASSISTED, GENERATE
from expediter.core.pairs import PairInfo
from expediter.core.workloads import prompt
from expediter.engine.attention import register
from expediter.engine.device import Place
from expediter.engine.dspark_config import is_dspark
from expediter.engine.loader import Pair, read_config, read_model

FEWEST, MOST = 32, 80  # new tokens a row that count
FIRST = 16  # new tokens a row before them: answers are old enough, and assisted generation has read the prompt with its first guesses
NEVER = -1  # no token has this number: a row that reaches its end writes on


@dataclass(frozen=True, slots=True)
class PeerBlock:
    """One call of generate."""

    tokens: int
    seconds: float

    @property
    def tokens_per_s(self) -> float:
        """Words per second."""
        return self.tokens / self.seconds


class Span(StoppingCriteria):
    """The time between a row's first words and its last, as generation itself passes them. Never stops it."""

    def __init__(self, place: Place, first: int):
        """first: length of a row, prompt included, from which on time counts."""
        self.place, self.first = place, first
        self.passed: list[tuple[int, float]] = []  # length of a row and when it had it, first and last

    def __call__(self, input_ids: torch.Tensor, scores, **_) -> torch.Tensor:
        if input_ids.shape[1] >= self.first:
            self.place.synchronize()
            self.passed = [*self.passed[:1], (input_ids.shape[1], perf_counter())]
        return torch.zeros(len(input_ids), dtype=torch.bool, device=input_ids.device)


class Generate:
    """model.generate over a batch of R prompts, or with an assistant model for one."""

    def __init__(self, pair: Pair, load: int, workload: str, temperature: float, seed: int, assistant=None, drafts: int | None = None):
        """assistant: the draft as a transformers model. drafts: a constant number of its guesses; None: transformers' own choice."""
        self.pair, self.load, self.workload, self.temperature, self.seed = pair, load, workload, temperature, seed
        self.assistant, self.drafts, self.number = assistant, drafts, 0
        self.name = GENERATE if assistant is None else ASSISTED if drafts is None else f"{ASSISTED}, {drafts} drafts"

    def block(self, tokens: int, lock: AbstractContextManager | None = None) -> PeerBlock:
        """About `tokens` words from the next R prompts. The lock is held throughout: the call cannot be divided."""
        each = min(max(-(-tokens // self.load), FEWEST), MOST)
        rows = [self.pair.encode(prompt(self.workload, self.seed, self.number + i)[1]) for i in range(self.load)]
        self.number += self.load
        with lock or nullcontext():
            (first, begun), (last, ended) = self._span(rows, FIRST + each).passed
        return PeerBlock(self.load * (last - first), ended - begun)

    @torch.inference_mode()
    def _span(self, rows: list[list[int]], new: int) -> Span:
        model, place = self.pair.target.model, self.pair.target.place
        ids, mask = _padded(rows)
        ids, mask = torch.from_numpy(ids).to(place.device), torch.from_numpy(mask).to(place.device)
        if self.assistant is not None and self.drafts is not None:
            self.assistant.generation_config.num_assistant_tokens = self.drafts
            self.assistant.generation_config.num_assistant_tokens_schedule = "constant"
        sampling = (
            {"do_sample": True, "temperature": self.temperature, "top_k": 0, "top_p": 1.0} if self.temperature else {"do_sample": False}
        )
        config = GenerationConfig(max_new_tokens=new, pad_token_id=0, eos_token_id=NEVER, **sampling)
        span = Span(place, ids.shape[1] + FIRST)
        model.set_attn_implementation("sdpa")
        talkative = logging.get_verbosity()
        logging.set_verbosity_error()  # its advice on arguments that it passes to itself
        try:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(self.seed + self.number)
                model.generate(
                    ids,
                    attention_mask=mask,
                    generation_config=config,
                    assistant_model=self.assistant,
                    stopping_criteria=StoppingCriteriaList([span]),
                )
        finally:
            logging.set_verbosity(talkative)
            model.set_attn_implementation(register())
        return span


def _padded(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Prompts padded on the left, and where they are. → [R, L] ids, [R, L] 1 or 0"""
    wide = max(map(len, rows))
    ids = np.array([[0] * (wide - len(row)) + row for row in rows])
    return ids, np.array([[0] * (wide - len(row)) + [1] * len(row) for row in rows])


def peers(pair: Pair, info: PairInfo, load: int, workload: str, temperature: float, seed: int, depth: int) -> tuple[list[Generate], str]:
    """Who runs at this load, and one sentence about whom this pair cannot run (empty when all can)."""
    found = [Generate(pair, load, workload, temperature, seed)]
    if load > 1:
        return found, ""  # assisted generation takes one request at a time
    config = read_config(info.draft)
    if is_dspark(config):
        return found, "Assisted generation is left out: transformers cannot run a drafter that reads its target's hidden states."
    if "draft_vocab_size" in config:
        return found, "Assisted generation is left out: transformers cannot run a draft that knows only some of its target's tokens."
    place = pair.target.place
    own, fixed = read_model(info.draft, place), read_model(info.draft, place)
    return [*found, Generate(pair, 1, workload, temperature, seed, own), Generate(pair, 1, workload, temperature, seed, fixed, depth)], ""
