"""A file that is written whole or not at all."""

import errno
from pathlib import Path
from threading import Thread

import pytest

from expediter.core.whole_file import can_be_written, whole_file


def test_what_was_written_takes_the_files_place(tmp_path):
    path = tmp_path / "deep" / "file.json"
    for text in ("one", "two"):
        with whole_file(path) as draft:
            draft.write_text(text)
        assert path.read_text() == text
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_what_was_there_and_nothing_else(tmp_path, error):
    path = tmp_path / "file.json"
    path.write_text("before")

    def fail() -> None:
        with whole_file(path) as draft:
            draft.write_text("half")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "before"


def test_two_sessions_write_the_same_file_at_once(tmp_path):
    path = tmp_path / "file.json"

    def other() -> None:
        with whole_file(path) as draft:
            draft.write_text("other")

    with whole_file(path) as draft:
        draft.write_text("one")
        thread = Thread(target=other)
        thread.start()
        thread.join()
        assert path.read_text() == "other"
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_names_the_file_that_was_wanted(tmp_path):
    with pytest.raises(OSError, match="No space left on device") as told, whole_file(tmp_path / "file.json"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert told.value.filename == str(tmp_path / "file.json")


def test_a_link_and_a_device_are_written_to_and_stay_what_they_are(tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("before")
    link.symlink_to(target)
    with whole_file(link) as draft:
        draft.write_text("after")
    assert link.is_symlink()
    assert target.read_text() == "after"
    device = Path("/dev/null")
    with whole_file(device) as draft:
        draft.write_text("gone")
    assert draft == device
    assert device.is_char_device()


def test_whether_a_file_can_be_written_is_known_before_it_is_there(tmp_path):
    good = tmp_path / "deep" / "file.json"
    can_be_written(good, None, Path("/dev/stdout"))
    assert list(good.parent.iterdir()) == []
    (tmp_path / "file").write_text("kept")
    can_be_written(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "kept"
    for bad in (tmp_path, tmp_path / "file" / "profile.json"):
        with pytest.raises(OSError, match=r"directory|exists") as told:
            can_be_written(bad)
        assert told.value.filename == str(bad)


def test_a_folder_that_cannot_be_made_is_an_oserror(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError), whole_file(tmp_path / "file" / "profile.json") as draft:  # noqa: PT011 (the system's own words)
        Path(draft).write_text("")
