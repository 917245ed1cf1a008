"""What a DSpark draft folder says about itself: the fields of the released checkpoints, and of the ones trained here."""

from collections.abc import Mapping
from dataclasses import dataclass

NAMES = ("Qwen3DSparkModel",)  # "architectures" of the released layout whose layers are plain Qwen3
NEEDED = (
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "intermediate_size",
    "rms_norm_eps",
    "vocab_size",
    "block_size",
    "mask_token_id",
    "target_layer_ids",
    "markov_rank",
)


@dataclass(frozen=True, slots=True)
class DSparkConfig:
    """Shape of a drafter that reads its target's hidden states (DSpark, §3.1–3.3)."""

    width: int  # d, the target's
    layers: int
    heads: int  # H query heads
    kv_heads: int  # Hkv
    head_width: int  # D
    inner: int  # f, of the gated layer
    eps: float
    theta: float  # base of the rotary positions
    vocabulary: int  # V, the target's
    proposes: int  # V', how many of them it may guess; V unless the draft names fewer
    block: int  # γ: the anchor and γ − 1 masks give γ guesses
    mask: int  # id of the token that stands for "not known yet"
    features: tuple[int, ...]  # target layers whose outputs are read, ascending; the first layer is 0
    rank: int  # of the Markov head


def is_dspark(data: Mapping) -> bool:
    """Whether a config.json is one of these."""
    return data.get("kind") == "dspark" or any(name.endswith("DSparkModel") for name in data.get("architectures") or ())


def parse(data: Mapping, name: str) -> DSparkConfig:
    """Raises ValueError with one sentence for a layout that this drafter does not read. name: the folder, for the sentence."""
    other = "pick another draft"
    lacking = [field for field in NEEDED if field not in data]
    if lacking:
        raise ValueError(f"{name}/config.json does not give {', '.join(lacking)}: restore the file or {other}.")
    wrong = [field for field in NEEDED if not _fits(field, data[field])]
    if wrong:
        raise ValueError(f"{name}/config.json gives no sensible {wrong[0]}: restore the file or {other}.")
    odd = [a for a in data.get("architectures") or () if a not in NAMES]
    if odd:
        raise ValueError(f"{name}/config.json is a {odd[0]}: only {NAMES[0]} is read, so {other}.")
    rope = data.get("rope_parameters") or data.get("rope_scaling") or {}
    if rope.get("rope_type", "default") != "default":
        raise ValueError(f"{name}/config.json has positions of the kind {rope['rope_type']}: only the default is read, so {other}.")
    if data["markov_rank"] <= 0 or data.get("markov_head_type", "vanilla") != "vanilla":
        raise ValueError(f"{name}/config.json has no plain low-rank Markov head: {other}.")
    if data.get("attention_bias") or "sliding_attention" in (data.get("layer_types") or ()):
        raise ValueError(f"{name}/config.json has biased or windowed attention, which is not read: {other}.")
    if min(data["target_layer_ids"]) < 0:
        raise ValueError(f"{name}/config.json reads its target's embedding, which is not kept: {other}.")
    return DSparkConfig(
        width=data["hidden_size"],
        layers=data["num_hidden_layers"],
        heads=data["num_attention_heads"],
        kv_heads=data["num_key_value_heads"],
        head_width=data["head_dim"],
        inner=data["intermediate_size"],
        eps=data["rms_norm_eps"],
        theta=float(rope.get("rope_theta") or data.get("rope_theta") or 10000.0),
        vocabulary=data["vocab_size"],
        proposes=data.get("draft_vocab_size") or data["vocab_size"],
        block=data["block_size"],
        mask=data["mask_token_id"],
        features=tuple(data["target_layer_ids"]),
        rank=data["markov_rank"],
    )


def _fits(field: str, value: object) -> bool:
    """Whether a needed field holds what its name says."""
    if field == "target_layer_ids":
        return isinstance(value, list) and bool(value) and all(type(i) is int for i in value)
    if field == "rms_norm_eps":
        return isinstance(value, int | float) and 0 <= value < 1
    return type(value) is int and value >= (0 if field in ("mask_token_id", "markov_rank") else 1)


def as_json(c: DSparkConfig) -> dict:
    """The config.json of a drafter trained here; parse() reads it back."""
    return {
        "kind": "dspark",
        "architectures": list(NAMES),
        "hidden_size": c.width,
        "num_hidden_layers": c.layers,
        "num_attention_heads": c.heads,
        "num_key_value_heads": c.kv_heads,
        "head_dim": c.head_width,
        "intermediate_size": c.inner,
        "rms_norm_eps": c.eps,
        "rope_parameters": {"rope_type": "default", "rope_theta": c.theta},
        "vocab_size": c.vocabulary,
        **({"draft_vocab_size": c.proposes} if c.proposes != c.vocabulary else {}),
        "block_size": c.block,
        "mask_token_id": c.mask,
        "target_layer_ids": list(c.features),
        "markov_rank": c.rank,
        "markov_head_type": "vanilla",
        "enable_confidence_head": True,
        "confidence_head_with_markov": True,
    }
