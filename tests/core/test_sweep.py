"""A sweep as a value and as a file."""

import json
from dataclasses import asdict

import pytest

from expediter.core.settings import DEFAULT_PAIR
from expediter.core.sweep import SweepError, load_sweep, save_sweep
from expediter.core.sweep_store import cached_path, keep, newest
from tests.fake_sweeps import sweep


def test_lines_go_by_load_and_the_best_limit_changes_with_it():
    made = sweep()
    assert made.loads == (1, 8, 64)
    assert [p.load for p in made.line("off")] == [1, 8, 64]
    assert [p.policy for p in made.best_fixed()] == ["fixed:3", "fixed:1", "fixed:1"]
    assert made.at("stale", 1) is None
    assert made.at("fixed:3", 8).batch == 8 * 4
    assert made.at("off", 8).felt == 600 / 8


def test_a_sweep_comes_back_from_its_file(tmp_path):
    save_sweep(tmp_path / "a" / "dice.json", sweep())
    assert load_sweep(tmp_path / "a" / "dice.json") == sweep()
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["dice.json"]


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda data: data.pop("machine"), "machine is missing"),
        (lambda data: data.update(points=[]), "no points"),
        (lambda data: data.update(threads="two"), "threads is no int"),
        (lambda data: data.update(extra=1), "unknown field 'extra'"),
        (lambda data: data["points"][0].update(words_per_second=-1), "no measurement gives"),
        (lambda data: data["points"][0].update(load=True), "load is no int"),
    ],
)
def test_a_damaged_file_is_told_in_one_line(tmp_path, harm, told):
    data = json.loads(json.dumps(asdict(sweep())))
    harm(data)
    path = tmp_path / "dice.json"
    path.write_text(json.dumps(data))
    with pytest.raises(SweepError, match=told):
        load_sweep(path)


def test_no_file_is_not_a_damaged_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_sweep(tmp_path / "dice.json")


def test_the_newest_sweep_of_these_settings_is_found_again(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path))
    old, new = sweep(), sweep(measured_at="2026-02-01T00:00:00+00:00", table="456")
    later = "2026-03-01T00:00:00+00:00"
    for made in (new, old, sweep(measured_at=later, temperature=0.0), sweep(measured_at=later, weights="other")):
        assert keep(made) is None
    assert newest(DEFAULT_PAIR, "abc", 5, 0.8, "mixed", 1) == new
    assert newest(DEFAULT_PAIR, "abc", 4, 0.8, "mixed", 1) is None
    cached_path(new).write_text("{")
    assert newest(DEFAULT_PAIR, "abc", 5, 0.8, "mixed", 1) == old


def test_a_sweep_that_cannot_be_kept_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "file"))
    assert "could not be kept" in keep(sweep())
