"""A model is found by folder, by the name of one that is here, in a GGUF file, or on a hub, and gets its name when it is whole."""

import pytest

from expediter.core.catalogue import SMOLLM2
from expediter.core.pairs import MODELS, user_models
from expediter.core.source import read_source
from expediter.engine.wanted_model import wanted
from tests.engine import fake_hub, folders, tiny_gguf


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nobody is there


def test_a_folder_a_shipped_model_and_a_fetched_one_are_found_without_a_hub(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert wanted(str(folders.save(tmp_path / "big"))).folder == tmp_path / "big"
    assert wanted(" big ").folder == tmp_path / "big"
    assert wanted("pocket").folder == MODELS / "pocket"
    folders.save(user_models() / SMOLLM2.name)
    assert wanted(SMOLLM2.name).folder == wanted(SMOLLM2.repository).folder == user_models() / SMOLLM2.name


def test_a_gguf_file_is_converted_once(tmp_path):
    file = tiny_gguf.write(tmp_path / "small.F32.gguf")
    first = wanted(str(file))
    assert (first.folder, first.coming) == (user_models() / "small.F32-gguf", 0)
    assert (first.folder / "model.safetensors").exists()
    assert read_source(first.folder).carrier == "small.F32.gguf"
    before = (first.folder / "config.json").stat().st_mtime_ns
    assert (wanted(str(file)).folder / "config.json").stat().st_mtime_ns == before


def test_another_kind_of_gguf_is_told(tmp_path):
    file = tmp_path / "other.gguf"
    file.write_bytes(b"none")
    with pytest.raises(ValueError, match=r"other\.gguf is no usable GGUF file"):
        wanted(str(file))
    assert not user_models().exists()


def test_a_hub_brings_the_small_files_first_and_the_weights_when_told(tmp_path, monkeypatch):
    with fake_hub.serving({"some/model": folders.save(tmp_path / "theirs")}) as (hub, address):
        monkeypatch.setenv("HF_ENDPOINT", address)
        found = wanted("some/model")
        assert (found.folder / "config.json").exists()
        assert not [path for path, _ in hub.asked if path.endswith(".safetensors")]
        assert found.coming == (tmp_path / "theirs" / "model.safetensors").stat().st_size
        home = found.bring()
    assert home == user_models() / "some--model" == wanted("some/model").folder
    assert not found.folder.exists()
    assert read_source(home).revision == fake_hub.COMMIT
