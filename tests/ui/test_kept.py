"""Results in the cache folder: found again, never for unknown weights, and not more of them than are wanted."""

import os
from pathlib import Path

import pytest

from expediter.ui import kept


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path))
    return tmp_path


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_a_result_is_found_again_and_a_newer_one_takes_its_place():
    path = kept.path("bench", "pocket", "abc", "0.6")
    assert kept.find(path, text) is None
    kept.keep(path, lambda to: write(to, "first"))
    assert kept.find(path, text) == "first"
    write(path, "second", later=5)
    assert kept.find(path, text) == "second"
    assert kept.find(kept.path("bench", "pocket", "other weights", "0.6"), text) is None


def test_nothing_is_kept_or_shown_while_the_weights_are_unknown(folder):
    path = kept.path("bench", "pocket", "", "0.6")
    kept.keep(path, lambda to: write(to, "first"))
    assert kept.find(path, text) is None
    assert list(folder.iterdir()) == []


def test_the_oldest_makes_room(monkeypatch):
    monkeypatch.setattr(kept, "MOST", 3)
    paths = [kept.path("bench", "pocket", "abc", f"{number}") for number in range(5)]
    for age, path in enumerate(paths):
        kept.keep(path, lambda to, age=age: write(to, f"{age}", later=age))
    assert [path.exists() for path in paths] == [False, False, True, True, True]


def test_a_damaged_file_counts_as_none():
    def damaged(path):
        raise ValueError("no JSON")

    path = kept.path("bench", "pocket", "abc", "0.6")
    kept.keep(path, lambda to: write(to, "{"))
    assert kept.find(path, damaged) is None


def test_a_full_disk_is_no_failure(caplog):
    def full(path):
        raise OSError(28, "No space left on device")

    kept.keep(kept.path("bench", "pocket", "abc", "0.6"), full)
    assert "No space left on device" in caplog.text


def write(path: Path, content: str, later: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    os.utime(path, (1_700_000_000 + later, 1_700_000_000 + later))
