"""`pairs` lists, adds, looks over and removes, and says in one line why it cannot."""

import json

import pytest

from expediter.__main__ import main
from expediter.core.pairs import MODELS, PairInfo, find, user_models, user_pairs, write_pair
from expediter.core.settings import DEFAULT_PAIR
from expediter.engine import own_pairs, pair_report
from expediter.engine.pair_report import Finding


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))


def mine(name: str = "mine") -> PairInfo:
    info = PairInfo(name, "Mine", "One of my own.", MODELS / "pocket", MODELS / "pocket-draft-good", 8, user_pairs() / name)
    write_pair(info)
    return find(name)


def test_pairs_of_ones_own_are_listed_behind_the_shipped_ones(capsys):
    mine()
    assert main(["pairs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(DEFAULT_PAIR)
    assert lines[-1].split() == ["mine", "Mine", "33.1", "MB", "One", "of", "my", "own."]


def test_the_list_for_machines_says_the_same(capsys, tmp_path):
    mine()
    write_pair(PairInfo("gone", "Gone", "", tmp_path / "gone", MODELS / "pocket", 8, user_pairs() / "gone"))
    assert main(["pairs", "--json"]) == 0
    rows = {row.pop("name"): row for row in json.loads(capsys.readouterr().out)}
    assert rows["mine"] == {"title": "Mine", "megabytes": 33.1, "missing": None}
    assert rows["gone"]["megabytes"] is None
    assert "needs the folder" in rows["gone"]["missing"]


def test_a_pair_whose_folder_is_gone_says_so(capsys, tmp_path):
    write_pair(PairInfo("mine", "Mine", "", tmp_path / "gone", MODELS / "pocket", 8, user_pairs() / "mine"))
    assert main(["pairs"]) == 0
    assert "not here  The pair mine needs the folder" in capsys.readouterr().out


def test_an_added_pair_is_shown_with_its_figures(monkeypatch, capsys):
    def added(target, draft, name, report):
        report(0.5, "half")
        info = mine(name)
        row = {"blocks": 40, "acceptance": [0.5, None], "tokens_per_step": 1.7, "ece": [0.02, None], "auc": [None, None]}
        (info.folder / "calibration.json").write_text(json.dumps({"temperatures": {"0": row}}))
        return info

    monkeypatch.setattr(own_pairs, "add", added)
    assert main(["pairs", "add", "--target", "a", "--draft", "b", "--name", "mine"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].split() == ["0", "40", "0.500", "1.70", "0.020", "—"]
    assert out[-1].startswith("mine is in the page's list now.")


@pytest.mark.parametrize(
    ("raised", "code", "told"),
    [
        (KeyboardInterrupt(), 130, "goes on from there"),
        (OSError("No way."), 2, "pairs add: No way."),
        (ValueError("Not so."), 2, "pairs add: Not so."),
    ],
)
def test_stopping_and_failing_end_with_one_line(monkeypatch, capsys, raised, code, told):
    def fails(*_):
        raise raised

    monkeypatch.setattr(own_pairs, "add", fails)
    assert main(["pairs", "add", "--target", "a", "--draft", "b"]) == code
    assert told in capsys.readouterr().err.strip().splitlines()[-1]


def test_what_does_not_hold_is_marked_and_ends_with_1(monkeypatch, capsys):
    found = [Finding(True, "One thing holds."), Finding(False, "Another does not.")]
    monkeypatch.setattr(pair_report, "findings", lambda name, temperature: iter(found))
    assert main(["pairs", "check", "mine"]) == 1
    assert capsys.readouterr().out.splitlines() == ["yes  One thing holds.", "NO   Another does not."]
    monkeypatch.setattr(pair_report, "findings", lambda name, temperature: iter(found[:1]))
    assert main(["pairs", "check", "mine", "--temperature", "0.8"]) == 0


def test_a_removed_pair_is_gone_and_its_models_stay_until_told(capsys):
    model = user_models() / "some--model"
    model.mkdir(parents=True)
    (model / "config.json").write_text("{}")
    for name in ("mine", "other"):
        write_pair(PairInfo(name, "Mine", "", model, MODELS / "pocket", 8, user_pairs() / name))
    assert main(["pairs", "remove", "mine"]) == 0
    assert capsys.readouterr().out == "mine is forgotten.\n"  # the other pair still needs the model
    assert main(["pairs", "remove", "other"]) == 0
    assert "some--model any more; it was left there" in capsys.readouterr().out
    mine()
    write_pair(PairInfo("other", "Mine", "", model, MODELS / "pocket", 8, user_pairs() / "other"))
    assert main(["pairs", "remove", "other", "--models"]) == 0
    assert not model.exists()
    assert find("mine").target == MODELS / "pocket"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["remove", "pocket-good"], "came with the project and stays"),
        (["remove", "no-such-pair"], "There is no pair called 'no-such-pair'"),
        (["check", "no-such-pair"], "There is no pair called 'no-such-pair'"),
        (["add", "--target", "/no/where", "--draft", "pocket"], "There is no folder '/no/where'"),
    ],
)
def test_bad_input_ends_with_2_and_one_line(arguments, told, capsys):
    assert main(["pairs", *arguments]) == 2
    assert told in capsys.readouterr().err.strip().splitlines()[-1]
