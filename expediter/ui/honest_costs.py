"""What every notch of the dial costs on the shown blocks, computed once for each question a reader asks."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from expediter.core.clock import SimulatedClock
from expediter.core.dial import Outcome, all_or_nothing, draws, lead, play, sharpened
from expediter.core.policy import Policy
from expediter.core.profile import Profile
from expediter.core.recorded_blocks import RecordedBlocks
from expediter.core.settings import Settings
from expediter.core.step_rate import StepRate
from expediter.core.tables import TABLES
from expediter.ui.honest_blocks import Shown
from expediter.ui.honest_choice import KINDS, NOTCHES, strength
from expediter.ui.measured import measured
from expediter.ui.session import Session

CONTEXT = 64  # tokens a request has read, about the middle of a run
STEPS = (200, 800)  # fewest and most; between them as many as deal every block once
SEED = 5


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """One load on one table: each kind of chance as it is, the chosen kind on every notch, and the two ends."""

    kinds: Mapping[str, Outcome]  # by kind, undistorted
    notches: Mapping[int, Outcome]  # by notch, the chosen kind
    leads: Mapping[int, tuple[float, float]]  # over the calibrated chances: tokens/s and standard error, by notch
    kind_leads: Mapping[str, tuple[float, float]]  # the same for the undistorted kinds
    off: float  # nothing drafted, tokens/s
    everything: float  # every draft checked, tokens/s
    steps: int
    whole: Outcome  # the calibrated chances with a search along the whole curve: no dip of the table stops it

    @property
    def honest(self) -> Outcome:
        """The calibrated chances as they are."""
        return self.kinds["confidence"]


def table(session: Session) -> Profile | SimulatedClock:
    """The step-rate table to pay with: the chosen clock, else the best measured one, else the smooth one, which says that it is not."""
    return session.clock or measured(session) or SimulatedClock(TABLES["smooth"])


def clock_name(clock: Profile | SimulatedClock) -> str:
    """Whose times these are, in a few words."""
    return f"{clock.source}, {clock.table.title}" if isinstance(clock, SimulatedClock) else clock.source


def costs(shown: Shown, settings: Settings, kind: str, clock: Profile | SimulatedClock) -> Costs:
    """Replay the blocks at the chosen load."""
    blocks = shown.blocks
    rate = clock.at(blocks.temperature).step_rate(settings.load, CONTEXT, blocks.depth)
    origin = shown.origin
    asked = (origin.pair, origin.weights, origin.recorded_at, origin.seed, blocks.temperature, settings.workload, blocks.depth)
    return _costs((*asked, clock.fingerprint), settings.load, kind, blocks, rate)


@st.cache_data(max_entries=64, show_spinner=False)
def _costs(asked: tuple, load: int, kind: str, _blocks: RecordedBlocks, _rate: StepRate) -> Costs:
    """asked names the blocks and the table, which are too large to be compared."""
    steps = min(max(STEPS[0], -(-len(_blocks) // load)), STEPS[1])
    dealt = draws(len(_blocks), load, steps, SEED)

    def played(name: str, notch: int) -> Outcome:
        return play(sharpened(getattr(_blocks, name), strength(notch)), _blocks.passed, dealt, _rate)

    kinds = {name: played(name, 0) for name in KINDS}
    notches = {notch: played(kind, notch) if notch else kinds[kind] for notch in NOTCHES}
    honest = kinds["confidence"]
    off, everything = all_or_nothing(_blocks.passed, _blocks.depth, dealt, _rate)
    return Costs(
        kinds=kinds,
        notches=notches,
        leads={notch: lead(outcome, honest, dealt) for notch, outcome in notches.items()},
        kind_leads={name: lead(outcome, honest, dealt) for name, outcome in kinds.items()},
        off=off,
        everything=everything,
        steps=steps,
        whole=play(_blocks.confidence, _blocks.passed, dealt, _rate, Policy("global")),
    )
