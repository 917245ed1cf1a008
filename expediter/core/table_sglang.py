"""The two step-table files that SGLang's DSpark reads (--speculative-dspark-sps-table-path), by their published fields.

One is a list of probed sizes with steps per second, looked up by floor. The other is a sum: a fixed part, a part by running requests
and a part by tokens, each part linear between its probes.
"""

from itertools import pairwise

from expediter.core.case import LARGEST_BATCH, CaseError, is_number, seconds_of, show
from expediter.core.clock import OWN
from expediter.core.step_rate import LONGEST, SHORTEST
from expediter.core.tables import CostTable

TITLE = "Your own, SGLang"


def read_samples(data: dict) -> CostTable:
    """`sample_batch_tokens`, `sample_steps_per_sec`, `max_batch_tokens`. Up to the last of them the last probe counts. Raises CaseError."""
    batch = _sizes(data, "sample_batch_tokens")
    rates = _list(data, "sample_steps_per_sec", len(batch), "sample_batch_tokens")
    seconds = tuple(seconds_of(f"sample_steps_per_sec[{index}]", rate, per_second=True) for index, rate in enumerate(rates))
    most = data.get("max_batch_tokens", batch[-1])
    if type(most) is not int or not batch[-1] <= most <= LARGEST_BATCH:
        raise CaseError(
            f"max_batch_tokens is {show(most)}: give a whole number from {batch[-1]}, the largest probed size, to {LARGEST_BATCH:,}"
        )
    source = "Your own table, SGLang's step-table file, looked up by floor as SGLang does."
    if len(batch) == 1:
        source += " It has one entry: this is SGLang's stand-in for a table that was never measured."
    if most > batch[-1]:
        batch, seconds = (*batch, most), (*seconds, seconds[-1])
    return CostTable(OWN, TITLE, source, batch, seconds, "floor")


def read_additive(data: dict) -> CostTable:
    """T(R, B) = bias_seconds + alpha(R) at bs_probes + theta(B) at m_probes. Raises CaseError."""
    bias = data["bias_seconds"]
    if not is_number(bias) or not SHORTEST <= bias <= LONGEST:
        raise CaseError(f"bias_seconds is {show(bias)}: give seconds from {SHORTEST:g} to {LONGEST:g}")
    requests, batch = _sizes(data, "bs_probes"), _sizes(data, "m_probes")
    alpha = _seconds(data, "alpha_seconds", len(requests), "bs_probes")
    theta = _seconds(data, "theta_seconds", len(batch), "m_probes")
    source = (
        "Your own table, SGLang's sum of a fixed part, a part by requests and a part by tokens. The part by requests holds drafting too, "
        "so not drafting looks slower here than it is."
    )
    return CostTable(OWN, TITLE, source, batch, tuple(bias + part for part in theta), requests=requests, request_seconds=alpha)


def _list(data: dict, field: str, length: int | None = None, partner: str = "") -> list:
    values = data.get(field)
    if not isinstance(values, list) or not values:
        raise CaseError(f"{field} is {'missing' if values is None else show(values) if values else 'empty'}: give a list of numbers")
    if length is not None and len(values) != length:
        raise CaseError(f"{field} has {len(values)} entries and {partner} has {length}: give as many of one as of the other")
    return values


def _sizes(data: dict, field: str) -> tuple[int, ...]:
    values = _list(data, field)
    for index, value in enumerate(values):
        if type(value) is not int or not 1 <= value <= LARGEST_BATCH:
            raise CaseError(f"{field}[{index}] is {show(value)}: use whole numbers from 1 to {LARGEST_BATCH:,}")
    for index, (before, after) in enumerate(pairwise(values), 1):
        if after <= before:
            raise CaseError(f"{field}[{index}] is {after} after {before}: the sizes must ascend, each one once")
    return tuple(values)


def _seconds(data: dict, field: str, length: int, partner: str) -> tuple[float, ...]:
    values = _list(data, field, length, partner)
    for index, value in enumerate(values):
        if not is_number(value) or not 0 <= value <= LONGEST / 4:
            raise CaseError(f"{field}[{index}] is {show(value)}: give seconds, 0 or more")
    return tuple(map(float, values))
