"""Keep drafted blocks with every confidence that could have been used and what came of them: nothing dropped, nothing chosen."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import torch

from expediter.core.pairs import PairInfo
from expediter.core.recorded_blocks import Origin, RecordedBlocks, Recording, joined
from expediter.core.weights import fingerprint
from expediter.core.workloads import PROMPTS, prompt
from expediter.engine.calibration_store import read_figures
from expediter.engine.collect import Step, decode
from expediter.engine.confidence import Probe, Scorer
from expediter.engine.drafter import Draft
from expediter.engine.loader import Pair
from expediter.engine.record_places import WORKLOADS, record_places


def unscaled(scorer: Scorer) -> Scorer:
    """The same probe as it was trained, before any bend or scale; anything that is not calibrated is its own "before"."""
    if not isinstance(scorer, Probe):
        return scorer
    plain = replace(scorer.calibration, scale=np.ones_like(scorer.calibration.scale), bend=None)
    return Probe(plain, scorer.weights.device)


def draft_probability(draft: Draft) -> np.ndarray:
    """p_d(x_k) of every drafted token; at temperature 0, where all mass lies on it, what the softmax at temperature 1 gives. → [R, γ]

    Above temperature 0 it depends on the drawn token itself, so it must not decide whether that token is sent: not lossless.
    """
    p = draft.logits.float().softmax(dim=-1) if draft.distribution is None else draft.distribution  # [R, γ, V']
    return p.gather(-1, draft.columns().unsqueeze(-1)).squeeze(-1).double().cpu().numpy()  # [R, γ]


def unseen_prompts(fitted_on_workloads: bool, seed: int) -> list[tuple[str, str]]:
    """Workload and text of every prompt that the confidence was not fitted on, the workloads in turn.

    fitted_on_workloads: `calibrate` had these very prompts; then only its test split, every third, is unseen.
    """
    every = [text for texts in PROMPTS.values() for text in texts]
    unseen = set(every[2::3] if fitted_on_workloads else every)
    turns = len(PROMPTS) * max(map(len, PROMPTS.values()))
    mixed = dict.fromkeys(prompt("mixed", seed, number) for number in range(turns))
    return [asked for asked in mixed if asked[1] in unseen]


def recording(
    pair: Pair,
    info: PairInfo,
    temperatures: Sequence[float],
    blocks: int,
    texts: int,
    seed: int,
    progress: Callable[[float], None] = lambda share: None,
    lock: AbstractContextManager | None = None,
) -> Recording:
    """So many blocks and texts at each of these temperatures, ascending, and where they come from. progress and lock as in `record_blocks`.

    Raises ValueError when there is too little to record.
    """
    prompts = unseen_prompts(read_figures(info.folder).get("prompts_of") == "workloads", seed)
    before, parts = unscaled(pair.scorer), 2 * len(temperatures)

    def part(done: int) -> Callable[[float], None]:
        return lambda share: progress((done + share) / parts)

    rows = [record_blocks(pair, before, prompts, t, blocks, seed, part(i), lock) for i, t in enumerate(temperatures)]
    places = [record_places(pair, prompts, t, texts, seed, part(len(rows) + i), lock) for i, t in enumerate(temperatures)]
    origin = Origin(
        pair=info.name,
        weights=fingerprint(info),
        machine=str(pair.target.place),
        seed=seed,
        recorded_at=datetime.now(UTC).isoformat(timespec="seconds"),
        prompts=len(prompts),
        workloads=WORKLOADS,
    )
    return Recording(origin, tuple(rows), tuple(places))


@torch.inference_mode()
def record_blocks(
    pair: Pair,
    before: Scorer,
    prompts: list[tuple[str, str]],
    temperature: float,
    blocks: int,
    seed: int,
    progress: Callable[[float], None] = lambda share: None,
    lock: AbstractContextManager | None = None,
) -> RecordedBlocks:
    """Decode over these prompts (workload, text) until so many blocks are seen, and keep exactly so many.

    before: the confidence without calibration; the pair's own scorer gives the one with. progress gets a share 0..1 after every
    step and may raise to end the work; lock is held for one step at a time. Raises ValueError for no prompts or no blocks.
    """
    if not prompts or blocks < 1:
        raise ValueError(f"{len(prompts)} prompts and {blocks} blocks are too few: give at least one of each.")
    lock = lock or nullcontext()
    depth = pair.drafter(1).max_depth
    steps = decode(pair, [text for _, text in prompts], blocks, depth, temperature, seed)
    parts, seen = [], 0
    while seen < blocks:
        with lock:
            parts.append(_kept(next(steps), temperature, before, pair.scorer, prompts))
        seen += len(parts[-1])
        progress(min(seen / blocks, 1.0))
    return joined(parts).only(slice(blocks))


def _kept(step: Step, temperature: float, before: Scorer, after: Scorer, prompts: list[tuple[str, str]]) -> RecordedBlocks:
    return RecordedBlocks(
        temperature=temperature,
        before=before.score(step.draft, temperature),
        confidence=after.score(step.draft, temperature),
        draft_probability=draft_probability(step.draft),
        chance=step.chance.clamp(0, 1).double().cpu().numpy(),
        passed=step.passed,
        workload=np.array([WORKLOADS.index(prompts[index][0]) for index in step.prompt]),
    )
