"""Random models of a few thousand weights, so that the engine's rules are tested without any training."""

from dataclasses import dataclass

import numpy as np
import torch
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from expediter.core.step_rate import StepRate
from expediter.engine.device import Place
from expediter.engine.drafter import OneByOne
from expediter.engine.dspark import BlockDrafter
from expediter.engine.dspark_config import DSparkConfig
from expediter.engine.dspark_model import DSparkModel
from expediter.engine.few_words import IDS
from expediter.engine.lean import LeanLlama
from expediter.engine.loader import Pair
from expediter.engine.requests import ROOM
from expediter.engine.target import Target

PLACE = Place(torch.device("cpu"), torch.float32)
SHAPE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 256}


def model(kind: str = "llama", vocabulary: int = 64, seed: int = 0, scale: float = 0.3, layers: int = 2):
    """A random causal LM whose logits spread enough to prefer something."""
    torch.manual_seed(seed)
    shape = {**SHAPE, "num_hidden_layers": layers, "vocab_size": vocabulary, "initializer_range": scale}
    if kind == "llama":
        return LlamaForCausalLM(LlamaConfig(**shape, intermediate_size=48, num_key_value_heads=2, tie_word_embeddings=True)).eval()
    if kind == "qwen3":
        return Qwen3ForCausalLM(Qwen3Config(**shape, intermediate_size=48, num_key_value_heads=2, head_dim=8)).eval()
    if kind == "gpt-neox":
        return GPTNeoXForCausalLM(GPTNeoXConfig(**shape, intermediate_size=48)).eval()
    small = {"n_embd": 32, "n_layer": layers, "n_head": 4, "n_positions": 256}
    return GPT2LMHeadModel(GPT2Config(**small, vocab_size=vocabulary, initializer_range=scale)).eval()


@dataclass
class Letters:
    """A stand-in tokenizer: prompts become a fixed run of ids, every id is a letter."""

    size: int
    eos_token_id: int = -1
    prompt: tuple[int, ...] = (3, 1, 4, 1, 5)
    chat_template: str = "as it stands"

    def __len__(self) -> int:
        return self.size

    def apply_chat_template(self, turns, **_) -> list[int]:
        return [i % self.size for i in self.prompt]

    def batch_decode(self, rows, **_) -> list[str]:
        return ["".join(chr(97 + i % 26) for i in row) for row in rows]


@dataclass
class Told:
    """Confidences by a rule of the test's own, which may look at x_{k-1} for place k but never at x_k."""

    rule: object  # (draft, temperature) → [R, γ]

    def score(self, draft, temperature: float) -> np.ndarray:
        return self.rule(draft, temperature)


def even(draft, temperature: float) -> np.ndarray:
    """Falls with the place, differs a little by what came before."""
    r, depth = draft.tokens.shape
    before = np.concatenate([np.zeros((r, 1), dtype=int), draft.tokens[:, :-1]], axis=1)
    return np.clip(0.9 - 0.08 * np.arange(depth) - 0.05 * (before % 5), 0.05, 1.0)


def pair(vocabulary: int = 64, rule=even, target_seed: int = 0, draft_seed: int = 1, scale: float = 0.3) -> Pair:
    """A random target with a random one-layer draft."""
    target = model("llama", vocabulary, target_seed, scale)
    lean = LeanLlama(model("llama", vocabulary, draft_seed, scale, layers=1), ROOM + 16)
    target.generation_config.eos_token_id = None
    return Pair("tiny", Target(target, PLACE), lambda slots, store=None: OneByOne(lean, slots), Told(rule), Letters(vocabulary))


