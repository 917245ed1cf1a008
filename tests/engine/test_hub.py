"""Downloads go on where they stopped, bring nothing that could run, and say in one sentence what went wrong."""

import hashlib
import socket

import pytest

from expediter.engine.hub import download, look_up
from tests.engine.fake_hub import COMMIT, serving

BODY = bytes(range(256)) * 4096  # 1 MiB


class Stop(Exception):
    pass


@pytest.fixture
def hub(tmp_path, monkeypatch):
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(BODY)
    for name in ("config.json", "tokenizer.json", "merges.txt", "README.md", "pytorch_model.bin", "modeling_own.py", "train.parquet"):
        (folder / name).write_text(f"{{}} {name}")
    with serving({"some/model": folder}) as (hub, address):
        monkeypatch.setenv("HF_ENDPOINT", address)
        yield hub


def test_only_what_is_read_here_is_fetched(hub, tmp_path):
    found = look_up("some/model")
    assert (found.commit, found.licence) == (COMMIT, "apache-2.0")
    assert sorted(found.sizes) == ["README.md", "config.json", "merges.txt", "model.safetensors", "tokenizer.json"]
    assert found.weights == ["model.safetensors"]
    shares = []
    download(found, found.sizes, tmp_path / "ours", shares.append)
    assert sorted(f.name for f in (tmp_path / "ours").iterdir()) == sorted(found.sizes)
    assert (tmp_path / "ours" / "model.safetensors").read_bytes() == BODY
    assert shares == sorted(shares)
    assert shares[-1] == sum(found.sizes.values())


def test_a_stopped_download_goes_on_where_it_was(hub, tmp_path):
    found, ours = look_up("some/model"), tmp_path / "ours"
    (ours).mkdir()
    (ours / "model.safetensors.incomplete").write_bytes(BODY[:300_000])
    shares = []
    download(found, [*found.small, *found.weights], ours, shares.append)
    assert shares == sorted(shares)
    assert shares[0] > 300_000, "what was there counts from the first report on"
    assert shares[-1] == sum(found.sizes.values())
    assert (ours / "model.safetensors").read_bytes() == BODY
    assert hub.asked[-1][1] == "bytes=300000-"
    asked = len(hub.asked)
    download(found, found.weights, ours)  # it is there: nothing is asked for
    assert len(hub.asked) == asked


def test_a_report_that_raises_ends_it_and_leaves_no_file_under_its_own_name(hub, tmp_path):
    found = look_up("some/model")

    def cancelled(got: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        download(found, found.weights, tmp_path / "ours", cancelled)
    assert not (tmp_path / "ours" / "model.safetensors").exists()


def test_a_broken_connection_is_mended(hub, tmp_path, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    hub.cut = 100_000
    found = look_up("some/model")
    download(found, found.weights, tmp_path / "ours")
    assert (tmp_path / "ours" / "model.safetensors").read_bytes() == BODY


def test_a_damaged_file_is_thrown_away(hub, tmp_path):
    hub.digest = hashlib.sha256(b"other").hexdigest()
    found = look_up("some/model")
    with pytest.raises(OSError, match=r"model\.safetensors of some/model arrived damaged"):
        download(found, found.weights, tmp_path / "ours")
    assert not list((tmp_path / "ours").iterdir())


def test_pickles_are_never_fetched(hub):
    (hub.folders["some/model"] / "model.safetensors").unlink()
    with pytest.raises(ValueError, match=r"some/model keeps its weights only as pytorch_model\.bin.*pick a model with safetensors"):
        look_up("some/model")


def test_a_model_that_is_not_there_or_not_for_everybody_is_told(hub):
    with pytest.raises(OSError, match="The hub has no model called some/other"):
        look_up("some/other")
    hub.gated.add("some/model")
    with pytest.raises(OSError, match="only to those who agreed to its terms"):
        look_up("some/model")


def test_a_hub_out_of_reach_is_told_in_one_sentence(monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(OSError, match="some/model could not be fetched, because the hub cannot be reached from here") as told:
            look_up("some/model")
    assert "\n" not in str(told.value)


def test_a_full_disk_is_told_before_anything_is_fetched(hub, tmp_path, monkeypatch):
    monkeypatch.setattr("expediter.engine.hub.SPARE", 2**60)
    found = look_up("some/model")
    with pytest.raises(OSError, match=r"0\.0 GB of disk are free"):
        download(found, found.weights, tmp_path / "ours")
