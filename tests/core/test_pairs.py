"""Shipped pairs, the reader's own, and those that wait for a model."""

import json
from dataclasses import replace

import pytest

from expediter.core import pairs as module
from expediter.core.pairs import PairInfo, UnknownPair, find, listed, pairs, user_models, user_pairs, write_pair
from expediter.core.settings import DEFAULT_PAIR, MAX_DEPTH


@pytest.fixture
def places(tmp_path, monkeypatch):
    """An empty models folder and an empty cache."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "MODELS", tmp_path / "models")
    return tmp_path / "models"


def model(folder):
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    return folder


def ship(models, name, target="pocket", draft="draft", **more):
    folder = models / "pairs" / name
    folder.mkdir(parents=True)
    (folder / "pair.json").write_text(json.dumps({"title": "T", "about": "A", "target": target, "draft": draft, "max_depth": 5} | more))


def own(name, target, draft):
    return PairInfo(name, "Mine", "What I brought.", target, draft, 6, user_pairs() / name)


def test_shipped_pairs_come_first_and_the_readers_own_after_them(places, tmp_path):
    for name in ("target", "draft"):
        model(tmp_path / name)
    ship(places, "aaa", target="other")
    for name in ("bbb", DEFAULT_PAIR):
        ship(places, name)
    write_pair(own("a-mine", tmp_path / "target", tmp_path / "draft"))
    assert [info.name for info in listed(places)] == [DEFAULT_PAIR, "bbb", "aaa", "a-mine"]


def test_a_written_pair_is_read_back_as_it_was(places, tmp_path):
    info = own("mine", model(user_models() / "big"), model(tmp_path / "elsewhere" / "small"))
    write_pair(info)
    assert find("mine", places) == info
    assert json.loads((info.folder / "pair.json").read_text())["target"] == "big"


def test_names_are_looked_for_among_the_shipped_models_first(places):
    for folder in (places, user_models()):
        model(folder / "pocket")
    model(user_models() / "draft")
    ship(places, "pair")
    assert (find("pair", places).target, find("pair", places).draft) == (places / "pocket", user_models() / "draft")


def test_a_pair_whose_target_is_yet_to_be_fetched_is_listed_but_cannot_run(places):
    model(places / "draft")
    ship(places, "smol", target="smollm2-135m")
    assert [info.name for info in listed(places)] == ["smol"]
    assert pairs(places) == []
    with pytest.raises(UnknownPair, match=r"SmolLM2-135M-Instruct \(271 MB, Apache-2.0\).*python -m expediter fetch smollm2-135m"):
        find("smol", places)
    model(user_models() / "smollm2-135m")
    assert find("smol", places).target == user_models() / "smollm2-135m"


def test_a_folder_that_the_reader_has_moved_away_is_named(places, tmp_path):
    write_pair(own("mine", tmp_path / "gone", model(tmp_path / "draft")))
    with pytest.raises(UnknownPair, match="gone, which is not there any more"):
        find("mine", places)


def test_a_shipped_model_that_is_gone_is_left_to_the_loader_to_tell(places):
    ship(places, "pair")
    assert find("pair", places).missing == ""


def test_a_readers_pair_called_like_a_shipped_one_is_refused_and_passed_over(places, tmp_path):
    info = own("pair", model(tmp_path / "t"), model(tmp_path / "d"))
    write_pair(info)
    ship(places, "pair")
    assert [found.title for found in listed(places)] == ["T"]
    with pytest.raises(ValueError, match="A shipped pair is called pair already"):
        write_pair(info)


@pytest.mark.parametrize("name", ["", "My pair", "../up", "a/b", "-x", "x" * 41])
def test_a_name_that_an_address_cannot_carry_is_refused(places, tmp_path, name):
    with pytest.raises(ValueError, match="is no name for a pair"):
        write_pair(replace(own("mine", tmp_path, tmp_path), name=name))
    assert not user_pairs().exists()


def described(depth: str) -> str:
    return f'{{"title": "t", "about": "a", "target": "x", "draft": "y", "max_depth": {depth}}}'


def test_a_pair_is_given_no_more_depth_than_the_controls_offer(places):
    ship(places, "deep", max_depth=1000)
    assert [info.max_depth for info in listed(places)] == [MAX_DEPTH]


@pytest.mark.parametrize("text", ["{", "[]", "{}", *map(described, ("Infinity", "0", "-1", "null"))])
def test_a_damaged_description_hides_that_pair_alone(places, text):
    ship(places, "good")
    (user_pairs() / "bad").mkdir(parents=True)
    (user_pairs() / "bad" / "pair.json").write_text(text)
    assert [info.name for info in listed(places)] == ["good"]
