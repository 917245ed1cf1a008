"""Any two models of one family become a pair of the reader's own, or are refused in one sentence; nothing half-made is left."""

import json
import re
from functools import partial

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from expediter.core.pairs import UnknownPair, find, listed, user_models, user_pairs
from expediter.core.settings import TEMPERATURE, Settings
from expediter.core.source import read_source
from expediter.engine import own_pairs
from expediter.engine.loader import load
from expediter.engine.loop import Engine
from expediter.engine.memory_need import Need
from expediter.engine.model_folder import read_model
from expediter.engine.pair_report import findings
from expediter.engine.profile_store import stored
from expediter.engine.quick_profile import loads_within, quick_profile
from tests.engine import fake_hub, folders, test_dspark_released, tiny

BLOCKS = 20  # of each split


class Stop(Exception):
    pass


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("EXPEDITER_DEVICE", "cpu")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nobody is there
    monkeypatch.setattr("expediter.engine.quick_calibrate.LEAST", BLOCKS)
    monkeypatch.setattr("expediter.engine.quick_calibrate.STEPS", 4)
    monkeypatch.setattr("expediter.engine.quick_profile.loads_for", lambda place: (1, 8))
    monkeypatch.setattr(own_pairs, "quick_profile", partial(quick_profile, budget=0.1))


def add(target, draft, name=None, report=lambda share, sentence: None):
    return own_pairs.add(str(target), str(draft), name, report, seconds=0.1)


def words(name: str, load_: int, temperature: float, steps: int = 5) -> list[list[int]]:
    pair = load(name, "cpu")
    engine = Engine(pair, Settings(pair=name, load=load_, depth=3, temperature=temperature, policy="all"), stored(pair))
    for _ in range(steps):
        engine.step()
    return [engine.requests.tokens[slot, : engine.requests.length[slot]].tolist() for slot in range(load_)]


@pytest.mark.parametrize("kind", folders.KINDS)
def test_two_folders_become_a_pair_that_decodes_what_the_target_says(tmp_path, kind):
    big = folders.save(tmp_path / "big", kind)
    small = folders.save(tmp_path / "small", kind, 4096 if kind == "llama" else 4160, seed=1, layers=1)
    said = []
    info = add(big, small, "mine", lambda share, sentence: said.append((share, sentence)))
    assert find("mine") == info
    assert [share for share, _ in said] == sorted(share for share, _ in said)
    assert all(sentence.endswith(".") for _, sentence in said)
    assert (info.folder / "calibration.safetensors").exists()
    figures = json.loads((info.folder / "calibration.json").read_text())
    assert figures["quick"]
    assert all(row["blocks"] >= BLOCKS for row in figures["temperatures"].values())
    reference = read_model(big, tiny.PLACE)
    for load_ in (1, 8):
        for text in words("mine", load_, 0.0):
            start = len(text) - 4  # five steps brought five words at least
            with torch.inference_mode():
                best = reference(torch.tensor([text])).logits[0].argmax(dim=-1).tolist()
            assert text[start:] == best[start - 1 : -1]
    assert len(words("mine", 8, 0.8)) == 8
    assert all(finding.holds for finding in findings("mine", TEMPERATURE))
    assert not all(finding.holds for finding in findings("mine", 0.3))


def test_a_released_dspark_drafter_is_a_draft_too(tmp_path):
    folder = test_dspark_released.folder(tmp_path)
    info = add(folder.target, folder.draft)
    assert (info.name, info.max_depth) == ("big-small", 7)
    assert len(words("big-small", 2, 0.8)) == 2
    with pytest.raises(ValueError, match="is a drafter that works for one target only"):
        add(folder.draft, folder.target)


def test_models_come_from_a_hub_once(tmp_path, monkeypatch):
    theirs = {f"some/{n}": folders.save(tmp_path / n, seed=i, layers=2 - i) for i, n in enumerate(("Big-1B", "Small-0.1B"))}
    with fake_hub.serving(theirs) as (hub, address):
        monkeypatch.setenv("HF_ENDPOINT", address)
        said = []
        info = add("some/Big-1B", "some/Small-0.1B", None, lambda share, sentence: said.append(sentence))
    assert info.name == "big-1b-small-0.1b"
    assert any("MB are here, now of some/Small-0.1B." in sentence for sentence in said)
    assert info.target == user_models() / "some--Big-1B"
    assert read_source(info.target).licence == "apache-2.0"
    assert len([path for path, _ in hub.asked if path.endswith(".safetensors")]) == 2
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert add("some/Big-1B", "some/Small-0.1B", "again").target == info.target  # without a hub
    assert own_pairs.remove("again") == []
    assert set(own_pairs.remove(info.name)) == {info.target, info.draft}
    assert info.target.exists()


