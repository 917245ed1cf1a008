"""The verdict against a slow reading of the rule, one request at a time."""

import numpy as np
import pytest
import torch

from expediter.engine.acceptance import judge, own_distribution
from expediter.engine.collect import true_chance
from expediter.engine.drafter import Draft
from expediter.engine.uniforms import ACCEPT, OWN, uniforms

V, DEPTH = 7, 4


def setting(r: int, seed: int, temperature: float):
    rng = np.random.default_rng(seed)
    draft_logits = torch.from_numpy(rng.normal(0, 1.5, (r, DEPTH, V))).float()
    p = torch.softmax(draft_logits / temperature, -1) if temperature else None
    tokens = (
        np.array(
            [
                [rng.choice(V, p=(row / row.sum()).double().numpy() / (row / row.sum()).double().numpy().sum()) for row in block]
                for block in p
            ]
        )
        if temperature
        else draft_logits.argmax(-1).numpy()
    )
    lengths = rng.integers(0, DEPTH + 1, r)
    logits = torch.from_numpy(rng.normal(0, 1.5, (int((1 + lengths).sum()), V))).float()
    return Draft(tokens, p, torch.zeros(r, DEPTH, 1), draft_logits), lengths, logits


def slowly(draft, lengths, logits, temperature, seed, number, start):
    """Leviathan et al., Algorithm 1, in plain words."""
    accepted, own, row = [], [], 0
    for r, length in enumerate(lengths):
        place = 0
        while place < length:
            x = draft.tokens[r, place]
            if temperature == 0:
                ok = int(logits[row + place].argmax()) == x
            else:
                p = torch.softmax(logits[row + place] / temperature, -1)
                ok = uniforms(seed, number[r : r + 1], start[r : r + 1] + place, ACCEPT, place)[0] < min(
                    1, float(p[x] / draft.distribution[r, place, x])
                )
            if not ok:
                break
            place += 1
        accepted.append(place)
        if temperature == 0:
            own.append(int(logits[row + place].argmax()))
        else:
            p = torch.softmax(logits[row + place] / temperature, -1)
            if place < length:
                p = (p - draft.distribution[r, place]).clamp(min=0)
            total = torch.cumsum(p, 0)
            u = uniforms(seed, number[r : r + 1], start[r : r + 1] + place, OWN)[0]
            own.append(int((total <= np.float32(u) * total[-1]).sum()))
        row += 1 + length
    return accepted, own


@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_judge_equals_the_rule_read_slowly(temperature, seed):
    draft, lengths, logits = setting(9, seed, temperature)
    number, start = np.arange(9) * 3, np.arange(9) + 20
    verdict = judge(draft, lengths, logits, temperature, seed, number, start)
    accepted, own = slowly(draft, lengths, logits, temperature, seed, number, start)
    assert verdict.accepted.tolist() == accepted
    assert verdict.own.tolist() == own


def test_nothing_sent_gives_the_targets_own_word():
    draft, _, _ = setting(3, 0, 1.0)
    logits = torch.full((3, V), -torch.inf)
    logits[torch.arange(3), torch.tensor([4, 1, 6])] = 0.0
    verdict = judge(draft, np.zeros(3, dtype=int), logits, 1.0, 0, np.arange(3), np.arange(3))
    assert verdict.own.tolist() == [4, 1, 6]
    assert verdict.accepted.tolist() == [0, 0, 0]


def test_c_star_is_the_expected_pass():
    draft, _, _ = setting(5, 3, 0.7)
    logits = torch.from_numpy(np.random.default_rng(8).normal(0, 1, (5, DEPTH, V))).float()
    p_target = torch.softmax(logits / 0.7, -1)
    by_distance = 1 - 0.5 * (draft.distribution - p_target).abs().sum(-1)
    by_pass = (draft.distribution * (p_target / draft.distribution).clamp(max=1)).sum(-1)
    torch.testing.assert_close(true_chance(draft, logits, 0.7), by_distance, atol=1e-6, rtol=0)
    torch.testing.assert_close(by_pass, by_distance, atol=1e-6, rtol=0)


def test_equal_distributions_leave_the_target_to_draw_from():
    p = torch.tensor([[0.25, 0.75]])
    assert torch.equal(own_distribution(p, p.clone(), torch.tensor([True])), p)