def few_pair(vocabulary: int = 64, few: int = 24, rule=even, scale: float = 0.3) -> Pair:
    """A random target with a one-layer draft that knows only some of its tokens."""
    target = model("llama", vocabulary, scale=scale)
    ids = torch.randperm(vocabulary, generator=torch.Generator().manual_seed(1))[:few].sort().values
    lean = LeanLlama(model("llama", few + 1, 1, scale, layers=1), ROOM + 16, ids, vocabulary)
    target.generation_config.eos_token_id = None
    return Pair("tiny", Target(target, PLACE), lambda slots, store=None: OneByOne(lean, slots), Told(rule), Letters(vocabulary))


def dspark_config(vocabulary: int = 64, block: int = 8, proposes: int | None = None) -> DSparkConfig:
    """A two-layer block drafter for model()'s width, reading both layers of a target of two."""
    return DSparkConfig(32, 2, 4, 2, 8, 48, 1e-6, 10000.0, vocabulary, proposes or vocabulary, block, 0, (0, 1), 8)


def dspark_weights(config: DSparkConfig, seed: int = 1, scale: float = 0.3) -> dict[str, torch.Tensor]:
    """Random weights under the released names; the norms near 1."""
    g = torch.Generator().manual_seed(seed)
    c, wide = config, config.heads * config.head_width
    shapes = {
        "fc": (c.width, len(c.features) * c.width),
        "markov_head.markov_w1": (c.proposes + (c.proposes < c.vocabulary), c.rank),
        "markov_head.markov_w2": (c.proposes, c.rank),
        "confidence_head.proj": (1, c.width + c.rank),
        "hidden_norm": (c.width,),
        "norm": (c.width,),
    }
    for i in range(c.layers):
        shapes |= {f"layers.{i}.self_attn.{x}_proj": (c.kv_heads * c.head_width, c.width) for x in "kv"}
        shapes |= {f"layers.{i}.self_attn.{x}_norm": (c.head_width,) for x in "qk"}
        shapes |= {f"layers.{i}.self_attn.q_proj": (wide, c.width), f"layers.{i}.self_attn.o_proj": (c.width, wide)}
        shapes |= {f"layers.{i}.mlp.{x}_proj": (c.inner, c.width) for x in ("gate", "up")}
        shapes |= {f"layers.{i}.mlp.down_proj": (c.width, c.inner)}
        shapes |= {f"layers.{i}.{x}_layernorm": (c.width,) for x in ("input", "post_attention")}
    made = {f"{n}.weight": scale * torch.randn(s, generator=g) + (1.0 if len(s) == 1 else 0.0) for n, s in shapes.items()}
    some = {IDS: torch.randperm(c.vocabulary, generator=g)[: c.proposes].sort().values} if c.proposes < c.vocabulary else {}
    return made | {"confidence_head.proj.bias": torch.zeros(1)} | some


def dspark_pair(
    vocabulary: int = 64, rule=even, target_seed: int = 0, draft_seed: int = 1, scale: float = 0.3, proposes: int | None = None
) -> Pair:
    """A random target with a random block drafter, which can also be made without its Markov head (`plain`)."""
    target = model("llama", vocabulary, target_seed, scale)
    config = dspark_config(vocabulary, proposes=proposes)
    block = DSparkModel(config, dspark_weights(config, draft_seed, scale), target, ROOM + 16)
    target.generation_config.eos_token_id = None
    return Pair(
        "tiny",
        Target(target, PLACE, config.features),
        lambda slots, store=None: BlockDrafter(block, slots, store),
        Told(rule),
        Letters(vocabulary),
        lambda slots, store=None: BlockDrafter(block, slots, store, markov=False),
    )


@dataclass
class Table:
    """A profile of one table for every load and context."""

    rate: StepRate
    fingerprint: str = "test"
    source: str = "simulated clock"

    def at(self, temperature: float) -> "Table":
        return self

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        return self.rate

    def noise(self, requests: int) -> float:
        return 0.0


def rising(base: float = 0.010, slope: float = 0.0002) -> Table:
    """T(B) = base + slope·B seconds."""
    batch = np.array([1, 64, 1024])
    return Table(StepRate(batch, base + slope * batch))
