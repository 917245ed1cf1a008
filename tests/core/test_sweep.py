"""A sweep as a value and as a file."""

import json
from dataclasses import asdict, replace

import pytest

from expediter.core.sweep import Point, Sweep, SweepError, load_sweep, save_sweep
from expediter.core.sweep_store import cached_path, keep, newest


def point(load: int, policy: str, rate: float, sent: float = 0.0) -> Point:
    return Point(load, policy, 40, rate, 0.9 * rate, 1.1 * rate, rate, 1 + sent / 2, sent, 0.5 if sent else 0.0, float(policy != "off"))


def sweep(measured_at: str = "2026-01-01T00:00:00+00:00", **other) -> Sweep:
    """Two loads; the best limit by hand is another one at each."""
    points = (
        point(16, "off", 900), point(16, "fixed:1", 1000, 1), point(16, "fixed:3", 950, 3), point(16, "early-stop", 1050, 1.2),
        point(1, "off", 100), point(1, "fixed:1", 140, 1), point(1, "fixed:3", 180, 3), point(1, "early-stop", 175, 3.4),
    )  # fmt: skip
    made = Sweep(
        pair="dice", weights="abc", machine="float32 · CPU, 2 threads", device="cpu", dtype="float32", threads=2, table="123", depth=5,
        temperature=0.8, workload="mixed", seed=1, measured_at=measured_at, points=points,
    )  # fmt: skip
    return replace(made, **other)


def test_lines_go_by_load_and_the_best_limit_changes_with_it():
    made = sweep()
    assert made.loads == (1, 16)
    assert [p.load for p in made.line("off")] == [1, 16]
    assert [p.policy for p in made.best_fixed()] == ["fixed:3", "fixed:1"]
    assert made.at("all", 1) is None
    assert made.at("fixed:3", 16).batch == 16 * 4
    assert made.at("off", 16).felt == 900 / 16


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
    old, new = sweep(), sweep("2026-02-01T00:00:00+00:00", table="456")
    for made in (new, old, sweep("2026-03-01T00:00:00+00:00", temperature=0.0), sweep("2026-03-01T00:00:00+00:00", weights="other")):
        assert keep(made) is None
    assert newest("dice", "abc", 5, 0.8, "mixed") == new
    assert newest("dice", "abc", 4, 0.8, "mixed") is None
    cached_path(new).write_text("{")
    assert newest("dice", "abc", 5, 0.8, "mixed") == old


def test_a_sweep_that_cannot_be_kept_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "file"))
    assert "could not be kept" in keep(sweep())
