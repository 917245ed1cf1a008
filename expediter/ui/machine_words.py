"""What Three machines says about its numbers, and its charts in words. Pure: values in, text out."""

import re
from collections.abc import Mapping

import numpy as np

from expediter.core.acceptance_counts import AcceptanceCounts
from expediter.core.block import Block, BlockSet
from expediter.ui.ages import day
from expediter.ui.captions import count, percent, small_percent
from expediter.ui.machines import Drafters
from expediter.ui.road_words import guesses

DATE = re.compile(r"\d{4}-\d\d-\d\d")


def acceptance_alt(drafters: Mapping[str, AcceptanceCounts]) -> str:
    """The acceptance chart in words."""
    rows = (f"{name}: {', '.join(_share(rate) for rate in counts.rate)}." for name, counts in drafters.items())
    return "How often each guess passes, by its position, if all before it have passed. " + " ".join(rows)


def acceptance_sentence(counts: AcceptanceCounts) -> str:
    """The first and the last position that was ever looked at, with the blocks behind them."""
    judged = np.flatnonzero(counts.judged)
    if not judged.size:
        return "None of its guesses was checked."
    last, rate = int(judged[-1]), counts.rate
    said = f"Its first guess passes {percent(rate[0])} of the time: in {counts.passed[0]:,} of {count(int(counts.judged[0]), 'block')}."
    if last:
        said += f" Its guess number {last + 1}, where all before it have passed: {percent(rate[last])}, in {counts.passed[last]:,} of "
        said += f"{count(int(counts.judged[last]), 'block')}."
    return said


def sources(counted: Drafters, text: Mapping[str, str]) -> list[str]:
    """Where the counts come from, and which drafters of this target have none."""
    said = [text["acceptance_temperature"].format(temperature=f"{counted.temperature:g}")]
    for name, (origin, blocks) in counted.origins.items():
        said.append(
            text["acceptance_from"].format(
                pair=name, blocks=f"{blocks:,}", machine=origin.machine, date=day(origin.recorded_at), weights=origin.weights
            )
        )
    if counted.missing:
        said.append(text["acceptance_missing"].format(pairs=", ".join(counted.missing)))
    return said


def origin(found: BlockSet, text: Mapping[str, str]) -> str:
    """Whether the block is recorded or drafted here, and how it was chosen."""
    numbers = {
        "temperature": f"{found.temperature:g}",
        "load": count(found.load, "request"),
        "drawn": found.drawn,
        "about": _days(found.about),
    }
    return text["block_recorded" if found.about else "block_live"].format(**numbers)


def head_sentence(block: Block) -> str:
    """How many words of this block the Markov head changed."""
    differing, words = sum(block.differs), count(len(block.request.drafts), "word")
    if not differing:
        return f"Here the head changes none of the {words}."
    much = f"all {words}" if differing == len(block.request.drafts) > 1 else f"{differing} of the {words}"
    return f"Here the head changes {much}, the first of them at position {block.differs.index(True) + 1}."


def run_sentence(found: BlockSet) -> str:
    """In how many of all blocks of the run the head changed something; empty where there is no head."""
    if found.differing is None:
        return ""
    if found.differing == found.drawn:
        return f"All {count(found.drawn, 'block')} of the run had at least one other word."
    return f"Of all {count(found.drawn, 'block')} of the run, {found.differing:,} had at least one other word."


def fate_sentence(block: Block) -> str:
    """What became of this block's guesses, and what the big model added."""
    request, drafted = block.request, len(block.request.drafts)
    fates = [request.fate(position) for position in range(1, drafted + 1)]
    left = f" {fates.count('left')} stayed on the dock." if request.sent and "left" in fates else ""
    if not request.sent:
        said = f"None of the {guesses(drafted)} was sent."
    else:
        which = (
            f"Of {guesses(drafted)} {request.sent}"
            if request.sent < drafted
            else f"All {guesses(drafted)}"
            if drafted > 1
            else "The 1 guess"
        )
        said = f"{which} went to the big model: {fates.count('passed') or 'none'} passed, {_refused(fates)}.{left}"
    if request.own is None:
        return f"{said} The answer ended there."
    return f"{said} The big model's own word follows."


def time_alt(seconds: Mapping[str, float], names: Mapping[str, str]) -> str:
    """The bar of a step's time in words."""
    total = sum(seconds.values())
    pieces = (f"{names[phase]} {1000 * took:.2f} ms ({small_percent(took / total)})" for phase, took in seconds.items())
    return f"A step takes {1000 * total:.1f} ms on average: " + ", ".join(pieces) + "."


def time_sentence(seconds: Mapping[str, float]) -> str:
    """The three machines' share of a step, beside the big model's."""
    total = sum(seconds.values())
    draft, score, schedule, verify = (small_percent(seconds[phase] / total) for phase in ("draft", "score", "schedule", "verify"))
    return (
        f"Of this time the drafter takes {draft}, the confidence head {score} and the scheduler {schedule}; the big model's check takes "
        f"{verify}."
    )


def _refused(fates: list[str]) -> str:
    if "refused" not in fates:
        return "none was refused"
    behind = fates.count("behind")
    return "1 was refused" + (f" and {behind} behind it came back" if behind else "")


def _days(told: str) -> str:
    """A recording's own words, their dates as everywhere on these pages."""
    return DATE.sub(lambda date: day(date[0]), told)


def _share(rate: float) -> str:
    return "never looked at" if np.isnan(rate) else percent(rate)