def test_models_that_do_not_fit_together_are_refused_before_their_weights_are_fetched(tmp_path, monkeypatch):
    theirs = {"big": folders.save(tmp_path / "big"), "small": folders.save(tmp_path / "small", seed=1)}
    data = json.loads((theirs["small"] / "tokenizer.json").read_text())
    data["normalizer"] = {"type": "Lowercase"}
    (theirs["small"] / "tokenizer.json").write_text(json.dumps(data))
    with fake_hub.serving(theirs) as (hub, address):
        monkeypatch.setenv("HF_ENDPOINT", address)
        with pytest.raises(ValueError, match="big and small cut text differently"):
            add("big", "small")
        monkeypatch.setattr(own_pairs, "before_fetching", partial(_too_big, own_pairs.before_fetching))
        with pytest.raises(ValueError, match="GB are free"):
            add("big", "big")
    assert not [path for path, _ in hub.asked if path.endswith(".safetensors")]
    assert listed() == [info for info in listed() if info.folder.parent != user_pairs()]


def _too_big(check, target, draft):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("expediter.engine.pair_checks.need", lambda *_: Need(10**15, 0, 0, 64))
        check(target, draft)


@pytest.mark.parametrize("share", [0.0, 0.42, 0.6, 0.9])
def test_stopped_anywhere_it_leaves_no_pair(tmp_path, share):
    big, small = folders.save(tmp_path / "big"), folders.save(tmp_path / "small", seed=1, layers=1)

    def stop(done: float, sentence: str) -> None:
        if done >= share:
            raise Stop

    with pytest.raises(Stop):
        add(big, small, "mine", stop)
    assert not (user_pairs() / "mine").exists()


@pytest.mark.parametrize(
    ("target", "draft", "name", "told"),
    [
        ("some/model", "pocket", None, "some/model could not be fetched, because the hub cannot be reached from here"),
        ("/no/such/folder", "pocket", None, "There is no folder '/no/such/folder'"),
        ("../up/and/away", "pocket", None, "There is no folder"),
        ("", "pocket", None, "There is no folder ''"),
        ("x" * 5000, "pocket", None, "cannot be the name of a model on a hub"),
        ("pocket", "pocket-draft-good", "pocket-good", "There is a pair called pocket-good already"),
        ("pocket", "pocket-draft-good", "My pair!", "is no name for a pair"),
        ("pocket-draft-good", "pocket", None, "pocket-draft-good brings no tokenizer"),
    ],
)
def test_what_cannot_be_a_pair_is_told_in_one_sentence(monkeypatch, target, draft, name, told):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with pytest.raises((ValueError, OSError), match=told) as error:
        add(target, draft, name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("broken", "whole"), [("big", "big-small"), ("big-small", "big")])
def test_the_one_model_that_cannot_be_loaded_is_named_alone(tmp_path, broken, whole):
    names = {"big": 2, "big-small": 1}  # one folder's name is the beginning of the other's
    for seed, (name, layers) in enumerate(names.items()):
        folders.save(tmp_path / name, seed=seed, layers=layers)
    weights = load_file(tmp_path / broken / "model.safetensors")
    gone = next(name for name in weights if "q_proj" in name)
    save_file({name: value for name, value in weights.items() if name != gone}, tmp_path / broken / "model.safetensors", {"format": "pt"})
    with pytest.raises(ValueError, match=f"^{re.escape(str(tmp_path / broken))} lacks {gone}: ") as told:
        add(tmp_path / "big", tmp_path / "big-small")
    assert "\n" not in str(told.value)
    assert not list(user_pairs().glob("*"))


def test_where_either_model_may_be_at_fault_both_are_named(tmp_path, monkeypatch):
    big, small = folders.save(tmp_path / "big"), folders.save(tmp_path / "small", seed=1, layers=1)

    def broken(*_, **__):
        raise RuntimeError("no room left\nand so on")

    monkeypatch.setattr(own_pairs, "load", broken)
    with pytest.raises(ValueError, match=f"^{re.escape(f'{big} and {small} could not be loaded: no room left')}$"):
        add(big, small)


def test_only_ones_own_pairs_can_be_removed():
    with pytest.raises(ValueError, match="came with the project and stays"):
        own_pairs.remove("pocket-good")
    with pytest.raises(UnknownPair, match="your own are none"):
        own_pairs.remove("no-such-pair")


def test_a_slow_pair_is_profiled_at_fewer_loads():
    loads = (1, 2, 4, 8, 16, 32, 64)
    assert loads_within(loads, 0.001, 1e-5, 40) == loads
    assert loads_within(loads, 0.04, 0.002, 40) == (1, 4, 16, 64)
    assert loads_within(loads, 1.0, 0.1, 40) == (1, 64)
    assert np.all(np.diff(loads_within((*loads, 128, 256), 0.04, 0.002, 100)) > 0)
