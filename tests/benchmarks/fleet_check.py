"""Whether the simulated fleet brings what real runs bring: ratios between policies' words per second, simulated over real.

    python -m tests.benchmarks.fleet_check pocket-good                 # runs the pair: about two minutes on a quiet machine
    python -m tests.benchmarks.fleet_check pocket-good --sweep assets/sweeps/pocket-good.json     # against an earlier run, in seconds

Two readings of the real run. "table": its words over the step-rate table's times, which tells whether replayed texts behave like the
model. "wall": its words over the clock on the wall, which also asks whether the table is right; it needs a quiet machine and the
machine's own table. Ratios are to no guessing. Close other programs first.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

from expediter.core.fleet_clock import Stretched
from expediter.core.pairs import find
from expediter.core.pause import LEAST, REQUESTS
from expediter.core.policy import Policy
from expediter.core.profile import Profile
from expediter.core.profile_file import load_profile
from expediter.core.recorded_blocks import load_blocks, path_of
from expediter.core.recorded_places import Places
from expediter.core.settings import Settings
from expediter.core.simulation import Fleet, simulate
from expediter.core.sweep import Sweep, load_sweep

LOADS = (4, 16, 64)
CLOSE = 0.05


@dataclass(frozen=True, slots=True)
class Compared:
    """One policy at one load. Each a multiple of no guessing."""

    load: int
    policy: str
    table: float  # real words, the table's times
    wall: float  # real words, real times
    simulated: float


def compared(real: Sweep, profile: Profile, texts: Places, steps: int = 20_000) -> list[Compared]:
    """Every policy but "off" at every load of LOADS that the sweep has. steps: request-steps simulated for each."""
    found = []
    for load in (load for load in LOADS if load in real.loads):
        off, plain = real.at("off", load), _simulated("off", load, profile, texts, steps)
        for policy in real.policies:
            if policy != "off":
                point = real.at(policy, load)
                ratio = _simulated(policy, load, profile, texts, steps) / plain
                found.append(Compared(load, policy, point.on_table / off.on_table, point.words_per_second / off.words_per_second, ratio))
    return found


def _simulated(policy: str, load: int, profile: Profile, texts: Places, steps: int) -> float:
    warm = max(LEAST, REQUESTS // load)
    fleet = Fleet(load, steps=warm + max(steps // load, 100))
    return simulate(texts, Stretched(profile.at(texts.temperature)), Policy.parse(policy), fleet).after(warm).words_per_second


def _real(name: str, earlier: Path | None, seconds: float) -> tuple[Sweep, Profile]:
    """A sweep and the step-rate table that it was planned on."""
    if earlier:
        return load_sweep(earlier), load_profile(find(name).folder / "step_rate.json")
    from expediter.engine.loader import load
    from expediter.engine.profile_store import stored
    from expediter.engine.sweep import sweep

    pair = load(name)
    profile = stored(pair)
    return sweep(pair, Settings(pair=name), profile, _tell, loads=LOADS, seconds=seconds), profile


def _tell(done: float, sentence: str) -> None:
    print(f"\r{sentence} {100 * done:3.0f} %", end="", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pair")
    parser.add_argument("--sweep", type=Path, help="a sweep planned on the pair's shipped step-rate table, instead of a run now")
    parser.add_argument("--seconds", type=float, default=4.0, help="of a real run for one policy at one load")
    options = parser.parse_args()
    made, table = _real(options.pair, options.sweep, options.seconds)
    texts = load_blocks(path_of(options.pair)).nearest_places(made.temperature)
    if texts is None:
        parser.error(f"no texts are recorded: python -m expediter blocks {options.pair}")
    if texts.temperature != made.temperature:
        print(f"the texts were recorded at temperature {texts.temperature:g}")
    if table.fingerprint != made.table:
        print(f"the sweep was planned on table {made.table}, this is {table.fingerprint}: sweep again")
    print(f"\n{made.pair}, γ {made.depth}, temperature {made.temperature:g}, {made.machine}; multiples of no guessing")
    print("load  policy          table  simulated    off by      wall    off by")
    worst = {"table": 0.0, "wall": 0.0}
    for row in compared(made, table, texts.shallow(made.depth)):
        gaps = {"table": row.simulated / row.table - 1, "wall": row.simulated / row.wall - 1}
        worst = {kind: max(worst[kind], abs(gap)) for kind, gap in gaps.items()}
        print(
            f"{row.load:4d}  {row.policy:14s} {row.table:6.3f}     {row.simulated:6.3f}   {100 * gaps['table']:+5.1f} %   "
            f"{row.wall:7.3f}   {100 * gaps['wall']:+5.1f} %"
        )
    for kind, gap in worst.items():
        print(f"largest gap, {kind}: {100 * gap:.1f} % ({'within' if gap <= CLOSE else 'beyond'} {100 * CLOSE:.0f} %)")
