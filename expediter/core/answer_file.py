"""A recording of both proofs of one pair as JSON: what the page Same answer shows before anything is run here."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from expediter.core.answers import Comparison, Difference, PlainAnswer, ServedAnswer, SideBySide
from expediter.core.first_two import FirstTwo, Sampling
from expediter.core.whole_file import whole_file

FORMAT = 1


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """Recorded runs of one pair."""

    recorded_at: str  # ISO 8601, UTC
    weights: str  # fingerprint of the pair's weights, see core/weights.py
    side_by_side: tuple[SideBySide, ...]  # one a number format
    sampling: Sampling | None  # None where only the other was run


def save(path: Path, recording: AnswerFile) -> None:
    """Write it, whole or not at all. Raises OSError."""
    data = {
        "format": FORMAT,
        "recorded_at": recording.recorded_at,
        "weights": recording.weights,
        "side_by_side": [_from_run(run) for run in recording.side_by_side],
        "sampling": recording.sampling and _from_sampling(recording.sampling),
    }
    with whole_file(path) as draft:
        draft.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def load(path: Path) -> AnswerFile:
    """Read it back. Raises OSError, or ValueError with one sentence for anything else than such a recording."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']!r}")
        runs = tuple(_run(run) for run in data["side_by_side"])
        return AnswerFile(str(data["recorded_at"]), str(data["weights"]), runs, data["sampling"] and _sampling(data["sampling"]))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        again = f"record it again with python -m expediter same-answer {path.stem} --out {path.name}"
        raise ValueError(f"{path.name} is no recording of answers ({type(error).__name__}): {again}.") from error


def _from_run(run: SideBySide) -> dict[str, Any]:
    data = asdict(run)
    data["plain"] = [{**asdict(answer), "leads": [round(lead, 4) for lead in answer.leads]} for answer in run.plain.values()]
    data["served"] = {policy: [_from_served(answer) for answer in answers.values()] for policy, answers in run.served.items()}
    return data


def _from_served(answer: ServedAnswer) -> dict[str, Any]:
    return {**asdict(answer), "guessed": "".join("01"[guess] for guess in answer.guessed)}


def _served(data: Mapping[str, Any]) -> ServedAnswer:
    return ServedAnswer(data["number"], tuple(data["tokens"]), tuple(sign == "1" for sign in data["guessed"]), data["steps"])


def _run(data: Mapping[str, Any]) -> SideBySide:
    plain = [PlainAnswer(**{**answer, "tokens": tuple(answer["tokens"]), "leads": tuple(answer["leads"])}) for answer in data["plain"]]
    served = {policy: [_served(answer) for answer in answers] for policy, answers in data["served"].items()}
    comparisons = {
        policy: Comparison(**{**found, "differences": tuple(Difference(**difference) for difference in found["differences"])})
        for policy, found in data["comparisons"].items()
    }
    return SideBySide(
        **{
            **data,
            "plain": {answer.number: answer for answer in plain},
            "served": {policy: {answer.number: answer for answer in answers} for policy, answers in served.items()},
            "comparisons": comparisons,
            "words": _words(data["words"]),
        }
    )


def _from_sampling(run: Sampling) -> dict[str, Any]:
    plain = {name: getattr(run, name) for name in Sampling.__dataclass_fields__ if name not in ("joint", "counts")}
    joint = {"tokens": run.joint.tokens.tolist(), "p": run.joint.p.tolist()}
    return {**plain, "words": dict(run.words), "joint": joint, "counts": run.counts.tolist()}


def _sampling(data: Mapping[str, Any]) -> Sampling:
    joint = FirstTwo(np.array(data["joint"]["tokens"], dtype=np.int64).reshape(-1, 2), np.array(data["joint"]["p"], dtype=np.float64))
    counts = np.array(data["counts"], dtype=np.int64)
    if not len(joint.tokens) + 1 == len(joint.p) == len(counts):
        raise ValueError("as many counts as probabilities")
    trail = tuple((int(drawn), float(p)) for drawn, p in data["trail"])
    made = {**data, "joint": joint, "counts": counts, "trail": trail, "sent": tuple(data["sent"]), "words": _words(data["words"])}
    return Sampling(**made)


def _words(data: Mapping[str, str]) -> dict[int, str]:
    return {int(token): str(text) for token, text in data.items()}
