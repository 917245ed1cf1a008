"""A recording is the same after it was written and read, and what is none is told in one sentence."""

import json

import pytest

from expediter.core.answer_file import load, save
from expediter.core.settings import DEFAULT_PAIR
from tests.answers import answer_file


def test_a_recording_survives_the_file(tmp_path):
    made, path = answer_file(), tmp_path / f"{DEFAULT_PAIR}.json"
    save(path, made)
    read = load(path)
    assert read.side_by_side == made.side_by_side
    assert (read.recorded_at, read.weights) == (made.recorded_at, made.weights)
    assert read.sampling.fit == made.sampling.fit
    assert read.sampling.counts.tolist() == made.sampling.counts.tolist()
    for name in ("policy", "rule", "prompt", "planned", "trail", "sent", "visible", "words"):
        assert getattr(read.sampling, name) == getattr(made.sampling, name)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.update(format=99),
        lambda data: data.pop("sampling"),
        lambda data: data["side_by_side"][0].pop("plain"),
        lambda data: data["side_by_side"][0]["plain"][0].update(extra=1),
        lambda data: data["sampling"]["counts"].append(1),
        lambda data: data.update(side_by_side=3),
    ],
)
def test_a_damaged_recording_is_told_in_one_sentence(tmp_path, damage):
    path = tmp_path / f"{DEFAULT_PAIR}.json"
    save(path, answer_file())
    data = json.loads(path.read_text())
    damage(data)
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=rf"^{DEFAULT_PAIR}\.json is no recording of answers .*: record it again") as error:
        load(path)
    assert "\n" not in str(error.value)


def test_no_file_is_an_oserror(tmp_path):
    with pytest.raises(OSError, match="none"):
        load(tmp_path / "none.json")
