"""What a benchmark has to show: each bar with its figure, met or not."""

from collections.abc import Callable
from dataclasses import dataclass

from expediter.core.bench import Bench, Peer, Ratio, Row, ratio

GENERATE, ASSISTED = "generate", "assisted generation"
SCHEDULER = "early-stop"
BIG = "smollm2"  # in the name of a pair with a big target, whose bars differ


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar. `value` is the worst case that decides it."""

    name: str  # one phrase
    bound: float
    value: float
    met: bool
    where: str  # the load and rival that decided, with the confidence interval where there is one


def bars(bench: Bench) -> list[Bar]:
    """Every bar for which the run has the figures, in a fixed order."""
    made = (_never_below, _gains, _best_plan, _oracle, _prediction, _generate_alone, _generate_busy, _assisted, _overhead)
    return [bar for make in made if (bar := make(bench)) is not None]


def rivals(bench: Bench, load: int) -> list[Row]:
    """Not drafting and every fixed length."""
    return [r for r in bench.rows if r.load == load and (r.policy in ("off", "all") or r.policy.startswith("fixed:"))]


def _interval(r: Ratio) -> str:
    return f"{r.low:.2f} to {r.high:.2f}"


def _worst(name: str, bound: float, bench: Bench, rival_of: Callable[[int], Row | Peer | None]) -> Bar | None:
    """The scheduler over a rival at every load; the smallest ratio decides."""
    found = []
    for load in bench.loads:
        ours, rival = bench.row(load, SCHEDULER), rival_of(load)
        if ours and rival:
            label = rival.policy if isinstance(rival, Row) else rival.name
            found.append((ratio(ours, rival), f"load {load}, against {label}"))
    if not found:
        return None
    least, where = min(found, key=lambda pair: pair[0].value)
    return Bar(name, bound, least.value, least.value >= bound, f"{where}; 95 %: {_interval(least)}")


def _never_below(bench: Bench) -> Bar | None:
    def best(load: int) -> Row | None:
        return max(rivals(bench, load), key=lambda row: row.tokens_per_s, default=None)

    return _worst("never below the best of no drafts and every fixed length", 0.97, bench, best)


def _gains(bench: Bench) -> Bar | None:
    """1.1 times both, with the interval above 1.05: the second best load decides, for it takes two."""
    found = []
    for load in bench.loads:
        ours, off, everything = (bench.row(load, policy) for policy in (SCHEDULER, "off", "all"))
        if ours and off and everything:
            least = min((ratio(ours, off), ratio(ours, everything)), key=lambda r: r.value)
            found.append((least.value if least.low > 1.05 else min(least.value, least.low), least, load))
    if len(found) < 2:
        return None
    value, least, load = sorted(found, key=lambda entry: entry[0], reverse=True)[1]
    return Bar("faster than no drafts and than all drafts at two loads", 1.1, value, value >= 1.1, f"load {load}; 95 %: {_interval(least)}")


def _best_plan(bench: Bench) -> Bar | None:
    return _worst("near the best plan that the same confidences allow", 0.97, bench, lambda load: bench.row(load, "best-plan"))


def _oracle(bench: Bench) -> Bar | None:
    return _worst("near a clairvoyant", 0.75, bench, lambda load: bench.row(load, "oracle"))


def _prediction(bench: Bench) -> Bar | None:
    if bench.prediction is None:
        return None
    found = bench.prediction
    parts = {"words a step": found.words, "time": found.seconds, "time without drafts": found.plain}
    where = ", ".join(["mean over all loads", *(f"{name} {100 * part:+.0f} %" for name, part in parts.items() if part is not None)])
    return Bar("predicted speed within 10 % of the realised one in the mean", 0.10, found.bias, abs(found.bias) <= 0.10, where)


def _against(bench: Bench, name: str, load: int, bound: float, phrase: str) -> Bar | None:
    peers = [p for p in bench.peers if p.load == load and p.name.startswith(name)]
    ours = bench.row(load, SCHEDULER)
    if not peers or not ours:
        return None
    best = max(peers, key=lambda peer: peer.tokens_per_s)
    r = ratio(ours, best)
    return Bar(phrase, bound, r.value, r.value >= bound, f"load {load}, against {best.name}; 95 %: {_interval(r)}")


def _generate_alone(bench: Bench) -> Bar | None:
    return _against(bench, GENERATE, 1, 1.5, "faster than transformers' generate for one request")


def _generate_busy(bench: Bench) -> Bar | None:
    return _against(bench, GENERATE, 16, 1.25 if BIG in bench.pair else 1.5, "faster than transformers' generate for sixteen requests")


def _assisted(bench: Bench) -> Bar | None:
    return _against(bench, ASSISTED, 1, 1.3, "faster than transformers' assisted generation")


def _overhead(bench: Bench) -> Bar | None:
    bound = 0.05 if BIG in bench.pair else 0.15
    shares = {int(load): share for load, share in bench.overhead.items() if int(load) >= 8}
    if not shares:
        return None
    load = max(shares, key=shares.__getitem__)
    return Bar("little time outside the two models at loads 8 and above", bound, shares[load], shares[load] <= bound, f"load {load}")
