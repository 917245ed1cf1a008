"""A training that is killed goes on where it was last saved, to the same end; it ends by steps or by the clock."""

import itertools

import pytest
import torch

from models.recipes import course as module
from models.recipes.course import Course
from models.recipes.draft import Batches
from models.recipes.target import kept_record


class Killed(Exception):
    pass


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(module, "SAVED", 5)
    monkeypatch.setattr(module, "JUDGED", 10)


def train(work, steps: int = 23, killed_at: int | None = None, minutes: float | None = None):
    """A line fitted to rows in the order of Batches; the network, the course, and the rows that were seen."""
    torch.manual_seed(1)
    net, seen = torch.nn.Linear(3, 1), []
    x = torch.randn(12, 3, generator=torch.Generator().manual_seed(2))
    course = Course(work, net, [torch.optim.AdamW(net.parameters(), lr=0.1)], {"seed": 1}, 0.1, minutes, steps)
    for pick in course.run(Batches(12, 4, 7).take, lambda: {"judged": course.step}):
        if course.step == killed_at:
            raise Killed
        seen.append(pick.tolist())
        loss = (net(x[pick]) - x[pick].sum(1, keepdim=True)).square().mean() * (1 + course.lean)
        loss.backward()
        course.learn(float(loss.detach()))
    return net, course, seen


def test_a_killed_training_comes_to_the_same_end(tmp_path):
    whole, _, seen = train(tmp_path / "whole")
    with pytest.raises(Killed):
        train(tmp_path / "killed", killed_at=17)
    assert kept_record(tmp_path / "killed")["step"] == 15
    net, course, rest = train(tmp_path / "killed")
    assert course.first == 15
    assert rest == seen[15:], "the same rows in the same order"
    assert torch.equal(net.weight, whole.weight)
    assert kept_record(tmp_path / "killed")["step"] == 23


def test_a_finished_training_is_not_taken_further(tmp_path):
    net, _, _ = train(tmp_path)
    again, _, seen = train(tmp_path)
    assert seen == []
    assert torch.equal(again.weight, net.weight)


def test_what_is_known_of_it_is_kept_with_the_weights(tmp_path):
    _, course, _ = train(tmp_path)
    (tmp_path / "record.json").write_text("{")  # a kill may come while this one is written
    record = kept_record(tmp_path)
    assert (record["seed"], record["step"], record["judged"]) == (1, 23, 23)
    assert record["train_loss"] == pytest.approx(sum(course.losses) / 23)
    assert train(tmp_path)[1].first == 23


def test_by_the_clock_the_time_before_a_restart_counts(tmp_path, monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr(module.time, "time", lambda: float(next(ticks)))  # a second a step
    with pytest.raises(Killed):
        train(tmp_path, killed_at=12, minutes=0.5)
    before = kept_record(tmp_path)["seconds"]
    assert before == pytest.approx(10, abs=1)
    _, course, seen = train(tmp_path, minutes=0.5)
    assert len(seen) == pytest.approx(30 - before, abs=1)
    assert course.lean == 0
