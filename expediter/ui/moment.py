"""A moment: one step of a run, as a link names it. Settings and seed lie in the address beside it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

LAST = 200  # the latest step that a link replays: some seconds of work on any machine
FINGERPRINT = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a link asks for beside the settings."""

    step: int  # as the stage counts, from 1
    table: str = ""  # fingerprint of the step-rate table that planned the run, 12 hex digits; "" when the link does not say

    @property
    def goal(self) -> int:
        """The step that a replay runs to."""
        return min(self.step, LAST)


def asked(query: Mapping[str, str]) -> Moment | None:
    """The moment that an address asks for; None when it names no step. A table that cannot be one counts as none."""
    try:
        step = int(float(query["step"]))
    except (KeyError, ValueError, OverflowError):
        return None
    table = query.get("table", "")
    return Moment(max(step, 1), table if FINGERPRINT.fullmatch(table) else "")


def spell(moment: Moment | None) -> dict[str, str]:
    """A moment as the address writes it."""
    if moment is None:
        return {}
    return {"step": f"{moment.step}"} | ({"table": moment.table} if moment.table else {})
