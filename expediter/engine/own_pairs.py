"""The reader's own pairs: two models of one family, checked, calibrated and measured here, then listed beside the shipped ones."""

import re
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from expediter.core.calibration import Calibration
from expediter.core.catalogue import CATALOGUE
from expediter.core.pairs import FILE, MODELS, NAME, PairInfo, UnknownPair, listed, user_models, user_pairs, write_pair
from expediter.core.profile import Profile
from expediter.core.settings import MAX_DEPTH
from expediter.core.workloads import PROMPTS
from expediter.engine.calibration_store import write_calibration
from expediter.engine.confidence import Probe
from expediter.engine.device import release
from expediter.engine.loader import Pair, load
from expediter.engine.model_folder import called
from expediter.engine.pair_checks import before_fetching, before_loading, once_loaded
from expediter.engine.profile_store import keep
from expediter.engine.quick_calibrate import SECONDS, quick_calibrate
from expediter.engine.quick_profile import quick_profile
from expediter.engine.wanted_model import Wanted, wanted

Report = Callable[[float, str], None]  # share done 0..1 and one sentence; may raise to stop
FETCHED, LOADED, CALIBRATED = 0.4, 0.45, 0.75  # shares of the bar


def add(
    target: str,
    draft: str,
    name: str | None = None,
    report: Report = lambda share, sentence: None,
    lock: AbstractContextManager | None = None,
    seconds: float = SECONDS,
) -> PairInfo:
    """Make a pair of two models, each a folder or a name on the hub, and measure it here.

    lock is taken for one step at a time; seconds: of decoding for the calibration. Nothing is left behind when it fails or is stopped but
    what has been fetched. Raises OSError or ValueError with one sentence that says what to do.
    """
    report(0.0, f"Looking for {target} and {draft}.")
    models = wanted(target), wanted(draft)
    name = _free_name(name or _name(models))
    before_fetching(*models)
    _bring(models, report)
    models = tuple(wanted(given) for given in (target, draft))
    depth = before_loading(*models)
    about = f"{models[1].short} guesses for {models[0].short}; added on this machine."
    title = f"{models[0].short} + {models[1].short}"
    info = PairInfo(name, title, about, models[0].folder, models[1].folder, min(depth, MAX_DEPTH), user_pairs() / name)
    try:
        pair, calibration, figures, profile = _measured(info, (models[0].given, models[1].given), report, lock, seconds)
        _write(info, pair, calibration, figures, profile)
    finally:
        pair = None
        release()
    return info


def remove(name: str, models: bool = False) -> list[Path]:
    """Forget a pair of the reader's own, and with `models` what was fetched for it and no other pair needs. → such models that stay

    Raises UnknownPair for a name that is none, ValueError for a shipped pair, OSError.
    """
    info = next((info for info in listed() if info.name == name), None)
    if info is None:
        own = ", ".join(info.name for info in listed() if info.folder.parent == user_pairs())
        raise UnknownPair(f"There is no pair called {name!r}: your own are {own or 'none'}.")
    if info.folder.parent != user_pairs():
        raise ValueError(f"{name} came with the project and stays: only pairs that were added here can be removed.")
    shutil.rmtree(info.folder)
    needed = {folder for other in listed() for folder in (other.target, other.draft)}
    idle = [folder for folder in dict.fromkeys((info.target, info.draft)) if folder.parent == user_models() and folder not in needed]
    idle = [folder for folder in idle if folder.is_dir() and folder.name not in CATALOGUE]
    for folder in idle if models else ():
        shutil.rmtree(folder)
    return [] if models else idle


def _name(models: tuple[Wanted, Wanted]) -> str:
    spelled = "-".join(re.sub(r"[^a-z0-9.]+", "-", model.short.lower()).strip("-.") for model in models)
    return spelled[:40].strip("-.")


def _free_name(name: str) -> str:
    """The name, if a pair may have it. Raises ValueError."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a pair: use small letters, digits, dots and dashes, 40 at most.")
    if any((folder / name / FILE).exists() for folder in (MODELS / "pairs", user_pairs())):
        raise ValueError(f"There is a pair called {name} already: remove it first, or give the new one another name.")
    return name


def _bring(models: tuple[Wanted, Wanted], report: Report) -> None:
    """Fetch the weights that are not here."""
    total, before = sum(model.coming for model in models), 0
    for model in models:

        def arrived(got: int, model: Wanted = model, before: int = before) -> None:
            report(FETCHED * (before + got) / total, f"{(before + got) / 1e6:.0f} of {total / 1e6:.0f} MB are here, now of {model.given}.")

        if not model.folder.exists() and models[0].given == models[1].given:
            continue  # one model twice, and it was just brought
        model.bring(arrived)
        before += model.coming


def _measured(
    info: PairInfo, given: tuple[str, str], report: Report, lock: AbstractContextManager | None, seconds: float
) -> tuple[Pair, Calibration, dict, Profile]:
    """Load, check, calibrate and profile."""
    report(FETCHED, "Loading both models.")
    try:
        pair = load(info.name, info=info, calibrated=False)
    except Exception as error:  # whatever a foreign model can make a library say, in its first line
        raise ValueError(_unloadable(error, info, given)) from error
    report(LOADED, "Reading texts together and one by one: the numbers must be the same.")
    with lock or nullcontext():
        once_loaded(pair, info, given)
    prompts = [prompt for prompts in PROMPTS.values() for prompt in prompts]

    def told(share: float, what: str) -> None:
        report(LOADED + (CALIBRATED - LOADED) * share, f"Learning how often its guesses pass: {what}.")

    calibration, figures = quick_calibrate(pair, prompts, told, lock, seconds)
    pair = replace(pair, scorer=Probe(calibration, pair.target.place.device))

    def timed(share: float) -> None:
        report(CALIBRATED + (1 - CALIBRATED) * share, f"Measuring what a step costs here, {round(100 * share)} %.")

    return pair, calibration, {**figures, "prompts_of": "workloads"}, quick_profile(pair, timed, lock)


def _unloadable(error: Exception, info: PairInfo, given: tuple[str, str]) -> str:
    """Why the pair could not be loaded, in one sentence that names the model at fault, or both where either may be."""
    said = (str(error).strip().splitlines() or [type(error).__name__])[0]
    places = dict(zip(map(called, (info.target, info.draft)), given, strict=True))
    blamed = [place for place in places if re.search(re.escape(place) + r"(?![\w.-])", said)]
    if len(blamed) == 1:
        return said.replace(blamed[0], places[blamed[0]])
    return f"{given[0]} and {given[1]} could not be loaded: {said}"


def _write(info: PairInfo, pair: Pair, calibration: Calibration, figures: dict, profile: Profile) -> None:
    """Everything about the pair, or nothing."""
    _free_name(info.name)  # it took a while
    try:
        write_calibration(info.folder, calibration, figures)
        write_pair(info)
        if problem := keep(pair, profile):
            raise OSError(problem)
    except BaseException:
        shutil.rmtree(info.folder, ignore_errors=True)
        raise
