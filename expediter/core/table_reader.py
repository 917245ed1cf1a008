"""A cost table as people bring it: CSV, the JSON of `schedule`, SGLang's or vLLM's. Every refusal names the place and the fix."""

import csv
import re
from collections.abc import Callable

from expediter.core.case import LARGEST_BATCH, CaseError, known_fields, parse, seconds_of, show, step_rate_of
from expediter.core.clock import OWN
from expediter.core.digits import count
from expediter.core.table_sglang import read_additive, read_samples
from expediter.core.table_vllm import read_curves
from expediter.core.tables import CostTable

LARGEST_TEXT = 1_000_000  # characters
MOST_ROWS = 10_000
TITLE = "Your own"
FORMS = 'two columns "batch,ms" or "batch,sps", or JSON such as {"step_ms": {"1": 10, "8": 14}}'
DECIMAL_COMMA = re.compile(r"\d+,(\d{1,2}|\d{4,})")  # with three places behind it, it could stand between thousands
HEADER = re.compile(r"[^a-z]+")
PER_STEP = {"ms", "milliseconds", "step ms", "time ms", "ms per step"}
PER_SECOND = {"sps", "steps per second", "steps per sec", "steps s", "step rate"}
SIZES = {"b", "batch", "batch size", "batch tokens", "tokens"}


class TableError(ValueError):
    """The text holds no usable cost table; the message is one sentence that names the line or field and the fix."""


def read_table(text: str) -> CostTable:
    """Read any of the forms. Raises TableError."""
    if len(text) > LARGEST_TEXT:
        raise TableError(f"The table is too large: at most {LARGEST_TEXT:,} characters and {MOST_ROWS:,} sizes.")
    text = text.lstrip("\ufeff").strip()
    if not text:
        raise TableError(f"The table is empty: give {FORMS}.")
    try:
        found = _json(text) if text[0] in "{[" else _csv(text)
    except CaseError as error:
        said = str(error)
        raise TableError(f"The table does not read: {said}" + ("" if said.endswith((".", "?")) else ".")) from None
    if len(found.batch) > MOST_ROWS:
        raise TableError(f"The table is too large: more than {MOST_ROWS:,} sizes. Leave some out.")
    return found


def read_bytes(data: bytes) -> CostTable:
    """Read an uploaded file. Raises TableError."""
    if len(data) > 4 * LARGEST_TEXT:
        raise TableError(f"The file is too large: at most {LARGEST_TEXT:,} characters.")
    try:
        return read_table(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise TableError("The file is not UTF-8 text: save the table as CSV or JSON in UTF-8.") from None


def _json(text: str) -> CostTable:
    data = parse(text, "the table", f"give {FORMS}")
    for key, read in FORMATS.items():
        if key in data:
            return read(data)
    raise CaseError(f"no field of a cost table is there: give {FORMS}, or SGLang's file with sample_batch_tokens")


def _schedule_form(data: dict) -> CostTable:
    known_fields(data)
    rate = step_rate_of(data, None)
    batch, seconds = tuple(rate.batch.tolist()), tuple(rate.seconds.tolist())
    return CostTable(OWN, TITLE, "Your own table, from JSON.", batch, seconds, rate.lookup, rate.draft_seconds)


FORMATS: dict[str, Callable[[dict], CostTable]] = {
    "bias_seconds": read_additive,
    "sample_batch_tokens": read_samples,
    "sample_steps_per_sec": read_samples,
    "verify_curve": read_curves,
    "draft_curve": read_curves,
    "step_ms": _schedule_form,
    "sps": _schedule_form,
}


def _csv(text: str) -> CostTable:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise CaseError(f"the table has only remarks: give {FORMS}")
    separator = next((mark for mark in "\t;" if mark in lines[0][1]), ",")
    header, size, value, per_second = _header(_cells(lines[0], separator))
    seen: dict[int, tuple[int, float]] = {}  # batch → line, seconds
    for number, line in lines[1 : MOST_ROWS + 2]:
        cells = _cells((number, line), separator)
        if len(cells) != 2:
            raise CaseError(f"line {number} has {count(len(cells), 'column')}: give a batch size and {header}, with a decimal point")
        batch = _size(cells[size], number)
        if batch in seen:
            raise CaseError(f"lines {seen[batch][0]} and {number} both give batch {batch}: keep one of the two")
        seen[batch] = number, seconds_of(f"line {number}", _number(cells[value], number, separator), per_second)
    if not seen:
        raise CaseError("the table has a header and no lines below it: give at least one size")
    sizes = tuple(sorted(seen))
    return CostTable(OWN, TITLE, "Your own table, from CSV.", sizes, tuple(seen[batch][1] for batch in sizes))


def _cells(line: tuple[int, str], separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line[1]], delimiter=separator))]
    except csv.Error:
        raise CaseError(f"line {line[0]} does not read as CSV: use plain numbers without quotation marks") from None


def _header(cells: list[str]) -> tuple[str, int, int, bool]:
    """What the value column holds, the index of the size column, that of the value column, and whether it is a rate."""
    names = [HEADER.sub(" ", cell.lower()).strip() for cell in cells]
    if len(cells) != 2 or not any(name in SIZES for name in names):
        raise CaseError(f'the first line is {show(",".join(cells))}: name two columns, "batch,ms" or "batch,sps"')
    size = next(index for index, name in enumerate(names) if name in SIZES)
    unit = names[1 - size]
    if unit not in PER_STEP | PER_SECOND:
        raise CaseError(
            f'the second column is called {show(cells[1 - size])}: call it "ms" (milliseconds a step) or "sps" (steps per second)'
        )
    return cells[1 - size], size, 1 - size, unit in PER_SECOND


def _size(cell: str, line: int) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 10 and 1 <= int(cell) <= LARGEST_BATCH):
        raise CaseError(f"line {line} has the batch size {show(cell)}: use whole numbers from 1 to {LARGEST_BATCH:,}")
    return int(cell)


def _number(cell: str, line: int, separator: str) -> float:
    if separator != "," and DECIMAL_COMMA.fullmatch(cell):
        cell = cell.replace(",", ".")
    try:
        return float(cell if cell.isascii() and "_" not in cell else "")
    except ValueError:
        raise CaseError(f"line {line} has {show(cell)} where a number is needed: write it like 12.5, with a point") from None
