"""The metrics page of a running vLLM or SGLang server, every metric by its short name, each engine's series kept apart.

Every data-parallel engine has a series of its own; SGLang's tensor- and pipeline-parallel ranks repeat the series of theirs, and with
priority scheduling the one with an empty priority is the sum. Counters end in "_total", in some exporters they do not. Ray and
OpenTelemetry write both engines' names with "_" for ":", Ray with "ray_" before them. What the metrics mean is for core.server_load.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from expediter.core.metrics_page import Sample, read_page

VLLM, SGLANG = "vLLM", "SGLang"
NAMES = re.compile(r"(?:ray_)?(vllm|sglang)[:_](\w+)")
REPLICAS = {"tp_rank", "pp_rank", "moe_ep_rank", "pid"}  # labels whose series say the same thing again
RUNNING = {VLLM: "num_requests_running", SGLANG: "num_running_reqs"}
Series = dict[tuple, float]  # labels → value


class NoServer(ValueError):
    """The page is no vLLM's and no SGLang's; the message is one sentence with the way out."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at the page: every metric of the engine by its short name, without "_total"."""

    engine: str  # VLLM or SGLANG
    at: float  # seconds, of any clock that only rises
    metrics: Mapping[str, Series]  # replicas counted once; counters grow from their engine's start


def read(text: str, at: float) -> Reading:
    """Find the server's metrics on its page. Raises NoServer."""
    samples = read_page(text)
    found: dict[str, dict[str, list[Sample]]] = {VLLM: {}, SGLANG: {}}
    for sample in samples:
        if known := NAMES.fullmatch(sample.name):
            engine = VLLM if known[1] == "vllm" else SGLANG
            found[engine].setdefault(known[2].removesuffix("_total"), []).append(sample)
    for engine, mine in found.items():
        if RUNNING[engine] in mine:
            return Reading(engine, at, {name: _series(metric) for name, metric in mine.items()})
    for engine, mine in found.items():
        if mine:
            raise NoServer(
                f"The page has metrics of {engine} but not {engine.lower()}:{RUNNING[engine]}: give the page of the server itself, "
                "not of a router before it."
            )
    raise NoServer(
        f"The page has {len(samples)} metrics and none of vLLM's or SGLang's: give the address of the server's /metrics "
        "(SGLang needs --enable-metrics)."
    )


def _series(samples: list[Sample]) -> Series:
    """One value for each series: of those that repeat each other the largest, and of priorities only their sum."""
    if any(sample.labels.get("priority") == "" for sample in samples):
        samples = [sample for sample in samples if sample.labels.get("priority") == ""]
    series: Series = {}
    for sample in samples:
        key = tuple(sorted((name, value) for name, value in sample.labels.items() if name not in REPLICAS))
        series[key] = max(series.get(key, sample.value), sample.value)
    return series
