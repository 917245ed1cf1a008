"""Where pairs, profiles and engines come from. Importing this imports no torch: the real source's own imports wait until it is asked."""

import os
from collections.abc import Callable
from typing import Any, Protocol

from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.ui.lease import Live
from expediter.ui.turns import Turns


class Source(Protocol):
    """Where pairs, profiles and engines come from. All of it may be slow; it runs in the background, `engine` under the lock."""

    def prepare(self) -> None:
        """Bring in the libraries that everything below needs."""

    def load(self, name: str) -> Any:
        """The pair, in memory."""

    def profile(self, pair: Any) -> Profile:
        """The step-rate profile to begin with: measured here before, or shipped with the pair."""

    def measure(self, pair: Any, on_progress: Callable[[float], None], lock: Turns) -> Profile:
        """Measure the step rate here, taking the lock for each small piece of work."""

    def keep(self, pair: Any, profile: Profile) -> str:
        """Keep a measurement for the next start. Empty, or one sentence that says why it could not be kept."""

    def engine(self, pair: Any, settings: Settings, profile: Profile) -> Live:
        """A fresh run."""

    def device(self, pair: Any) -> str:
        """The kind of device that the pair runs on: "cpu", "cuda" or "mps"."""

    def release(self) -> None:
        """Give memory that nothing uses any more back to the system."""


class EngineSource:
    """The real thing. Its imports take seconds, so they wait until the background thread asks."""

    def prepare(self) -> None:
        import transformers.models.llama.modeling_llama  # noqa: F401 (the bulk of it is imported only when a model is read)

        import expediter.engine.loader
        import expediter.engine.loop  # noqa: F401

    def load(self, name: str) -> Any:
        from expediter.engine.loader import load

        return load(name, device=os.environ.get("EXPEDITER_DEVICE"))

    def profile(self, pair: Any) -> Profile:
        from expediter.engine.profile_store import stored

        return stored(pair)

    def measure(self, pair: Any, on_progress: Callable[[float], None], lock: Turns) -> Profile:
        from expediter.engine.profiler import measure

        return measure(pair, on_progress, lock)

    def keep(self, pair: Any, profile: Profile) -> str:
        from expediter.engine.profile_store import keep

        return keep(pair, profile) or ""

    def engine(self, pair: Any, settings: Settings, profile: Profile) -> Live:
        from expediter.engine.loop import Engine

        return Engine(pair, settings, profile)

    def device(self, pair: Any) -> str:
        return pair.target.place.device.type

    def release(self) -> None:
        from expediter.engine.device import release

        release()
