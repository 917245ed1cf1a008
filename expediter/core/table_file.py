"""A cost table as this project's own file, named by its fingerprint: what is read is what was written, or it is refused."""

import json
from dataclasses import asdict
from pathlib import Path

from expediter.core.clock import SimulatedClock
from expediter.core.tables import CostTable
from expediter.core.whole_file import whole_file

LISTS = ("batch", "seconds", "requests", "request_seconds")


def save(path: Path, table: CostTable) -> None:
    """Write it, whole or not at all. Raises OSError."""
    with whole_file(path) as draft:
        draft.write_text(json.dumps(asdict(table)), encoding="utf-8")


def load(path: Path) -> CostTable:
    """Read it. Raises OSError, and ValueError where its numbers are not those that the file is named after."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        made = CostTable(**{name: tuple(value) if name in LISTS else value for name, value in fields.items()})
        made.step_rate(1)
        found = SimulatedClock(made).fingerprint
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{path.name} holds no cost table: {error}") from None
    if found != path.stem:
        raise ValueError(f"{path.name} holds another table, {found}: bring the table again")
    return made
