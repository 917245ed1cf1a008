"""A Prometheus metrics page as samples: the text exposition format, version 0.0.4, as far as counters and gauges need it."""

import math
import re
from dataclasses import dataclass

NAME = re.compile(r"[A-Za-z_:][A-Za-z0-9_:]*")
LABEL = re.compile(r'\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?')
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


@dataclass(frozen=True, slots=True)
class Sample:
    """One line: a metric, its labels and its value."""

    name: str
    labels: dict[str, str]
    value: float


def read_page(text: str) -> list[Sample]:
    """Every sample, in order. Comments, empty lines, lines that do not read and values that are no finite number are left out."""
    return [sample for line in text.splitlines() if (sample := _sample(line.strip())) is not None]


def _sample(line: str) -> Sample | None:
    found = NAME.match(line)  # a comment begins with # and matches no name
    if not found:
        return None
    rest, labels = line[found.end() :], {}
    if rest.startswith("{"):
        rest = rest[1:]
        while label := LABEL.match(rest):
            labels[label[1]] = re.sub(r'\\[\\"n]', lambda escape: ESCAPES[escape[0]], label[2])
            rest = rest[label.end() :]
        rest = rest.lstrip()
        if not rest.startswith("}"):
            return None
        rest = rest[1:]
    parts = rest.split()  # the value, and perhaps a time stamp
    try:
        value = float(parts[0])
    except (IndexError, ValueError):
        return None
    return Sample(found[0], labels, value) if math.isfinite(value) else None
