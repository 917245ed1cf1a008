"""Where results that belong to this machine are kept: the user's cache folder, or the folder that EXPEDITER_CACHE names."""

import os
import re
from pathlib import Path


def folder() -> Path:
    """The cache folder; it need not exist yet."""
    named = os.environ.get("EXPEDITER_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "expediter"


def file(kind: str, *parts: str) -> Path:
    """The cache file of this kind for these parts, each made safe for a file name."""
    safe = [re.sub(r"[^A-Za-z0-9.]+", "-", part).strip("-") for part in parts]
    return folder() / kind / ("_".join(safe) + ".json")
