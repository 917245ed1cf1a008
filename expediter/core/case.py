"""A scheduling case as users write it: JSON text in, checked values out. Every refusal names the field and the way out."""

import difflib
import json
import math
from dataclasses import dataclass

import numpy as np

from expediter.core.policy import Policy
from expediter.core.step_rate import LONGEST, LOOKUPS, SHORTEST, StepRate

MOST_CANDIDATES = 1_000_000
LARGEST_BATCH = 1_000_000_000
FIELDS = ("confidences", "step_ms", "sps", "policy", "lookup", "draft_ms", "budget", "budget_from", "repeat")
REMARKS = ("name", "about", "note", "source", "description", "comment", "expect")  # for the reader of the file; not looked at
EXAMPLE = 'write for example {"confidences": [[0.8, 0.6]], "step_ms": {"1": 10, "8": 14}}'


class CaseError(ValueError):
    """The case cannot be scheduled; the message is one line that names the field and the fix."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What `schedule` needs, checked."""

    confidence: list[list[float]]  # c_{r,k}, R ragged rows, probabilities
    step_rate: StepRate
    policy: Policy
    budget: int | None  # most admissions
    older: list[list[float]] | None  # an earlier step's confidences, for "stale"


def read_case(text: str, *, policy: str | None = None, lookup: str | None = None) -> Case:
    """Parse and check one case; `policy` and `lookup` replace the ones in the text. Raises CaseError."""
    if not text.strip():
        raise CaseError(f"the case is empty, not JSON: {EXAMPLE}")
    data = parse(text, "the case", EXAMPLE)
    known_fields(data)
    repeat = _whole(data, "repeat", 1, least=1)
    confidence = _rows(data, "confidences", repeat)
    older = _rows(data, "budget_from", repeat) if data.get("budget_from") is not None else None
    return Case(
        confidence=confidence,
        step_rate=step_rate_of(data, lookup),
        policy=_policy(data.get("policy") if policy is None else policy),
        budget=_whole(data, "budget", None, least=0),
        older=older,
    )


def parse(text: str, what: str, example: str) -> dict:
    """A JSON object of what a user wrote: `what` is its name in a refusal, `example` the way out. Raises CaseError."""
    try:
        data = json.loads(text, object_pairs_hook=_no_twins)
    except CaseError:
        raise
    except RecursionError:
        raise CaseError(f"{what} is nested too deeply: {example}") from None
    except json.JSONDecodeError as error:
        raise CaseError(f"{what} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}: {example}") from None
    except ValueError:  # an integer with more digits than Python converts
        raise CaseError(f"{what} holds a number with thousands of digits: write ordinary numbers") from None
    if not isinstance(data, dict):
        raise CaseError(f"{what} must be a JSON object and is {show(data)}: {example}")
    return data


def _no_twins(pairs: list[tuple[str, object]]) -> dict:
    """A JSON object whose keys differ. Raises CaseError naming the first one given twice."""
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        raise CaseError(f"{show(next(k for k in keys if keys.count(k) > 1))} is given twice: keep one of the two")
    return data


def known_fields(data: dict) -> None:
    """Raises CaseError for a field that a case does not have, with the nearest that it has."""
    for field in data:
        if field not in FIELDS and field not in REMARKS:
            near = difflib.get_close_matches(field[:40], FIELDS, n=1)
            fix = f'did you mean "{near[0]}"?' if near else f"use {', '.join(FIELDS)}; remarks go into note"
            raise CaseError(f"{show(field)} is an unknown field: {fix}")


def _rows(data: dict, field: str, repeat: int) -> list[list[float]]:
    rows = data.get(field)
    if rows is None:
        raise CaseError(f"{field} is missing: give a list with one list of probabilities per request")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise CaseError(f"{field} must be a list of lists: one list of probabilities per request, empty where nothing was drafted")
    if not rows:
        raise CaseError(f"{field} has no requests: give at least one list of probabilities, which may be empty")
    size = max(len(rows), sum(map(len, rows))) * repeat
    if size > MOST_CANDIDATES:
        raise CaseError(f"{field} is too large: at most {MOST_CANDIDATES:,} drafts and as many requests, repeat included")
    for r, row in enumerate(rows):
        for k, value in enumerate(row):
            if not (is_number(value) and 0 <= value <= 1):
                raise CaseError(f"{field}[{r}][{k}] is {show(value)}: a confidence is a number from 0 to 1")
    return rows * repeat


