"""What a job is asked for: a key out of every setting that could change its result, and the same in a reader's words."""

from collections.abc import Mapping, Sequence

from expediter.core.settings import Settings
from expediter.ui.block_recordings import weights_now
from expediter.ui.captions import count
from expediter.ui.controls import words
from expediter.ui.job import Asked
from expediter.ui.reader import title
from expediter.ui.ways import title as policy_title

NOTHING: Mapping[str, str] = {}


def asked(kind: str, settings: Settings, names: Sequence[str], more: Mapping[str, str] = NOTHING) -> Asked:
    """A job of this kind on the chosen pair, with the weights that it has now.

    names: of the settings that matter beside the pair; more: what else does, as it stands in the key → in words.
    """
    spelled = [f"{getattr(settings, name)}" for name in names]
    key = " ".join([kind, settings.pair, weights_now(settings.pair) or "unknown", *spelled, *more])
    told = [title(settings.pair), *(_told(name, settings) for name in names), *more.values()]
    return Asked(key, ", ".join(filter(None, told)))


def _told(name: str, settings: Settings) -> str:
    """A setting for people."""
    value = getattr(settings, name)
    said = {
        "load": lambda: count(value, "request"),
        "depth": lambda: f"{count(value, 'word')} guessed",
        "workload": lambda: f"requests: {words()['workloads'][value].lower()}",
        "policy": lambda: f"“{policy_title(value)}”",
    }
    return said[name]() if name in said else f"{name} {value:g}"
