"""The DSpark drafter as it is trained: plain modules under the released names, many blocks of many texts in one forward.

Knows nothing of stores or requests. The engine's lean forward (expediter/engine/dspark_model.py) is tested against this one.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn.functional import rms_norm, silu

from expediter.engine.dspark_config import DSparkConfig, as_json
from expediter.engine.few_words import IDS, rows_of
from expediter.engine.lean import rotary_table, rotate


class Norm(nn.Module):
    def __init__(self, width: int, eps: float):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(width)), eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return rms_norm(x, self.weight.shape, self.weight, self.eps)


class Attention(nn.Module):
    """Queries from the block; keys and values from the context's features and from the block itself."""

    def __init__(self, c: DSparkConfig):
        super().__init__()
        self.c = c
        self.q_proj = nn.Linear(c.width, c.heads * c.head_width, bias=False)
        self.k_proj = nn.Linear(c.width, c.kv_heads * c.head_width, bias=False)
        self.v_proj = nn.Linear(c.width, c.kv_heads * c.head_width, bias=False)
        self.o_proj = nn.Linear(c.heads * c.head_width, c.width, bias=False)
        self.q_norm, self.k_norm = Norm(c.head_width, c.eps), Norm(c.head_width, c.eps)

    def keys_values(self, x: torch.Tensor, rotary) -> tuple[torch.Tensor, torch.Tensor]:
        """x [..., d], rotary two of [..., D] → two of [..., Hkv, D]"""
        cos, sin = (t.unsqueeze(-2) for t in rotary)
        shape = (*x.shape[:-1], self.c.kv_heads, self.c.head_width)
        return rotate(self.k_norm(self.k_proj(x).view(shape)), cos, sin), self.v_proj(x).view(shape)

    def forward(self, x, fused, rotary, rotary_context, see) -> torch.Tensor:
        """x [N, K, γ, d], fused [N, L, d]; see [N, K, L] is 0 where a block may look, −inf elsewhere."""
        c = self.c
        n, blocks, depth, _ = x.shape
        groups = c.heads // c.kv_heads
        cos, sin = (t.unsqueeze(-2) for t in rotary)
        q = rotate(self.q_norm(self.q_proj(x).view(n, blocks, depth, c.heads, c.head_width)), cos, sin) * c.head_width**-0.5
        q = q.view(n, blocks, depth, c.kv_heads, groups, c.head_width)
        q = q.permute(0, 3, 1, 4, 2, 5).reshape(n, c.kv_heads, blocks, groups * depth, c.head_width)  # [N, Hkv, K, G·γ, D]
        key, value = (t.transpose(1, 2) for t in self.keys_values(fused, rotary_context))  # [N, Hkv, L, D]
        own_key, own_value = (t.permute(0, 3, 1, 2, 4) for t in self.keys_values(x, rotary))  # [N, Hkv, K, γ, D]
        context = (q.flatten(2, 3) @ key.mT).view(n, c.kv_heads, blocks, groups * depth, -1)  # [N, Hkv, K, G·γ, L]
        scores = torch.cat([context + see[:, None, :, None], q @ own_key.mT], dim=-1)
        share, own = scores.softmax(-1).split([key.shape[2], depth], dim=-1)
        out = (share.flatten(2, 3) @ value).view_as(q) + own @ own_value  # [N, Hkv, K, G·γ, D]
        out = out.view(n, c.kv_heads, blocks, groups, depth, c.head_width).permute(0, 2, 4, 1, 3, 5)  # [N, K, γ, Hkv, G, D]
        return self.o_proj(out.reshape(n, blocks, depth, -1))  # [N, K, γ, d]


