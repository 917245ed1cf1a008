"""Every command that serves requests asks the device how many it takes, as the dock does."""

from dataclasses import replace

import pytest
import torch

from expediter.__main__ import main
from expediter.engine import bench, head_off, loader, plain, profile_store, same_answer
from expediter.engine import sweep as sweeping
from expediter.engine.device import Place
from tests.engine import tiny


class Reached(ValueError):
    """The command got as far as its work, with these loads."""


@pytest.fixture
def on(monkeypatch):
    """Pretends that the pair runs on some kind of device, and stops every command where its work would begin."""

    def device(kind: str) -> None:
        pair = tiny.pair()
        pair.target.place = Place(torch.device(kind), torch.float32)
        monkeypatch.setattr(loader, "load", lambda *args, **kwargs: replace(pair))

    def settings_of(pair, model, settings, *rest):
        raise Reached(f"reached {settings.load}")

    def plan_of(pair, info, profile, plan, *rest):
        raise Reached(f"reached {','.join(map(str, plan.loads))}")

    def load_of(pair, info, settings, *rest):
        raise Reached(f"reached {settings.load}")

    def loads_of(*args, loads, **rest):
        raise Reached(f"reached {loads}")

    monkeypatch.setattr(profile_store, "stored", lambda pair: tiny.rising())
    monkeypatch.setattr(plain, "reference", lambda name, place: None)
    monkeypatch.setattr(same_answer, "side_by_side", settings_of)
    monkeypatch.setattr(bench, "bench", plan_of)
    monkeypatch.setattr(head_off, "recorded", load_of)
    monkeypatch.setattr(sweeping, "sweep", loads_of)
    return device


COMMANDS = {
    "same-answer": ["same-answer", "mini-good", "--requests", "{}"],
    "machines": ["machines", "mini-good", "--load", "{}"],
    "bench": ["bench", "--pair", "mini-good", "--loads", "{}"],
    "sweep": ["sweep", "mini-good", "--loads", "{}"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("kind", "load"), [("cpu", 64), ("cuda", 256), ("mps", 256)])
def test_as_many_as_the_device_takes_are_served(on, command, kind, load, capsys):
    on(kind)
    assert main([part.format(load) for part in COMMANDS[command]]) == 2
    told = capsys.readouterr().err
    assert f"reached {load}" in told or f"reached ({load},)" in told


@pytest.mark.parametrize("command", COMMANDS)
def test_more_than_the_device_takes_is_refused_in_one_sentence(on, command, capsys):
    on("cpu")
    assert main([part.format(65) for part in COMMANDS[command]]) == 2
    assert "65 requests at once are not served on cpu: give 1 to 64 (a CPU takes 64, a GPU 256)." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "kind", "loads"),
    [
        ([], "cpu", "1,2,4,8,16,32,64"),
        ([], "cuda", "1,2,4,8,16,32,64,128,256"),
        (["--quick"], "cpu", "1,4,16,64"),
        (["--quick"], "cuda", "1,4,16,64,256"),
        (["--quick", "--loads", "2,200"], "cuda", "2,200"),
    ],
)
def test_a_benchmark_goes_as_far_as_the_device_by_itself(on, arguments, kind, loads, capsys):
    on(kind)
    assert main(["bench", "--pair", "mini-good", *arguments]) == 2
    assert f"reached {loads}\n" in capsys.readouterr().err


def test_a_recording_is_not_quietly_cut_to_what_a_cpu_takes(on, tmp_path, capsys):
    on("cpu")
    assert main(["record", "mini-good", "--load", "256", "--out", str(tmp_path / "run.json")]) == 2
    assert "256 requests at once are not served on cpu" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["same-answer", "mini-good", "--out"],
        ["machines", "mini-good", "--out"],
        ["record", "mini-good", "--out"],
        ["blocks", "mini-good", "--out"],
        ["sweep", "mini-good", "--out"],
        ["profile", "mini-good", "--out"],
        ["bench", "--pair", "mini-good", "--json"],
    ],
)
def test_a_result_that_could_not_be_written_is_refused_before_the_work(on, arguments, tmp_path, capsys):
    on("cpu")
    (tmp_path / "file").write_text("")
    assert main([*arguments, str(tmp_path / "file" / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "file/out cannot be read or written" in line


@pytest.mark.parametrize("command", ["profile", "sweep"])
def test_a_cache_that_takes_nothing_is_told_before_the_measuring(on, command, tmp_path, monkeypatch, capsys):
    on("cpu")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "file"))
    assert main([command, "mini-good"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path / "file") in line
    assert "check the path" in line
