"""A cost table in the forms that other tools read. core.table_reader reads every one of them back, but for "vllm-dynamic".

csv             batch,ms of one step without drafting
json            the step_ms, draft_ms and lookup of `schedule`
sglang          SGLang's DSpark step table (0.5.19, 2026-11): whole steps per second by tokens, looked up by floor
sglang-additive its second form: a bias, a part by requests and a part by tokens, fitted to all measured loads
vllm            vLLM's two cost curves (core.table_vllm): drafting by requests, verifying by tokens
vllm-dynamic    what vLLM does read: num_speculative_tokens_per_batch_size for --speculative-config, [from, to, drafts] by requests
"""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from expediter.core import table_vllm
from expediter.core.advice import Clock, lengths_by_load
from expediter.core.clock import SimulatedClock
from expediter.core.fit import nonnegative_least_squares
from expediter.core.step_rate import StepRate

FORMATS = ("csv", "json", "sglang", "sglang-additive", "vllm", "vllm-dynamic")
MOST_SIZES = 48
LOADS = (1, 2, 4, 8, 16, 32, 64)  # of a table that names none
LEAST_BIAS = 1e-6  # seconds; SGLang wants a bias above 0


def export(form: str, clock: Clock, load: int, context: int, depth: int, acceptance: Sequence[float] = ()) -> str:
    """The file's text. load, context, depth: what a table without these axes stands for; acceptance: c_k, for "vllm-dynamic" alone.

    Raises ValueError for an unknown form or a missing acceptance.
    """
    rate = clock.step_rate(load, context, depth)
    if form == "csv":
        return _csv(
            rate, f"load {load}, context {context}; drafting {depth} tokens a request adds {1000 * rate.draft_seconds:.4g} ms a step"
        )
    if form == "json":
        step_ms = {str(b): 1000 * s for b, s in _points(rate, rate.lookup).items()}
        return _text({"step_ms": step_ms, "draft_ms": 1000 * rate.draft_seconds, "lookup": rate.lookup})
    if form == "sglang":
        points = _points(rate, "floor")
        rates = [1 / (seconds + rate.draft_seconds) for seconds in points.values()]
        return _text({"sample_batch_tokens": list(points), "sample_steps_per_sec": rates, "max_batch_tokens": max(points)})
    if form == "sglang-additive":
        return _text(_additive(clock, context, depth))
    if form == "vllm":
        return _text(_curves(clock, rate, context, depth))
    if form == "vllm-dynamic":
        if not acceptance:
            raise ValueError("vllm-dynamic needs to know how often drafts pass: name a calibrated pair.")
        schedule = lengths_by_load(clock, acceptance, max(_loads(clock)), context)
        return _text({"num_speculative_tokens": len(acceptance), "num_speculative_tokens_per_batch_size": schedule})
    raise ValueError(f"{form!r} is no format: use one of {', '.join(FORMATS)}.")


def _loads(clock: Clock) -> tuple[int, ...]:
    """The loads that were measured."""
    if isinstance(clock, SimulatedClock):
        return clock.table.requests or LOADS
    return tuple(clock.loads)


def _points(rate: StepRate, lookup: str) -> dict[int, float]:
    """Size → seconds without drafting, such that the other lookup says the same at every size where either has stairs."""
    sizes = rate.batch
    if rate.lookup != lookup and rate.lookup != "interp":
        ends = np.concatenate([sizes - 1, sizes, sizes + 1])
        sizes = np.unique(ends[(ends >= 1) & (ends <= rate.batch[-1])])
    elif len(sizes) > MOST_SIZES:
        sizes = np.unique(np.geomspace(sizes[0], sizes[-1], MOST_SIZES).round().astype(np.int64))
    return dict(zip(sizes.tolist(), rate.verify_seconds(sizes).tolist(), strict=True))


def _csv(rate: StepRate, note: str) -> str:
    lines = [f"# {note}", "batch,ms"]
    return "\n".join(lines + [f"{size},{1000 * seconds!r}" for size, seconds in _points(rate, "interp").items()]) + "\n"


def _curves(clock: Clock, rate: StepRate, context: int, depth: int) -> dict:
    """vLLM's curves. What a table adds by requests has a place of its own there, whatever it is."""
    if isinstance(clock, SimulatedClock) and clock.table.requests:
        table = clock.table
        rate = replace(table, requests=(), request_seconds=(), request_drafting=False).step_rate(1)
        draft = {r: table.draft_seconds + s for r, s in zip(table.requests, table.request_seconds, strict=True)}
    else:
        draft = {r: clock.step_rate(r, context, depth).draft_seconds for r in _loads(clock)}
    return table_vllm.curves(_points(rate, "ceil"), draft if max(draft.values()) > 0 else {})


def _additive(clock: Clock, context: int, depth: int) -> dict:
    """Whole steps as bias + α(R) + θ(B), each never falling, fitted to relative errors over all loads and their sizes."""
    loads = _loads(clock)
    cells = [(r, b, s) for r in loads for b, s in _cells(clock, r, context, depth)]
    sizes = np.unique(np.geomspace(min(b for _, b, _ in cells), max(b for _, b, _ in cells), 20).round().astype(int))
    requests, batch, seconds = (np.array(column, dtype=np.float64) for column in zip(*cells, strict=True))
    by_load, by_size = (_rising(at, knots) for at, knots in ((requests, np.array(loads)), (batch, sizes)))
    matrix = np.column_stack([np.ones(len(cells)), by_load, by_size])
    x = nonnegative_least_squares(matrix / seconds[:, None], np.ones(len(cells)))
    alpha, theta = (np.concatenate([[0.0], np.cumsum(part)]) for part in (x[1 : len(loads)], x[len(loads) :]))
    return {
        "bias_seconds": max(float(x[0]), LEAST_BIAS),
        "bs_probes": list(loads),
        "alpha_seconds": alpha.tolist(),
        "m_probes": sizes.tolist(),
        "theta_seconds": theta.tolist(),
    }


def _cells(clock: Clock, load: int, context: int, depth: int) -> list[tuple[int, float]]:
    """(B, whole seconds) at this load, from "nothing sent" on, as far as it was measured: loads must overlap in B to be told apart."""
    rate = clock.step_rate(load, context, depth)
    sizes = np.unique(np.geomspace(load, max(load + 1, rate.batch[-1]), 16).round().astype(int))
    return list(zip(sizes.tolist(), rate.step_seconds(sizes).tolist(), strict=True))


def _rising(at: np.ndarray, knots: np.ndarray) -> np.ndarray:
    """One column for every rise from a knot to the next: 0 before it, 1 behind it, linear within. → [n, knots − 1]"""
    low, high = knots[:-1].astype(np.float64), knots[1:].astype(np.float64)
    return np.clip((at[:, None] - low) / (high - low), 0, 1)


def _text(data: dict) -> str:
    return json.dumps(data) + "\n"
