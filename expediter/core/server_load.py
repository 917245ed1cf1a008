"""A vLLM or SGLang server's live load and what becomes of its drafts, from two readings of its metrics page.

vLLM (V1, 2026-11) counts drafts, drafted and accepted tokens, and accepted tokens by position; of two readings the difference counts,
series by series. Where its adaptive verification cuts blocks, the drafted tokens are those proposed; those that were sent have a count of
their own, spec_decode_num_verified_draft_tokens, on pages that are new enough (vLLM's pull request 58340). V0 had no count by position and
none of drafts, but one of emitted tokens, and the gauge spec_decode_efficiency = emitted / (γ + 1 tokens a draft), which gives γ away.

SGLang (0.5.19, 2026-09, started with --enable-metrics) has gauges of its last logging interval: num_running_reqs, gen_throughput,
spec_accept_length (with the bonus), spec_accept_rate, spec_num_draft_tokens (with the anchor), and, where DSpark cuts the blocks,
spec_cap_length (with the anchor) and, in its mode cap-accept alone, spec_block_accept_length (as if nothing had been cut; else 0). Its
counters of generated tokens and of verifications grow only as requests end. In older ones the rate held the bonus too, and nothing said γ.
There is no acceptance by position: an even one is derived from the mean length.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import nan

from expediter.core.server_page import RUNNING, SGLANG, Reading, Series

TOKENS = "generation_tokens"
DRAFTS, DRAFTED, ACCEPTED = "spec_decode_num_drafts", "spec_decode_num_draft_tokens", "spec_decode_num_accepted_tokens"
BY_POSITION, EMITTED = "spec_decode_num_accepted_tokens_per_pos", "spec_decode_num_emitted_tokens"
VERIFIED = "spec_decode_num_verified_draft_tokens"


@dataclass(frozen=True, slots=True)
class Live:
    """The time between two readings. NaN for what the page does not tell."""

    engine: str
    running: float  # requests at the second reading, of all engines
    engines: int  # data-parallel engines that have any
    tokens_per_s: float
    speculates: bool  # the page has numbers about drafts at all
    depth: int  # γ, positions the page tells of; 0 when nothing was drafted
    acceptance: tuple[float, ...]  # c_k: position k passes, given that the ones before did, up to the last that was reached [≤ γ]
    even: bool  # c_k is the same for all k because only a mean is known
    sent: float  # drafts a request and step, mean
    tokens_per_step: float  # of a request, its own token included
    restarted: bool  # a counter fell: that engine began anew and only its new counts are used

    @property
    def load(self) -> int:
        """R: requests that share a step, the mean over the engines that have any."""
        return round(self.running / self.engines) if self.engines else 0


def between(before: Reading, after: Reading) -> Live:
    """What happened from one reading to the next."""
    grown = _Grown(before, after)
    running = [value for value in after.metrics[RUNNING[after.engine]].values() if value > 0]
    drafts = _sglang(after) if after.engine == SGLANG else _vllm_old(after, grown) if EMITTED in after.metrics else _vllm(grown)
    seconds = after.at - before.at
    tokens = grown.sum(TOKENS) / seconds if seconds > 0 else nan
    if after.engine == SGLANG and "gen_throughput" in after.metrics:
        tokens = sum(after.metrics["gen_throughput"].values())
    return Live(
        engine=after.engine,
        running=float(sum(running)),
        engines=len(running),
        tokens_per_s=tokens,
        speculates=any(name.startswith("spec_") for name in after.metrics),
        depth=drafts.depth,
        acceptance=drafts.acceptance,
        even=drafts.even,
        sent=drafts.sent,
        tokens_per_step=drafts.tokens_per_step,
        restarted=grown.restarted,
    )


class _Grown:
    """By how much counters grew, every series for itself: where one fell, its engine began anew and all of it is new."""

    def __init__(self, before: Reading, after: Reading):
        self._before, self._after, self.restarted = before.metrics, after.metrics, False
        for name in (TOKENS, DRAFTS, DRAFTED, VERIFIED, ACCEPTED, BY_POSITION, EMITTED):
            self.series(name)

    def series(self, name: str) -> Series:
        old, new = self._before.get(name, {}), self._after.get(name, {})
        fell = {key for key, value in new.items() if value < old.get(key, 0.0)}
        self.restarted |= bool(fell)
        return {key: value - (0.0 if key in fell else old.get(key, 0.0)) for key, value in new.items()}

    def sum(self, name: str) -> float:
        """NaN when the page does not have it."""
        series = self.series(name)
        return sum(series.values()) if series else nan


@dataclass(frozen=True, slots=True)
class _Drafts:
    """What became of the drafts; see Live."""

    depth: int = 0
    acceptance: tuple[float, ...] = ()
    even: bool = False
    sent: float = nan
    tokens_per_step: float = nan


def _vllm(grown: _Grown) -> _Drafts:
    drafts = grown.sum(DRAFTS)
    if not drafts > 0:
        return _Drafts()
    positions: dict[int, float] = {}
    for key, count in grown.series(BY_POSITION).items():
        position = dict(key).get("position", "")
        if position.isdigit():
            positions[int(position)] = positions.get(int(position), 0.0) + count
    drafted, length = grown.sum(DRAFTED) / drafts, 1 + grown.sum(ACCEPTED) / drafts
    sent = min(drafted, grown.sum(VERIFIED) / drafts)  # NaN, where a page has no such count, is never the smaller one
    if not positions:  # a page that somebody shortened
        depth = round(drafted) if drafted > 0 else 0
        return _Drafts(depth, _even(length, sent, depth), True, sent, length)
    accepted = [positions[p] for p in sorted(positions)]  # [γ]
    return _Drafts(len(accepted), _conditional(accepted, drafts), False, sent, length)


def _vllm_old(after: Reading, grown: _Grown) -> _Drafts:
    """V0: γ from the efficiency of the whole run, the rest from what was emitted since the last reading."""
    efficiency = _mean(after, "spec_decode_efficiency")
    emitted, drafted = sum(after.metrics[EMITTED].values()), sum(after.metrics.get(DRAFTED, {}).values())
    share = efficiency * drafted / emitted if emitted > 0 else nan  # γ / (γ + 1)
    depth = round(share / (1 - share)) if 0 < share < 1 else 0
    drafts = grown.sum(DRAFTED) / depth if depth else 0.0
    if not drafts > 0:
        return _Drafts()
    length = grown.sum(EMITTED) / drafts
    return _Drafts(depth, _even(length, depth, depth), True, float(depth), length)


def _sglang(after: Reading) -> _Drafts:
    length, rate, anchored = (_mean(after, f"spec_{name}") for name in ("accept_length", "accept_rate", "num_draft_tokens"))
    if not length > 0:
        return _Drafts()
    depth = int(anchored) - 1 if anchored > 1 else _depth(length, rate)
    cap, block = (_mean(after, f"spec_{name}_length") for name in ("cap", "block_accept"))
    sent = min(cap - 1, depth) if cap > 0 else float(depth)
    acceptance = _even(block, depth, depth) if cap > 0 and block > 0 else _even(length, sent, depth)
    return _Drafts(depth if acceptance else 0, acceptance, True, sent if sent > 0 else nan, length)


def _depth(length: float, rate: float) -> int:
    """γ from the mean length and the rate, which is accepted / γ or, in older servers, length / (γ + 1): whichever makes it whole."""
    if not rate > 0:
        return 0
    found = ((length - 1) / rate, length / rate - 1)
    return max(round(min(found, key=lambda depth: round(abs(depth - round(depth)), 6))), 0)


def _mean(reading: Reading, name: str) -> float:
    """A gauge's mean over the engines that report one above 0, for one without work reports 0; NaN when the page does not have it."""
    values = list(reading.metrics.get(name, {}).values())
    some = [value for value in values if value > 0] or values
    return sum(some) / len(some) if some else nan


def _conditional(accepted: list[float], drafts: float) -> tuple[float, ...]:
    """c_k = a_k / a_{k−1} from the drafts accepted at every position; up to the first position that nothing reached. [γ], count → [≤ γ]"""
    reached = [drafts, *accepted]  # [γ + 1]
    chances = []
    for came, passed in pairwise(reached):
        if came <= 0:
            break
        chances.append(min(max(passed / came, 0.0), 1.0))
    return tuple(chances)


def _even(length: float, sent: float, depth: int) -> tuple[float, ...]:
    """The one c for which a block of so many drafts brings the mean length, for every position: 1 + c + … + c^sent = length. [γ]

    Of a mean that is no whole number the last draft is sent that often. Bisection; the sum grows with c.
    """
    if not (length >= 1 and sent > 0 and depth >= 1):
        return ()
    whole, part = int(sent), sent - int(sent)
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        brought = 1 + sum(middle**j for j in range(1, whole + 1)) + part * middle ** (whole + 1)
        low, high = (middle, high) if brought < length else (low, middle)
    return (high,) * depth