class Gated(nn.Module):
    def __init__(self, c: DSparkConfig):
        super().__init__()
        self.gate_proj, self.up_proj = nn.Linear(c.width, c.inner, bias=False), nn.Linear(c.width, c.inner, bias=False)
        self.down_proj = nn.Linear(c.inner, c.width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down_proj(silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, c: DSparkConfig):
        super().__init__()
        self.self_attn, self.mlp = Attention(c), Gated(c)
        self.input_layernorm, self.post_attention_layernorm = Norm(c.width, c.eps), Norm(c.width, c.eps)

    def forward(self, h, *context) -> torch.Tensor:
        h = h + self.self_attn(self.input_layernorm(h), *context)
        return h + self.mlp(self.post_attention_layernorm(h))


class DSparkNet(nn.Module):
    """All that is trained. Embedding and head are the target's and come as arguments."""

    def __init__(self, c: DSparkConfig, room: int, ids: torch.Tensor | None = None):
        """ids: the target's numbers of the tokens that are proposed, ascending [V']; None for all."""
        super().__init__()
        self.c, self.row = c, None
        if ids is not None:
            self.register_buffer(IDS, ids)
            self.row = rows_of(ids, c.vocabulary)  # [V]  of each token in W1; those never proposed share the last
        self.fc = nn.Linear(len(c.features) * c.width, c.width, bias=False)
        self.hidden_norm, self.norm = Norm(c.width, c.eps), Norm(c.width, c.eps)
        self.layers = nn.ModuleList(Layer(c) for _ in range(c.layers))
        self.markov_head = nn.ModuleDict(
            {"markov_w1": nn.Embedding(c.proposes + (ids is not None), c.rank), "markov_w2": nn.Linear(c.rank, c.proposes, bias=False)}
        )
        self.confidence_head = nn.ModuleDict({"proj": nn.Linear(c.width + c.rank, 1)})
        nn.init.normal_(self.markov_head["markov_w1"].weight, std=c.rank**-0.5)
        nn.init.zeros_(self.markov_head["markov_w2"].weight)  # begins as the drafter without it
        for name, weight in self.named_parameters():
            if name.endswith("_proj.weight") or name == "fc.weight":
                nn.init.normal_(weight, std=weight.shape[1] ** -0.5 * (0.2 if "o_proj" in name or "down_proj" in name else 1.0))
        self.rotary = rotary_table(room, c.head_width, c.theta, torch.device("cpu"), torch.float32)

    def forward(self, ids, features, anchors, depth: int, embedding) -> torch.Tensor:
        """Hidden states of K blocks in each of N texts.

        ids [N, L]; features [N, L, n·d]; anchors [N, K] positions; depth γ guesses a block; embedding [V, d] → [N, K, γ, d]
        """
        c, length = self.c, ids.shape[1]
        fused = self.hidden_norm(self.fc(features))  # [N, L, d]
        steps = torch.arange(depth)
        see = torch.where(torch.arange(length) < anchors[..., None], 0.0, -torch.inf)  # [N, K, L]
        block = torch.full((*anchors.shape, depth), c.mask)  # [N, K, γ]
        block[..., 0] = ids.gather(1, anchors)
        places = anchors[..., None] + steps  # [N, K, γ]
        rotary = tuple(t[places] for t in self.rotary)  # [N, K, γ, D] each
        rotary_context = tuple(t[:length].expand(len(ids), -1, -1) for t in self.rotary)  # [N, L, D] each
        h = embedding[block]  # [N, K, γ, d]
        for layer in self.layers:
            h = layer(h, fused, rotary, rotary_context, see)
        return self.norm(h)

    def before(self, token: torch.Tensor) -> torch.Tensor:
        """W1[x_{k−1}]: any shape → [..., rank]"""
        return self.markov_head["markov_w1"](token if self.row is None else self.row[token])

    def bias(self, before: torch.Tensor) -> torch.Tensor:
        """W2·W1[x_{k−1}]. [..., rank] → [..., V']"""
        return self.markov_head["markov_w2"](before)

    def confidence(self, hidden: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        """Logit of c_k = σ(w·[h_k ; W1[x_{k−1}]]). [..., d], [..., rank] → [...]"""
        return self.confidence_head["proj"](torch.cat([hidden, before], dim=-1)).squeeze(-1)

    def write(self, folder: Path) -> None:
        """The draft folder: config.json and the weights in bfloat16."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(as_json(self.c), indent=1) + "\n")
        kept = {name: value.bfloat16() if value.is_floating_point() else value for name, value in self.state_dict().items()}
        save_file({name: value.contiguous() for name, value in kept.items()}, folder / "model.safetensors")
