"""A draft that proposes from some of its target's tokens: which those are, and how the two number them."""

import torch

IDS = "draft_to_target"  # beside the weights: the target's number of every token that the draft may propose


def named(ids: torch.Tensor | None, count: int, vocabulary: int) -> torch.Tensor:
    """The list, if it names `count` of the target's tokens, ascending. Raises ValueError with one sentence if not. → [V']"""
    if ids is None or len(ids) != count or not bool((ids.diff() > 0).all()) or ids[0] < 0 or ids[-1] >= vocabulary:
        raise ValueError(f"The draft's {IDS} does not name {count} of {vocabulary} tokens: restore the folder or pick another pair.")
    return ids.long()


def rows_of(ids: torch.Tensor, vocabulary: int) -> torch.Tensor:
    """The draft's number of each of the target's tokens; those that it does not know share the last, V'. [V'] → [V]"""
    row = torch.full((vocabulary,), len(ids), device=ids.device)
    row[ids] = torch.arange(len(ids), device=ids.device)
    return row
