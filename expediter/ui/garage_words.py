"""What the Garage says about its pairs, and its charts in words. Pure: values in, text out."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime

from expediter.core.figures import Figures
from expediter.core.profile import MEASURED_HERE, Profile
from expediter.ui.ages import ago
from expediter.ui.captions import count, percent, rate
from expediter.ui.garage_data import Card, Model, Speed

FEW = {few / of: f"{few} of {of}" for few, of in ((1, 5), (1, 4), (1, 3), (2, 5), (1, 2), (3, 5), (2, 3), (3, 4), (4, 5), (9, 10))}
LEAST, MOST = 1 / 6, 0.95  # outside of them no small fraction is near
WORTH = 1.02  # times no guessing; less is called the same


def of_few(share: float) -> str:
    """A share as a small fraction that can be pictured: "2 of 3"."""
    if share < LEAST:
        return "under 1 of 6"
    if share > MOST:
        return "nearly all"
    return FEW[min(FEW, key=lambda fraction: abs(fraction - share))]


def size(numbers: float) -> str:
    """Bytes as people say them: "36 MB", "1.4 GB"."""
    return f"{numbers / 1e9:.1f} GB" if numbers >= 1e9 else f"{max(numbers / 1e6, 1):.0f} MB"


def millions(parameters: int) -> str:
    """Parameters as people say them: "15.3 million", "0.1 million", "1.7 billion"."""
    return f"{parameters / 1e9:.1f} billion" if parameters >= 1e9 else f"{max(parameters / 1e6, 0.1):.1f} million"


def guesses(figures: Figures) -> tuple[str, str]:
    """How often the first guess passes, as a headline and what it is."""
    return of_few(figures.acceptance[0]), f"first guesses pass at temperature {figures.temperature:g}"


def pace(speed: Speed) -> tuple[str, str]:
    """One load's speed, as a headline and what it is."""
    who = "for one reader" if speed.load == 1 else f"for {speed.load} readers at once"
    if speed.guessing is None:
        return rate(speed.plain), f"words per second {who}, without guessing"
    if speed.guessing < WORTH * speed.plain:
        return rate(speed.plain), f"words per second {who}; guessing does not pay"
    return rate(speed.guessing), f"words per second {who}, {speed.guessing / speed.plain:.1f} × no guessing"


def block(figures: Figures) -> str:
    """What a whole block brings."""
    return f"{figures.tokens_per_step:.1f} words a step for each request, when all {len(figures.acceptance)} guesses are checked."


def honesty(figures: Figures) -> str:
    """Calibration error and sorting quality for people, with the number of blocks behind them."""
    off, right = mean(figures.ece), mean(figures.auc)
    said = f"Chances off by {100 * off:.1f} points of 100 on average" if off is not None else "Chances not compared"
    told = f"; a guess that passes is told from one that does not {100 * right:.0f} times in 100" if right is not None else ""
    return f"{said}{told} ({count(figures.blocks, 'held-out block')})."


def bulk(card: Card) -> str:
    """Parameters and disk."""
    parts = [millions(model.size.parameters) for model in (card.target, card.draft) if model.size]
    if len(parts) < 2:
        fetch = card.to_fetch
        return f"About {size(fetch.size)} to fetch, {millions(fetch.parameters)} numbers." if fetch else "Its weights do not read."
    return f"{parts[0]} numbers in the big model, {parts[1]} in the small one; {size(card.disk)} on disk."


def memory(card: Card, load: int) -> str:
    """What it takes, or would take."""
    if not card.weights or card.to_fetch:
        return ""
    takes = "Takes" if card.loaded else "Would take"
    return f"{takes} about {size(card.weights)}, and {size(card.stores(load))} for {count(load, 'request')}."


def origin(table: Profile, text: Mapping[str, str]) -> str:
    """Where the step times come from."""
    if table.source == MEASURED_HERE:
        return text["here"].format(ago=ago(table.measured_at))
    return text["recorded"].format(machine=f"{count(table.threads, 'thread')}, {day(table.measured_at)}")


def day(moment: str) -> str:
    """The day of an ISO 8601 moment; empty when it does not read."""
    try:
        return datetime.fromisoformat(moment).date().isoformat()
    except ValueError:
        return ""


def makes(model: Model) -> str:
    """What a model is: "pocket: llama, 12 layers of width 320, 15,327,040 numbers"."""
    found = model.size
    if found is None:
        return model.folder.name
    shape = f"{count(found.layers, 'layer')} of width {found.width:,}" if found.layers and found.width else ""
    return f"{model.folder.name}: {', '.join(filter(None, (found.kind, shape, f'{found.parameters:,} numbers')))}"


def licence(model: Model, text: Mapping[str, str]) -> str:
    """Under which terms it is here."""
    papers = model.source or model.known
    if papers is not None and papers.licence:
        return papers.licence
    return text["licence_shipped" if model.shipped else "licence_unknown"]


def licences(card: Card, text: Mapping[str, str]) -> str:
    """The pair's: one, or one for each model."""
    big, small = (licence(model, text) for model in (card.target, card.draft))
    return f"{big}." if big == small else text["licence_each"].format(big=big, small=small)


def source(model: Model, text: Mapping[str, str]) -> str:
    """Where it came from."""
    if papers := model.source:
        kind = "source_carried" if papers.carrier else "source_fetched"
        return text[kind].format(origin=papers.origin, carrier=papers.carrier, form=papers.form)
    if model.known:
        return text["source_known"].format(repository=model.known.repository)
    return text["source_shipped" if model.shipped else "source_own"].format(folder=model.folder)


def swap(chosen: Card, other: Card, costs: Mapping[str, float], batch: int) -> str:
    """What changes between two pairs: the road and the guesses. costs: milliseconds of a full step by pair."""
    mine, theirs = costs[chosen.info.title], costs[other.info.title]
    said = f"{other.info.title} instead of {chosen.info.title}: a step of {batch} words takes {theirs:.0f} ms instead of "
    said += f"{mine:.0f}"
    if chosen.figures and other.figures:
        said += f", and its first guess passes {percent(other.figures.acceptance[0])} of the time instead of "
        said += percent(chosen.figures.acceptance[0])
    return said + "."


def curve_alt(title: str, lines: Mapping[str, tuple[Sequence[float], Sequence[float]]], x: str, y: str) -> str:
    """A chart of lines in words: each one at its first, middle and last point. x, y: as in "{value} words"."""
    told = []
    for name, (at, values) in lines.items():
        picked = sorted({0, len(at) // 2, len(at) - 1})
        told.append(f"{name}: {'; '.join(f'{y.format(value=values[i])} at {x.format(value=at[i])}' for i in picked)}.")
    return f"{title}. {' '.join(told)}"


def passing_alt(title: str, figures: Mapping[str, Figures]) -> str:
    """The acceptance chart in words."""
    told = (f"{name}: {', '.join(_share(passed) for passed in found.acceptance)}." for name, found in figures.items())
    return f"{title}. {' '.join(told)}"


def mean(values: Sequence[float]) -> float | None:
    """Of those that are numbers; None where there are none."""
    numbers = [value for value in values if math.isfinite(value)]
    return sum(numbers) / len(numbers) if numbers else None


def _share(value: float) -> str:
    return percent(value) if math.isfinite(value) else "never looked at"
