"""Recorded blocks come back from their file as they went in, and a file that is not whole is refused in one sentence."""

import numpy as np
import pytest

from expediter.core.recorded_blocks import (
    CHANCES,
    Origin,
    RecordedBlocks,
    Recording,
    RecordingError,
    joined,
    load_blocks,
    path_of,
    save_blocks,
)
from tests.fake_blocks import ORIGIN, some_blocks, some_places


def test_blocks_come_back_from_their_file(tmp_path):
    path = tmp_path / "tiny.npz"
    recording = Recording(ORIGIN, (some_blocks(0.0), some_blocks(0.8)), (some_places(0.0), some_places(0.8, texts=5)))
    save_blocks(path, recording)
    again = load_blocks(path)
    assert again.origin == ORIGIN
    for old, new in zip(recording.blocks, again.blocks, strict=True):
        assert new.temperature == old.temperature
        for name in CHANCES:
            np.testing.assert_allclose(getattr(new, name), getattr(old, name), atol=5e-4)
        assert (new.passed == old.passed).all()
        assert (new.workload == old.workload).all()
    for old, new in zip(recording.places, again.places, strict=True):
        assert (new.temperature, new.texts, len(new)) == (old.temperature, old.texts, len(old))
        np.testing.assert_allclose(new.confidence, old.confidence, atol=5e-4)
        assert all((getattr(new, name) == getattr(old, name)).all() for name in ("passed", "text", "workload"))
    assert [file.name for file in tmp_path.iterdir()] == ["tiny.npz"]


def test_a_recording_of_the_first_format_has_blocks_and_no_texts(tmp_path):
    save_blocks(tmp_path / "tiny.npz", Recording(ORIGIN, (some_blocks(0.8),)))
    with np.load(tmp_path / "tiny.npz") as file:
        parts = {name: file[name] for name in file.files if name != "format"}
    np.savez(tmp_path / "tiny.npz", **parts)
    again = load_blocks(tmp_path / "tiny.npz")
    assert (len(again.blocks), again.places, again.nearest_places(0.8)) == (1, (), None)


def test_a_format_of_the_future_is_refused(tmp_path):
    save_blocks(tmp_path / "tiny.npz", Recording(ORIGIN, (some_blocks(0.8),)))
    with np.load(tmp_path / "tiny.npz") as file:
        parts = {name: file[name] for name in file.files}
    np.savez(tmp_path / "tiny.npz", **{**parts, "format": np.array(3)})
    with pytest.raises(RecordingError, match="newer version"):
        load_blocks(tmp_path / "tiny.npz")


def test_the_nearest_temperature_is_given_and_says_which_it_is():
    recording = Recording(ORIGIN, tuple(some_blocks(t, 4) for t in (0.0, 0.4, 0.8)))
    assert [recording.nearest(t).temperature for t in (0.1, 0.2, 0.3, 0.7, 9.0)] == [0.0, 0.0, 0.4, 0.8, 0.8]


def test_parts_join_in_order_and_are_cut_to_size():
    parts = [some_blocks(0.8, 5, seed=1), some_blocks(0.8, 3, seed=2)]
    whole = joined(parts)
    assert len(whole) == 8
    assert (whole.only(slice(6)).passed == np.concatenate([parts[0].passed, parts[1].passed[:1]])).all()
    assert whole.only(slice(6)).confidence.shape == (6, whole.depth)


def test_a_shallower_draft_would_have_passed_no_more_than_it_drafted():
    blocks = some_blocks(0.8, 50)
    shallow = blocks.shallow(2)
    assert shallow.depth == 2
    assert (shallow.passed == np.minimum(blocks.passed, 2)).all()
    assert (shallow.only(shallow.workload == 1).workload == 1).all()


def spoilt(change) -> Recording:
    blocks = some_blocks(0.8)
    arrays = {name: getattr(blocks, name).copy() for name in (*CHANCES, "passed", "workload")}
    change(arrays)
    return Recording(ORIGIN, (RecordedBlocks(0.8, **arrays),))


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda a: a["before"].fill(np.nan), "probability"),
        (lambda a: a["chance"].fill(1.5), "probability"),
        (lambda a: a["passed"].fill(9), "do not fit"),
        (lambda a: a["workload"].fill(7), "do not fit"),
        (lambda a: a.update(passed=a["passed"][:1]), "do not fit"),
        (lambda a: a.update(confidence=a["confidence"][:, :1]), "missing"),
    ],
)
def test_blocks_that_do_not_fit_together_are_refused(tmp_path, change, word):
    save_blocks(tmp_path / "tiny.npz", spoilt(change))
    with pytest.raises(RecordingError, match=rf"{word}.*python -m expediter blocks tiny"):
        load_blocks(tmp_path / "tiny.npz")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04 cut off"])
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path, content):
    (tmp_path / "tiny.npz").write_bytes(content)
    with pytest.raises(RecordingError, match=r"tiny\.npz holds no usable blocks"):
        load_blocks(tmp_path / "tiny.npz")


def test_a_file_of_something_else_is_refused(tmp_path):
    np.savez(tmp_path / "tiny.npz", before=np.zeros((1, 2, 3)))
    with pytest.raises(RecordingError, match="origin is missing"):
        load_blocks(tmp_path / "tiny.npz")


def test_an_array_that_would_need_pickle_is_not_read(tmp_path):
    np.savez(tmp_path / "tiny.npz", origin=np.array([Origin], dtype=object))
    with pytest.raises(RecordingError):
        load_blocks(tmp_path / "tiny.npz")


def test_a_missing_file_is_told_apart(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_blocks(path_of("no-such-pair", tmp_path))
