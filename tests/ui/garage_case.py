"""Cards of pairs that exist on no disk, for the Garage's tests."""

from dataclasses import replace
from pathlib import Path

from expediter.core.catalogue import SMOLLM2
from expediter.core.figures import Figures
from expediter.core.model_size import ModelSize
from expediter.core.pairs import PairInfo
from expediter.ui.garage_data import LOADS, Card, Model, speed
from tests.fakes import SECONDS, profile

FIGURES = Figures(0.8, 20_032, (0.66, 0.5), 1.99, (0.01, 0.03), (0.8, 0.7))
SLOW = profile("measured here", {batch: 2 * seconds for batch, seconds in SECONDS.items()})
BIG = Model(Path("models/big"), ModelSize(15_327_040, 30_666_080, "llama", 12, 320, 1536), None, None, shipped=True)
SMALL = Model(Path("models/small"), ModelSize(1_217_024, 2_435_360, "llama", 1, 256, 128), None, None, shipped=True)
WAITING = Model(Path("models/smollm2-135m"), None, SMOLLM2, None, shipped=False)


def card(title: str = "Pocket · good", **changes) -> Card:
    """A parked, calibrated, measured pair, but for the changes."""
    info = PairInfo(title.lower().replace(" · ", "-"), title, "Rolls dice.", BIG.folder, SMALL.folder, 8, Path("models/pairs/x"))
    table = changes.get("table", profile("measured here"))
    figures = changes.get("figures", FIGURES)
    speeds = tuple(speed(table.at(0.0), load, figures.acceptance if figures else ()) for load in LOADS) if table else ()
    usual = Card(info, BIG, SMALL, 33_409_898, figures, table, speeds, "idle", None, "", chosen=False, own=False, kin=())
    return replace(usual, **changes)
