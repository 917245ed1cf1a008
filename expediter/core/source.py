"""Where a fetched model came from: source.json in its folder."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "source.json"


@dataclass(frozen=True, slots=True)
class Source:
    """A fetched model's papers."""

    title: str  # for people
    licence: str  # as SPDX writes it
    origin: str  # repository on the hub
    revision: str  # commit; empty when it did not come from the hub
    carrier: str  # the package that it came in, name==version; empty when it came from the hub
    form: str  # number format of the weights as they came: "bfloat16", "Q4_1"


def write_source(folder: Path, source: Source) -> None:
    """Raises OSError."""
    (folder / FILE).write_text(json.dumps(asdict(source), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_source(folder: Path) -> Source | None:
    """None when there is none, or none that reads: a model runs without its papers."""
    try:
        data = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return Source(**{name: str(data[name]) for name in Source.__slots__})
    except (OSError, ValueError, KeyError, TypeError):
        return None