def step_rate_of(data: dict, lookup: str | None) -> StepRate:
    """The cost table of a case: step_ms or sps, lookup, draft_ms. Raises CaseError."""
    given = [field for field in ("step_ms", "sps") if data.get(field) is not None]
    if len(given) != 1:
        raise CaseError(f"give step_ms or sps, {'not both' if given else 'one of them'}: an object from batch size to value")
    field = given[0]
    table = data[field]
    if not isinstance(table, dict) or not table:
        raise CaseError(f'{field} must be an object with at least one batch size: for example {{"1": 10, "8": 14}}')
    seconds = {}
    for key, value in table.items():
        batch = _batch(field, key)
        if batch in seconds:
            raise CaseError(f"{field} gives batch {batch} twice (once as {show(key)}): keep one of the two")
        seconds[batch] = seconds_of(f"{field}[{show(key)}]", value, per_second=field == "sps")
    batches = sorted(seconds)  # JSON objects have no order, and tools that sort keys sort them as text
    chosen = lookup if lookup is not None else _given(data, "lookup", "interp")
    if chosen not in LOOKUPS:
        raise CaseError(f"lookup is {show(chosen)}: use one of {', '.join(LOOKUPS)}")
    return StepRate(np.array(batches), np.array([seconds[b] for b in batches]), chosen, _draft_seconds(data))


def _batch(field: str, key: str) -> int:
    if not (key.isascii() and key.isdigit() and len(key) <= 10 and 1 <= int(key) <= LARGEST_BATCH):
        raise CaseError(f"{field} has the batch size {show(key)}: use whole numbers from 1 to {LARGEST_BATCH:,}")
    return int(key)


def seconds_of(name: str, value: object, per_second: bool) -> float:
    """Step seconds from milliseconds or steps per second; `name` says whose value it is. Raises CaseError."""
    unit = "steps per second" if per_second else "milliseconds"
    if not (is_number(value) and 0 < value < math.inf):
        raise CaseError(f"{name} is {show(value)}: {unit} must be a finite number above 0")
    least, most = (1 / LONGEST, 1 / SHORTEST) if per_second else (SHORTEST * 1000, LONGEST * 1000)
    if not least <= value <= most:
        raise CaseError(f"{name} is {show(value)}: {unit} must lie between {least:g} and {most:g}")
    return min(max(1 / value if per_second else value / 1000, SHORTEST), LONGEST)  # the limits themselves may round across


def _draft_seconds(data: dict) -> float:
    value = _given(data, "draft_ms", 0)
    if not (is_number(value) and 0 <= value <= LONGEST * 1000):
        raise CaseError(f"draft_ms is {show(value)}: give milliseconds from 0 to {LONGEST * 1000:g}")
    return min(value / 1000, LONGEST)


def _policy(spelling: object) -> Policy:
    if spelling is None:
        return Policy()
    if not isinstance(spelling, str):
        raise CaseError(f'policy is {show(spelling)}: give its name as text, for example "early-stop"')
    try:
        return Policy.parse(spelling)
    except ValueError as error:
        raise CaseError(f"policy: {' '.join(str(error).split())}") from None


def _whole(data: dict, field: str, default: int | None, least: int) -> int | None:
    value = _given(data, field, default)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise CaseError(f"{field} is {show(value)}: give a whole number, {least} or more")
    return value


def _given(data: dict, field: str, default: object) -> object:
    """A field's value; null counts as absent, in every field."""
    value = data.get(field)
    return default if value is None else value


def is_number(value: object) -> bool:
    """A number as JSON has them: true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def show(value: object) -> str:
    """A value as the user wrote it, on one line and never long."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**30:
        return "a huge number"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:36]}…{text[-1]}"
