"""The blocks that Honest numbers looks at: measured here as a job, else recorded; of the chosen kind of request and depth."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expediter.core.pairs import PairInfo
from expediter.core.recorded_blocks import BLOCKS, Origin, RecordedBlocks, Recording, load_blocks, save_blocks
from expediter.core.recorded_places import Places
from expediter.core.settings import Settings
from expediter.ui import jobs, kept
from expediter.ui.asked import asked as asked_for
from expediter.ui.block_recordings import block_recording, weights_now
from expediter.ui.job import Asked, Report, Work
from expediter.ui.pair_job import on_pair
from expediter.ui.reader import known_pairs
from expediter.ui.turns import Turns


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Blocks and where they come from."""

    blocks: RecordedBlocks  # of the chosen workload, cut to the chosen depth
    origin: Origin
    here: bool  # measured on this machine
    other_weights: bool  # recorded from weights that are no longer in models/
    places: Places | None = None  # texts of the same kind for the fleet; None in a recording of the first format


TEXTS = 32  # of a measurement here: a few seconds more


def shown(settings: Settings) -> Shown | None:
    """What was measured here at this temperature, else the blocks recorded nearest to it; None where there are neither."""
    made = made_here(settings)
    recording, here = made or block_recording(settings.pair), made is not None
    if recording is None:
        return None
    blocks = recording.nearest(settings.temperature)
    names = recording.origin.workloads
    if settings.workload in names:
        blocks = blocks.only(blocks.workload == names.index(settings.workload))
    if not len(blocks):
        return None
    places = recording.nearest_places(settings.temperature)
    if places is not None:
        wanted = places.only(places.workload == names.index(settings.workload)) if settings.workload in names else places
        places = wanted.shallow(settings.depth) if len(wanted) else None
    now = "" if here else weights_now(settings.pair)
    return Shown(blocks.shallow(settings.depth), recording.origin, here, bool(now) and now != recording.origin.weights, places)


def made_here(settings: Settings) -> Recording | None:
    """What was measured on this machine at exactly this temperature, just now or on an earlier day; None where nothing was."""
    return jobs.result(asked(settings)) or kept.find(kept_path(settings), load_blocks)


def fitted(pair: str, blocks: RecordedBlocks, text: Mapping[str, str]) -> dict[str, list[float | None]]:
    """What was measured when the pair was calibrated, at this very temperature, as rows of a table; none where it was not."""
    from expediter.engine.calibration_store import read_figures

    figures = read_figures(pair_info(pair).folder).get("temperatures", {}).get(f"{blocks.temperature:g}")
    if not figures:
        return {}
    after = text["row_fitted"].format(blocks=f"{figures['blocks']:,}")
    return {after: figures["ece"][: blocks.depth], text["row_fitted_before"]: figures["ece_before_scaling"][: blocks.depth]}


def pair_info(name: str) -> PairInfo:
    """The known pair of this name."""
    return next(info for info in known_pairs() if info.name == name)


def asked(settings: Settings) -> Asked:
    """The job that measures at exactly these settings. Blocks are of every kind of request, and as deep as the draft can."""
    return asked_for("blocks", settings, ("temperature", "seed"))


def kept_path(settings: Settings) -> Path | None:
    """Where the last blocks for these settings are kept."""
    weights = weights_now(settings.pair)
    return kept.path("blocks", settings.pair, weights, f"{settings.temperature:g}", f"{settings.seed}", suffix=".npz")


def measuring(settings: Settings, text: Mapping[str, str]) -> Work:
    """A job that records blocks here, at exactly the chosen temperature, and keeps them. Its result is a Recording."""
    info, path = pair_info(settings.pair), kept_path(settings)

    def work(pair: Any, profile: Any, report: Report, turns: Turns) -> Recording:
        def told(share: float) -> None:
            report(share, text["measuring"].format(done=round(100 * share), blocks=f"{BLOCKS:,}"))

        made = measure_here(pair, info, settings, told, turns)
        kept.keep(path, lambda to: save_blocks(to, made))
        return made

    return on_pair(settings.pair, work, profiled=False)


def measure_here(pair: Any, info: PairInfo, settings: Settings, progress, turns: Turns) -> Recording:
    """The engine's work, imported only when a model is wanted."""
    from expediter.engine.record_blocks import recording

    return recording(pair, info, (settings.temperature,), BLOCKS, TEXTS, settings.seed, progress, turns)
