"""Drafted blocks with everything that the three machines said about them, and the same blocks drafted without the Markov head."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from expediter.core.trace import RequestTrace, StepTrace

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "machines"


@dataclass(frozen=True, slots=True)
class Block:
    """One request's block of one step. `plain` has the same places, text before and random numbers, only the Markov head is off."""

    request: RequestTrace  # drafted words, confidence, survival, what was sent and what passed
    plain: tuple[str, ...] | None  # words with the head off [γ]; None for a draft without such a head

    @property
    def differs(self) -> tuple[bool, ...]:
        """Where the two drafts have different words. [γ]; all False without a head."""
        words = self.request.drafts
        return tuple(on != off for on, off in zip(words, words if self.plain is None else self.plain, strict=True))


@dataclass(frozen=True, slots=True)
class BlockSet:
    """A few blocks of one run, and what they were taken from."""

    pair: str
    temperature: float
    load: int  # R, requests of the step
    policy: str  # as the scheduler spells it
    about: str  # one sentence: when, where and from which weights
    drawn: int  # blocks that the run drafted
    differing: int | None  # how many of those have another word with the head off; None for a draft without such a head
    blocks: tuple[Block, ...]  # at most one a workload


def blocks_of(trace: StepTrace, plain: list[tuple[str, ...]] | None) -> list[Block]:
    """Every request's block of a step; none where nothing was drafted. plain: words with the head off, by slot [R, γ]"""
    drafted = [(slot, request) for slot, request in enumerate(trace.requests) if request.drafts]
    return [Block(request, None if plain is None else plain[slot]) for slot, request in drafted]


def block_set(trace: StepTrace, drawn: list[Block], about: str, *, telling: bool) -> BlockSet:
    """One block a workload out of those drawn with the settings of `trace`: the first, or the most telling one.

    Telling is a block in which the head changes a word; of those, or where there are none, one in which the most different things happened.
    """
    chosen: dict[str, Block] = {}
    for block in sorted(drawn, key=_tells, reverse=True) if telling else drawn:
        chosen.setdefault(block.request.workload, block)
    headed = [block for block in drawn if block.plain is not None]
    return BlockSet(
        pair=trace.pair,
        temperature=trace.temperature,
        load=trace.load,
        policy=trace.policy,
        about=about,
        drawn=len(drawn),
        differing=sum(any(block.differs) for block in headed) if headed else None,
        blocks=tuple(chosen[workload] for workload in sorted(chosen)),
    )


def _tells(block: Block) -> tuple[bool, int]:
    return any(block.differs), len({block.request.fate(position) for position in range(1, len(block.request.drafts) + 1)})


def path_of(pair: str, folder: Path = FOLDER) -> Path:
    """The file of this pair's blocks."""
    return folder / f"{pair}.json"


def nearest(sets: Iterable[BlockSet], temperature: float) -> BlockSet | None:
    """The set whose temperature is the nearest, the lower of two; None when there is none."""
    return min(sets, key=lambda found: (abs(found.temperature - temperature), found.temperature), default=None)


def save(path: Path, sets: Iterable[BlockSet]) -> None:
    """Write the sets of one pair as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = {"sets": [asdict(found) for found in sets]}
    path.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def load(path: Path) -> tuple[BlockSet, ...]:
    """Read what save wrote. Raises OSError, ValueError, KeyError or TypeError for anything else."""
    return tuple(_set(data) for data in json.loads(path.read_text(encoding="utf-8"))["sets"])


def _set(data: dict) -> BlockSet:
    return BlockSet(**{**data, "blocks": tuple(_block(block) for block in data["blocks"])})


def _block(data: dict) -> Block:
    request = RequestTrace(**{name: tuple(value) if isinstance(value, list) else value for name, value in data["request"].items()})
    return Block(request, None if data["plain"] is None else tuple(data["plain"]))
