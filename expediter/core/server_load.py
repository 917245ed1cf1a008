"""What a running vLLM or SGLang server tells about its load and its drafts, from two readings of its metrics page.

vLLM (V1, 2026-09) counts: vllm:spec_decode_num_drafts_total, …_num_draft_tokens_total, …_num_accepted_tokens_total and
…_num_accepted_tokens_per_pos_total{position="0"…}; vllm:generation_tokens_total; and the gauge vllm:num_requests_running. Of two readings
the difference counts. Every data-parallel engine has a series of its own.

SGLang (0.5.19, 2026-09, started with --enable-metrics) has gauges of its last logging interval: sglang:num_running_reqs,
sglang:spec_accept_length (with the bonus), sglang:spec_accept_rate, sglang:spec_num_draft_tokens (with the anchor); and the counter
sglang:generation_tokens_total. Every tensor- and pipeline-parallel rank repeats the series of its data-parallel rank, and with priority
scheduling the one with an empty priority is the sum. It has no acceptance by position: an even one is derived from the mean length.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from expediter.core.metrics_page import Sample, read_page

VLLM, SGLANG = "vLLM", "SGLang"
REPLICAS = {"tp_rank", "pp_rank", "moe_ep_rank", "pid"}  # labels whose series say the same thing again


class NoServer(ValueError):
    """The page is no vLLM's and no SGLang's; the message is one sentence with the way out."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at the page. Counters grow from the server's start; NaN for what the page does not have."""

    engine: str  # VLLM or SGLANG
    at: float  # seconds, of any clock that only rises
    running: float  # requests being decoded
    generated: float  # tokens, counter
    drafts: float  # request-steps that drafted, counter
    drafted: float  # tokens, counter
    accepted: float  # tokens, counter
    by_position: tuple[float, ...]  # accepted at position 1, 2, …, counters
    mean_length: float  # tokens a request and step, with the server's own, gauge
    sent: float  # drafts a request and step, gauge


@dataclass(frozen=True, slots=True)
class Live:
    """The time between two readings."""

    engine: str
    running: float  # requests at the second reading
    tokens_per_s: float  # NaN where nothing counts them
    acceptance: tuple[float, ...]  # c_k: position k passes, given that the ones before did, [γ]; empty when nothing was drafted
    even: bool  # c_k is the same for all k because only a mean is known
    tokens_per_step: float  # of a request, its own token included; NaN when nothing was drafted
    restarted: bool  # a counter fell: the server began anew and only its new counts are used


def read(text: str, at: float) -> Reading:
    """Find the server's numbers on its page. Raises NoServer."""
    samples = read_page(text)
    names = {sample.name for sample in samples}
    if "vllm:num_requests_running" in names:
        return _vllm(samples, at)
    if "sglang:num_running_reqs" in names:
        return _sglang(samples, at)
    raise NoServer(
        f"The page has {len(samples)} metrics and none of vLLM's or SGLang's: give the address of the server's /metrics "
        "(SGLang needs --enable-metrics)."
    )


def _vllm(samples: list[Sample], at: float) -> Reading:
    def total(name: str) -> float:
        return _reduced(samples, f"vllm:{name}", sum)

    positions: dict[int, float] = {}
    for sample in samples:
        if sample.name == "vllm:spec_decode_num_accepted_tokens_per_pos_total" and sample.labels.get("position", "").isdigit():
            position = int(sample.labels["position"])
            positions[position] = positions.get(position, 0.0) + sample.value
    return Reading(
        engine=VLLM,
        at=at,
        running=total("num_requests_running"),
        generated=total("generation_tokens_total"),
        drafts=total("spec_decode_num_drafts_total"),
        drafted=total("spec_decode_num_draft_tokens_total"),
        accepted=total("spec_decode_num_accepted_tokens_total"),
        by_position=tuple(positions[p] for p in sorted(positions)),
        mean_length=np.nan,
        sent=np.nan,
    )


def _sglang(samples: list[Sample], at: float) -> Reading:
    length, rate, tokens = (
        _reduced(samples, f"sglang:spec_{name}", _mean) for name in ("accept_length", "accept_rate", "num_draft_tokens")
    )
    sent = tokens - 1 if tokens > 1 else np.round((length - 1) / rate) if rate > 0 else np.nan
    return Reading(
        engine=SGLANG,
        at=at,
        running=_reduced(samples, "sglang:num_running_reqs", sum),
        generated=_reduced(samples, "sglang:generation_tokens_total", sum),
        drafts=np.nan,
        drafted=np.nan,
        accepted=np.nan,
        by_position=(),
        mean_length=length if length > 0 else np.nan,
        sent=float(sent),
    )


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _reduced(samples: list[Sample], name: str, join: Callable[[list[float]], float]) -> float:
    """The metric over all its series: one of those that repeat each other, the rest joined. NaN when the page does not have it."""
    found = [s for s in samples if s.name == name]
    if any(s.labels.get("priority") == "" for s in found):
        found = [s for s in found if s.labels.get("priority") == ""]
    series: dict[tuple, float] = {}
    for sample in found:
        key = tuple(sorted((k, v) for k, v in sample.labels.items() if k not in REPLICAS))
        series[key] = max(series.get(key, sample.value), sample.value)
    return join(list(series.values())) if series else np.nan


def between(before: Reading, after: Reading) -> Live:
    """What happened from one reading to the next."""
    counters = ("generated", "drafts", "drafted", "accepted")
    restarted = any(getattr(after, name) < getattr(before, name) for name in counters)
    base = {name: 0.0 if restarted else getattr(before, name) for name in counters}
    seconds = after.at - before.at
    tokens = after.generated - base["generated"]
    if after.engine == SGLANG:
        acceptance, step = _even(after.mean_length, after.sent), after.mean_length
    else:
        drafts = after.drafts - base["drafts"]
        old = before.by_position if not restarted and len(before.by_position) == len(after.by_position) else (0.0,) * len(after.by_position)
        acceptance = _conditional(np.array(after.by_position) - np.array(old), drafts)
        step = 1 + (after.accepted - base["accepted"]) / drafts if drafts > 0 else np.nan
    return Live(
        engine=after.engine,
        running=after.running,
        tokens_per_s=tokens / seconds if seconds > 0 else np.nan,
        acceptance=acceptance,
        even=after.engine == SGLANG,
        tokens_per_step=step,
        restarted=restarted,
    )


def _conditional(accepted: np.ndarray, drafts: float) -> tuple[float, ...]:
    """c_k = a_k / a_{k−1} from the drafts accepted at every position; up to the first position that nothing reached. [γ], count → [≤ γ]"""
    if not drafts > 0:
        return ()
    reached = np.concatenate([[drafts], accepted])  # [γ + 1]
    places = np.flatnonzero(reached[:-1] > 0)
    return tuple(float(min(max(reached[k + 1] / reached[k], 0.0), 1.0)) for k in places)


def _even(length: float, sent: float) -> tuple[float, ...]:
    """The one c for which 1 + c + c² + … + c^γ is the mean length, γ times. Bisection; the sum grows with c."""
    if not (length >= 1 and sent >= 1):
        return ()
    gamma, low, high = int(sent), 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 + sum(middle**j for j in range(1, gamma + 1)) < length else (low, middle)
    return (high,) * gamma
