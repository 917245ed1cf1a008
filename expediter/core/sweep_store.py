"""Where sweeps lie: the recorded ones in assets, this machine's own in the cache."""

from pathlib import Path

from expediter.core import cache
from expediter.core.sweep import Sweep, SweepError, load_sweep, save_sweep

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "sweeps"


def shipped_path(pair: str, folder: Path = FOLDER) -> Path:
    """The recorded sweep of this pair."""
    return folder / f"{pair}.json"


def cached_path(sweep: Sweep) -> Path:
    """The cache file of exactly these conditions: whatever could change a number is in its name."""
    return cache.file("sweeps", *_wanted(sweep), sweep.device, sweep.dtype, f"{sweep.threads}-threads", sweep.table, f"seed-{sweep.seed}")


def keep(sweep: Sweep) -> str | None:
    """Remember a sweep for next time. None, or one sentence that says why it was not kept."""
    try:
        save_sweep(cached_path(sweep), sweep)
    except OSError as error:
        return f"The sweep could not be kept for next time ({error.strerror}): free some disk space or set EXPEDITER_CACHE."
    return None


def newest(pair: str, weights: str, depth: int, temperature: float, workload: str, seed: int) -> Sweep | None:
    """The last sweep made here under these settings, whatever device and step-rate table it used; None when there is none.

    A file that does not read counts as none: a new sweep replaces it.
    """
    name = cache.file("sweeps", pair, weights, f"{depth}", f"{temperature:g}", workload)
    found = []
    for path in name.parent.glob(f"{name.stem}_*.json"):
        try:
            found.append(load_sweep(path))
        except (OSError, SweepError):
            continue
    return max((sweep for sweep in found if sweep.seed == seed), key=lambda sweep: sweep.measured_at, default=None)


def _wanted(sweep: Sweep) -> tuple[str, ...]:
    return sweep.pair, sweep.weights, f"{sweep.depth}", f"{sweep.temperature:g}", sweep.workload
