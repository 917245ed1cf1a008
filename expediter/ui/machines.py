"""What Three machines shows: recorded blocks and counts of the pairs on disk, and blocks drafted here as a job."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from expediter.core import block
from expediter.core.acceptance_counts import AcceptanceCounts, acceptance_counts
from expediter.core.block import Block, BlockSet
from expediter.core.pairs import PairInfo
from expediter.core.policy import Policy
from expediter.core.profile import Profile
from expediter.core.recorded_blocks import Origin
from expediter.core.settings import MAX_SEED, Settings
from expediter.engine.dspark_config import is_dspark
from expediter.ui.block_recordings import block_recording
from expediter.ui.honest_blocks import made_here
from expediter.ui.job import Report, Work
from expediter.ui.pair_job import on_pair
from expediter.ui.reader import known_pairs
from expediter.ui.turns import Turns

STEPS = 4  # of a live run before its blocks are shown: then the answers have begun

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drafters:
    """Every drafter of one target, counted at one temperature. Keys are the pairs' names for people."""

    counts: Mapping[str, AcceptanceCounts]
    origins: Mapping[str, tuple[Origin, int]]  # where they come from, and how many blocks
    temperature: float | None  # that of the recordings; None without any
    missing: tuple[str, ...]  # pairs without a recording at this temperature


def info_of(pair: str) -> PairInfo:
    """The known pair of this name."""
    return next(info for info in known_pairs() if info.name == pair)


def drafters(settings: Settings) -> Drafters:
    """All pairs with the target of the chosen one, from the blocks recorded nearest to the chosen temperature; the pair itself first.

    A pair that ships without is counted on what Honest numbers measured here, if that is of the same temperature as the others.
    """
    target = info_of(settings.pair).target
    kin = sorted((info for info in known_pairs() if info.target == target), key=lambda info: info.name != settings.pair)
    found = {info.title: made for info in kin if (made := block_recording(info.name) or made_here(replace(settings, pair=info.name)))}
    blocks = {title: recording.nearest(settings.temperature) for title, recording in found.items()}
    temperature = next((b.temperature for b in blocks.values()), None)
    blocks = {title: b for title, b in blocks.items() if b.temperature == temperature}
    return Drafters(
        counts={title: acceptance_counts(b.passed, b.depth) for title, b in blocks.items()},
        origins={title: (found[title].origin, len(b)) for title, b in blocks.items()},
        temperature=temperature,
        missing=tuple(info.title for info in kin if info.title not in blocks),
    )


def has_head(info: PairInfo) -> bool:
    """Whether this pair's draft has a Markov head; False where its config.json does not read."""
    try:
        return is_dspark(json.loads((info.draft / "config.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def headed(pair: str) -> PairInfo | None:
    """Another pair with a Markov head, of the same target if there is one."""
    others = [info for info in known_pairs() if info.name != pair and has_head(info)]
    return min(others, key=lambda info: info.target != info_of(pair).target, default=None)


def recorded_set(pair: str, temperature: float) -> BlockSet | None:
    """The pair's recorded blocks, those nearest to this temperature."""
    return block.nearest(_sets(pair), temperature)


def drafting(settings: Settings, turn: int) -> Work:
    """A job that drafts blocks with these settings; every turn is another run. Its result is a BlockSet."""
    chosen = replace(settings, seed=(settings.seed + turn) % (MAX_SEED + 1))
    if Policy.parse(chosen.policy).depth(chosen.depth) == 0:  # whoever has chosen not to guess wants to see a guess here all the same
        chosen = replace(chosen, policy=Policy().kind)
    return on_pair(settings.pair, lambda pair, profile, report, turns: draft_here(pair, chosen, profile, report, turns), profiled=False)


def draft_here(pair, settings: Settings, profile: Profile, report: Report, turns: Turns) -> BlockSet:
    """The blocks of the last of a few steps, one a workload; no block when drafting did not pay."""
    from expediter.engine.head_off import steps
    from expediter.engine.loop import Engine

    with turns:
        run = steps(Engine(pair, settings, profile))
    blocks: list[Block] = []
    for done in range(STEPS):
        report(done / STEPS, f"Drafting and checking: step {done + 1} of {STEPS}")
        with turns:
            trace, blocks = next(run)
    return block.block_set(trace, blocks, "", telling=False)


@st.cache_resource(show_spinner=False)
def _sets(pair: str) -> tuple[BlockSet, ...]:
    path = block.path_of(pair)
    try:
        return block.load(path)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError):
        log.exception("%s does not read: record it again with python -m expediter machines", path.name)
        return ()
