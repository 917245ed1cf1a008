"""Whether everything about a pair still holds here: its files, words, memory, the packed forward, its confidence, its step times."""

from collections.abc import Iterator
from dataclasses import dataclass

from expediter.core.pairs import find
from expediter.core.profile import MEASURED_HERE
from expediter.core.profile_file import ProfileError
from expediter.engine.calibration_store import FIGURES, read_calibration, read_figures
from expediter.engine.loader import load
from expediter.engine.pair_checks import before_fetching, before_loading, once_loaded
from expediter.engine.profile_store import stored
from expediter.engine.wanted_model import Wanted


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    holds: bool
    sentence: str


def findings(name: str, temperature: float) -> Iterator[Finding]:
    """One after the other; the last one is the first that makes it useless to go on. Raises UnknownPair."""
    info = find(name)
    models = [Wanted(folder.name, folder) for folder in (info.target, info.draft)]
    try:
        before_fetching(*models)
        before_loading(*models)
        yield Finding(True, f"{models[0].given} and {models[1].given} can run here, have the same words, and fit into memory.")
        pair = load(name)
        once_loaded(pair, info, (models[0].given, models[1].given))
        yield Finding(True, "Read together, texts give the same numbers as one by one.")
    except (OSError, ValueError) as error:
        yield Finding(False, str(error))
        return
    yield _calibrated(name, temperature)
    try:
        profile = stored(pair)
        told = f"Its step times were {profile.source}, {profile.measured_at}, noise {profile.noise(16):.1%}."
        yield Finding(profile.source == MEASURED_HERE, told)
    except ProfileError as error:
        yield Finding(False, f"{error} (python -m expediter profile {name}).")


def _calibrated(name: str, temperature: float) -> Finding:
    info = find(name)
    try:
        at = read_calibration(info.folder).temperatures.tolist()
    except (OSError, ValueError):  # a drafter with a confidence head of its own
        return Finding(False, "Its confidence is the one that it was trained with, not calibrated here.")
    figures = read_figures(info.folder)
    how = f"quickly, on {figures.get('machine', 'this machine')}" if figures.get("quick") else f"as {FIGURES} tells"
    told = f"Its confidence was calibrated {how}, at temperatures {', '.join(f'{t:g}' for t in at)}"
    if any(abs(t - temperature) < 1e-3 for t in at):  # the file keeps single precision
        return Finding(True, f"{told}.")
    between = "taken from between its neighbours" if at[0] < temperature < at[-1] else "taken from the nearest"
    return Finding(False, f"{told}; at {temperature:g} it is {between}, not measured.")
