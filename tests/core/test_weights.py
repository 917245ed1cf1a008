"""The fingerprint follows every weight, in one file or in parts, and nothing else."""

import pytest

from expediter.core.pairs import PairInfo
from expediter.core.weights import fingerprint


def pair(folder, target: dict[str, bytes]) -> PairInfo:
    for name, files in {"big": target, "small": {"model.safetensors": b"s"}, "pair": {"calibration.safetensors": b"c"}}.items():
        (folder / name).mkdir(parents=True)
        for file, content in files.items():
            (folder / name / file).write_bytes(content)
    return PairInfo("pair", "Pair", "", folder / "big", folder / "small", 8, folder / "pair")


def test_a_changed_weight_in_any_part_changes_it_and_a_changed_note_does_not(tmp_path):
    parts = {"model-00001-of-00002.safetensors": b"1", "model-00002-of-00002.safetensors": b"2"}
    first = fingerprint(pair(tmp_path / "a", parts))
    assert first == fingerprint(pair(tmp_path / "b", {**parts, "README.md": b"note"}))
    assert first != fingerprint(pair(tmp_path / "c", {**parts, "model-00002-of-00002.safetensors": b"3"}))


def test_weights_that_are_not_there_are_no_fingerprint(tmp_path):
    with pytest.raises(OSError, match=r"model\.safetensors"):
        fingerprint(pair(tmp_path, {"config.json": b"{}"}))
