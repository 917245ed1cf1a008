"""At temperature 0 the text under every policy is the text of plain decoding, token for token: 64 requests × 64 tokens.

The reference is transformers' own generate, with its own attention and cache. A difference is excused
only where the target's two best logits lie within 1e-4, where rounding alone decides; at most one token in 10,000.
"""

import pytest
import torch
from transformers import AutoModelForCausalLM

from expediter.core.pairs import find
from expediter.core.settings import Settings
from expediter.core.step_rate import StepRate
from expediter.core.workloads import prompt
from expediter.engine.loader import Pair, load
from expediter.engine.loop import Engine
from tests.engine import tiny

REQUESTS, TOKENS, CLOSE = 64, 64, 1e-4
POLICIES = ["early-stop", "global", "stale", "fixed:2", "threshold:0.5", "all", "off"]
# A clock under which the expediter loads some and leaves some, as on a busy server.
BUSY = tiny.Table(StepRate([64, 128, 192, 384], [0.020, 0.027, 0.040, 0.110]))


@pytest.fixture(scope="module")
def pair() -> Pair:
    return load("mini-good", device="cpu", dtype="float32")


@pytest.fixture(scope="module")
def plain(pair) -> dict[int, tuple[list[int], list[float]]]:
    """Request number → tokens of plain decoding, and by how much the best logit led at each."""
    model = AutoModelForCausalLM.from_pretrained(find("mini-good").target, dtype=torch.float32, local_files_only=True).eval()
    prompts = {number: pair.encode(prompt("mixed", 5, number)[1]) for number in range(REQUESTS)}
    texts = {}
    for length in {len(ids) for ids in prompts.values()}:  # prompts of one length need no padding
        numbers = [number for number, ids in prompts.items() if len(ids) == length]
        ids = torch.tensor([prompts[number] for number in numbers])  # [N, length]
        greedy = {"max_new_tokens": TOKENS, "do_sample": False, "return_dict_in_generate": True, "output_logits": True}
        out = model.generate(ids, attention_mask=torch.ones_like(ids), **greedy)
        leads = torch.stack([-step.topk(2, dim=-1).values.diff(dim=-1)[:, 0] for step in out.logits], dim=1)  # [N, TOKENS]
        for row, number in enumerate(numbers):
            tokens = out.sequences[row, length:].tolist()
            end = next((i + 1 for i, token in enumerate(tokens) if token in pair.end), len(tokens))
            texts[number] = tokens[:end], leads[row].tolist()
    return texts


def served(pair: Pair, policy: str) -> dict[int, list[int]]:
    """Request number → tokens as the engine commits them."""
    engine = Engine(pair, Settings(pair=pair.name, load=REQUESTS, depth=5, temperature=0.0, policy=policy, seed=5), BUSY, limit=(100, 100))
    texts: dict[int, list[int]] = {number: [] for number in range(REQUESTS)}
    open_ = set(texts)
    while open_:
        for request in engine.step().requests:
            if request.number in open_:
                own = [] if request.own_token is None else [request.own_token]
                texts[request.number] += [*request.tokens[: request.accepted], *own]
                if request.ended or len(texts[request.number]) >= TOKENS:
                    open_.discard(request.number)
    return texts


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_writes_what_plain_decoding_writes(pair, plain, policy):
    texts = served(pair, policy)
    compared, excused = 0, 0
    for number, (expected, leads) in plain.items():
        got = texts[number][: len(expected)]
        differs = next((i for i, (a, b) in enumerate(zip(got, expected, strict=False)) if a != b), None)
        if differs is None:
            assert len(got) == len(expected)
        else:
            assert leads[differs] <= CLOSE, f"{policy}, request {number}, token {differs}: the best logit led by {leads[differs]}"
            excused += 1
        compared += len(got) if differs is None else differs
    assert compared > REQUESTS * TOKENS / 2  # answers may end early, but not most of them
    assert excused * 10_000 <= compared
