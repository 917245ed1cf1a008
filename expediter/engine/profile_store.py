"""Step-rate profiles on disk: this machine's own in the cache (the reader's pairs keep theirs), the shipped one beside the pair."""

import os
from dataclasses import replace
from pathlib import Path

import torch

from expediter.core import cache
from expediter.core.pairs import FILE, MODELS, user_pairs
from expediter.core.profile import Profile
from expediter.core.profile_file import ProfileError, load_profile, save_profile
from expediter.engine.loader import Pair

SHIPPED = "step_rate.json"


def path_of(pair: Pair) -> Path:
    """This machine's profile of this pair: another device, dtype or thread count is another profile."""
    place = pair.target.place
    parts = (str(place.device), place.name, f"{torch.get_num_threads()}-threads", f"{os.cpu_count()}-cores")
    if (user_pairs() / pair.name / FILE).exists():
        return cache.file(f"pairs/{pair.name}", "profile", *parts)  # goes when the pair goes
    return cache.file("profiles", pair.name, *parts)


def stored(pair: Pair, models: Path = MODELS) -> Profile:
    """The profile to begin with: measured here before, else the shipped one, or one that the reader's pair has of other circumstances.

    One measured here before sampling was timed counts as of other circumstances: it is time to measure again. Raises ProfileError when
    none can be read.
    """
    try:
        return _of_today(load_profile(path_of(pair)))
    except ProfileError:
        others = sorted((user_pairs() / pair.name).glob("profile_*.json"))  # another device, number of threads, …
        other = load_profile(others[0] if others else models / "pairs" / pair.name / SHIPPED)
        return replace(other, source="recorded on another machine")


def _of_today(profile: Profile) -> Profile:
    if profile.sampled is None:
        raise ProfileError("The profile is from before steps above temperature 0 were timed: profile the pair again.")
    return profile


def keep(pair: Pair, profile: Profile) -> str | None:
    """Remember a measurement for next time. None, or one sentence that says why it was not kept: it still serves this run."""
    try:
        save_profile(profile, path_of(pair))
    except OSError as error:
        return f"The measured step rate could not be kept for next time ({error.strerror}): free some disk space or set EXPEDITER_CACHE."
    return None
