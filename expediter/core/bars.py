"""What a benchmark has to show: each bar with its figure, and what the run can tell about it.

The figure alone does not decide. A bar is met where the whole 95 % interval lies on its good side, missed where all of it lies on the bad
one; in between the run is too short, or the machine too noisy, to tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from expediter.core.bench import Bench, Peer, Row
from expediter.core.ratio import Ratio, against_best, ratio, worst

GENERATE, ASSISTED = "generate", "assisted generation"
SCHEDULER = "early-stop"
COMPARED = ALONE, BUSY = 1, 16  # loads at which it is held against what people use
BIG = "smollm2"  # in the name of a pair with a big target, whose bars differ
MET, MISSED, UNSURE = "met", "missed", "within noise"
BOTH, SURELY = 1.1, 1.05  # gain over no drafts and over all of them, and where its interval must lie above


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar. `value` is the worst case that decides it."""

    name: str  # one phrase
    bound: float
    value: float
    verdict: str  # MET, MISSED or UNSURE
    where: str  # the load and rival that decided
    low: float | None = None  # 95 % interval of the value; None where nothing was repeated
    high: float | None = None

    @property
    def met(self) -> bool:
        """Whether the run shows that it is met."""
        return self.verdict == MET

    @property
    def interval(self) -> str:
        """The interval in figures; empty without one."""
        return "" if self.low is None else f"{self.low:.2f} to {self.high:.2f}"


def bars(bench: Bench) -> list[Bar]:
    """Every bar for which the run has the figures, in a fixed order."""
    made = (_never_below, _gains, _best_plan, _oracle, _prediction, _generate_alone, _generate_busy, _assisted, _overhead)
    return [bar for make in made if (bar := make(bench)) is not None]


def rivals(bench: Bench, load: int) -> list[Row]:
    """Not drafting and every fixed length."""
    return [r for r in bench.rows if r.load == load and (r.policy in ("off", "all") or r.policy.startswith("fixed:"))]


def counted(bars: Sequence[Bar]) -> dict[str, int]:
    """How many bars have each verdict."""
    return {verdict: sum(bar.verdict == verdict for bar in bars) for verdict in (MET, MISSED, UNSURE)}


def _judged(bound: float, low: float, high: float) -> str:
    return MET if low >= bound else MISSED if high < bound else UNSURE


def _over_best(ours: Row | None, against: Sequence[Row | Peer]) -> tuple[Ratio, str] | None:
    """Ours over the best of them, and its name; None where somebody is lacking."""
    if ours is None or not against:
        return None
    found, chosen = against_best(ours.blocks, [one.blocks for one in against])
    rival = against[chosen]
    return found, rival.policy if isinstance(rival, Row) else rival.name


def _worst(name: str, bound: float, bench: Bench, against: dict[int, list[Row]]) -> Bar | None:
    """The scheduler over the best of some rivals at every load; the smallest ratio decides."""
    found = [(*over, load) for load in bench.loads if (over := _over_best(bench.row(load, SCHEDULER), against.get(load, []))) is not None]
    if not found:
        return None
    least = worst([r for r, _, _ in found])
    _, rival, load = found[least.at]
    where = f"load {load}, against {rival}"
    if len(found) > 1:
        where += f"; equals would read {least.equals:.2f}"
    return Bar(name, bound, least.value, _judged(bound, least.low, least.high), where, least.low, least.high)


def _never_below(bench: Bench) -> Bar | None:
    return _worst(
        "never below the best of no drafts and every fixed length", 0.97, bench, {load: rivals(bench, load) for load in bench.loads}
    )


def _gains(bench: Bench) -> Bar | None:
    """1.1 times both, with the interval above 1.05: the second best load decides, for it takes two."""
    found = []
    for load in bench.loads:
        ours, off, everything = (bench.row(load, policy) for policy in (SCHEDULER, "off", "all"))
        if ours and off and everything:
            found.append((min((ratio(ours.blocks, rival.blocks) for rival in (off, everything)), key=lambda r: r.value), load))
    if len(found) < 2:
        return None
    sure = sum(r.value >= BOTH and r.low > SURELY for r, _ in found)
    possible = sum(r.high >= BOTH for r, _ in found)
    verdict = MET if sure >= 2 else MISSED if possible < 2 else UNSURE
    least, load = sorted(found, key=lambda entry: entry[0].value, reverse=True)[1]
    return Bar("faster than no drafts and than all drafts at two loads", BOTH, least.value, verdict, f"load {load}", least.low, least.high)


def _named(bench: Bench, policy: str) -> dict[int, list[Row]]:
    return {load: [row] for load in bench.loads if (row := bench.row(load, policy)) is not None}


def _best_plan(bench: Bench) -> Bar | None:
    return _worst("near the best plan that the same confidences allow", 0.97, bench, _named(bench, "best-plan"))


def _oracle(bench: Bench) -> Bar | None:
    return _worst("near a clairvoyant", 0.75, bench, _named(bench, "oracle"))


def _prediction(bench: Bench) -> Bar | None:
    if bench.prediction is None:
        return None
    found = bench.prediction
    parts = {"words a step": found.words, "time": found.seconds, "time without drafts": found.plain}
    where = ", ".join(["mean over all loads", *(f"{name} {100 * part:+.0f} %" for name, part in parts.items() if part is not None)])
    verdict = MET if abs(found.bias) <= 0.10 else MISSED
    return Bar("predicted speed within 10 % of the realised one in the mean", 0.10, found.bias, verdict, where)


def _against(bench: Bench, name: str, load: int, bound: float, phrase: str) -> Bar | None:
    over = _over_best(bench.row(load, SCHEDULER), [p for p in bench.peers if p.load == load and p.name.startswith(name)])
    if over is None:
        return None
    r, rival = over
    return Bar(phrase, bound, r.value, _judged(bound, r.low, r.high), f"load {load}, against {rival}", r.low, r.high)


def _generate_alone(bench: Bench) -> Bar | None:
    return _against(bench, GENERATE, ALONE, 1.5, "faster than transformers' generate for one request")


def _generate_busy(bench: Bench) -> Bar | None:
    return _against(bench, GENERATE, BUSY, 1.25 if BIG in bench.pair else 1.5, "faster than transformers' generate for sixteen requests")


def _assisted(bench: Bench) -> Bar | None:
    return _against(bench, ASSISTED, ALONE, 1.3, "faster than transformers' assisted generation")


def _overhead(bench: Bench) -> Bar | None:
    bound = 0.05 if BIG in bench.pair else 0.15
    shares = {int(load): share for load, share in bench.overhead.items() if int(load) >= 8}
    if not shares:
        return None
    load = max(shares, key=shares.__getitem__)
    verdict = MET if shares[load] <= bound else MISSED
    return Bar("little time outside the two models at loads 8 and above", bound, shares[load], verdict, f"load {load}")
