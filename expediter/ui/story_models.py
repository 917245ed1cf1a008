"""What the story shows of the two models themselves: how many layers they have, and what a reading of several words costs. No streamlit."""

from dataclasses import dataclass

import numpy as np

from expediter.core.model_size import model_size
from expediter.core.pairs import PairInfo
from expediter.core.profile_file import ProfileError, load_profile
from expediter.core.trace import StepTrace
from expediter.ui.story_steps import hero

TABLE = "step_rate.json"  # beside pair.json
CONTEXT = 32  # tokens: a prompt, and the first words of its answer


@dataclass(frozen=True, slots=True)
class Models:
    """0 and None stand for what is not known: the story is then told without it."""

    big: int = 0  # layers of the target
    small: int = 0  # layers of the draft
    reading: tuple[float, float] | None = None  # seconds of one request's step that checks 0 guesses, and all of a block


UNKNOWN = Models()


def models_of(info: PairInfo, trace: StepTrace) -> Models:
    """Read off the pair's folders. The reading is of the block that the story shows, and comes from the run's own table or from none."""
    guesses = len(trace.requests[hero(trace)].tokens)
    sizes = [model_size(folder) for folder in (info.target, info.draft)]
    big, small = (size.layers if size else 0 for size in sizes)
    try:
        profile = load_profile(info.folder / TABLE)
    except ProfileError:
        return Models(big, small)
    if profile.fingerprint != trace.table or not guesses:
        return Models(big, small)
    rate = profile.at(trace.temperature).step_rate(1, CONTEXT, guesses)
    alone, together = rate.verify_seconds(np.array([1, 1 + guesses]))
    return Models(big, small, (float(alone), float(together)))
