"""What the Garage knows of every pair, read off folders and tables: nothing here loads a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from expediter.core.advice import Clock, fixed_rates
from expediter.core.catalogue import CATALOGUE, Fetchable
from expediter.core.costs import Costs
from expediter.core.figures import Figures, nearest_figures
from expediter.core.model_size import ModelSize, folder_bytes, model_size
from expediter.core.pairs import MODELS, PairInfo, user_pairs
from expediter.core.profile import Profile
from expediter.core.source import Source, read_source
from expediter.engine.calibration_store import read_figures
from expediter.engine.requests import ROOM
from expediter.ui.live import live_pair
from expediter.ui.measured import known

LOADS = (1, 16)  # requests at once, of the two speeds on a card
CONTEXT = 96  # tokens that each request holds
FLOAT = 4  # bytes of a number in memory
STATES = ("missing", "idle", "loading", "measuring", "live", "failed")


@dataclass(frozen=True, slots=True)
class Speed:
    """Words per second at a load, worked out from a table of step times and from how often guesses pass."""

    load: int  # R, requests
    plain: float  # without guessing
    guessing: float | None  # with the same number of guesses for all, the best one; None where nobody knows how often guesses pass


@dataclass(frozen=True, slots=True)
class Model:
    """One of the two models of a pair."""

    folder: Path
    size: ModelSize | None  # None where its weights do not read
    known: Fetchable | None  # where it can be fetched from; None for any other
    source: Source | None  # its papers, where it was fetched
    shipped: bool  # it lies in models/


@dataclass(frozen=True, slots=True)
class Card:
    """One pair."""

    info: PairInfo
    target: Model
    draft: Model
    disk: int  # bytes of both folders and of the pair's own
    figures: Figures | None  # None where it was never calibrated
    table: Profile | None  # None where it was never measured
    speeds: tuple[Speed, ...]  # at LOADS; empty without a table
    state: str  # one of STATES
    measured: float | None  # share of the measurement of its speed that is done; None when none is running
    problem: str  # one sentence about what went wrong
    chosen: bool  # it is the dock's pair
    own: bool  # the reader has added it
    kin: tuple[str, ...]  # titles of other pairs with the same big model

    @property
    def costs(self) -> Costs | None:
        """What its steps cost at the temperature of its figures."""
        return self.table.at(self.figures.temperature if self.figures else 0.0) if self.table else None

    @property
    def loaded(self) -> bool:
        """Whether it is in memory."""
        return self.state in ("live", "measuring")

    @property
    def to_fetch(self) -> Fetchable | None:
        """The model that has to be fetched first."""
        known = (model.known for model in (self.target, self.draft) if model.known and model.size is None)
        return next(known, None) if self.state == "missing" else None

    @property
    def weights(self) -> int:
        """Bytes of both models in memory; 0 where they are not known."""
        return FLOAT * sum(model.size.parameters for model in (self.target, self.draft) if model.size)

    def stores(self, load: int) -> int:
        """Bytes of what both models keep of `load` requests: keys and values of every token there is room for."""
        return FLOAT * load * (ROOM + 16) * sum(model.size.kept for model in (self.target, self.draft) if model.size)


def cards(infos: Sequence[PairInfo], chosen: str, temperature: float) -> list[Card]:
    """Every pair, in the order given; figures at the measured temperature that is nearest."""
    titles: dict[Path, list[str]] = {}
    for info in infos:
        titles.setdefault(info.target, []).append(info.title)
    return [_card(info, chosen, temperature, titles[info.target]) for info in infos]


def speed(costs: Clock, load: int, acceptance: Sequence[float]) -> Speed:
    """acceptance: c_k by position, empty where it is not known."""
    rates = fixed_rates(costs, load, acceptance, CONTEXT)
    return Speed(load, float(rates[0]), float(rates.max()) if len(acceptance) else None)


def _card(info: PairInfo, chosen: str, temperature: float, kin: Sequence[str]) -> Card:
    figures = nearest_figures(_mapping(read_figures(info.folder)), temperature)
    table = None if info.missing else known(info.name)
    progress = live_pair(info.name).progress
    state = "missing" if info.missing else "measuring" if progress.measured is not None else progress.state
    acceptance = figures.acceptance[: info.max_depth] if figures else ()
    costs = table.at(figures.temperature if figures else 0.0) if table else None
    return Card(
        info=info,
        target=_model(info.target),
        draft=_model(info.draft),
        disk=folder_bytes(info.target, info.draft, info.folder),
        figures=figures,
        table=table,
        speeds=tuple(speed(costs, load, acceptance) for load in LOADS) if costs else (),
        state=state,
        measured=progress.measured,
        problem=info.missing or progress.problem,
        chosen=info.name == chosen,
        own=info.folder.parent == user_pairs(),
        kin=tuple(title for title in kin if title != info.title),
    )


def _model(folder: Path) -> Model:
    return Model(folder, model_size(folder), CATALOGUE.get(folder.name), read_source(folder), folder.parent == MODELS)


def _mapping(data: object) -> Mapping:
    return data if isinstance(data, Mapping) else {}
