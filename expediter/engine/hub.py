"""A model's files on a hub: which there are, which of them are read here, and their download, which goes on where it stopped.

Only safetensors, JSON and what a tokenizer needs are fetched, of one commit, and a file is whole before it gets its name.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import HfApi, hf_hub_url
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, HFValidationError, HTTPError, RepositoryNotFoundError
from huggingface_hub.file_download import http_get
from huggingface_hub.utils import build_hf_headers
from tqdm import tqdm

from expediter.core.weights import sha256
from expediter.engine.model_shape import PICKLES, no_safetensors

NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")  # gpt2, Qwen/Qwen3-0.6B
WEIGHTS = re.compile(r"model(-\d{5}-of-\d{5})?\.safetensors")
SMALL = re.compile(r"[\w.-]+\.(json|jinja)|tokenizer\.model|merges\.txt|vocab\.txt|README\.md|LICEN[CS]E(\.\w+)?")
TIMEOUT = 10.0  # seconds until a hub that says nothing counts as out of reach
SPARE = 200 * 2**20  # bytes of disk that are left alone


class OutOfReach(OSError):
    """What is wanted cannot be had there; another way to it may do."""


@dataclass(frozen=True, slots=True)
class Repository:
    """What a hub says of a model."""

    name: str  # as it is asked for
    commit: str
    licence: str  # as its card names it; empty when it does not
    sizes: dict[str, int]  # bytes of each file that is read here
    digests: dict[str, str]  # SHA-256 of those that the hub knows it of

    @property
    def weights(self) -> list[str]:
        """The files that hold numbers."""
        return [file for file in self.sizes if WEIGHTS.fullmatch(file)]

    @property
    def small(self) -> list[str]:
        """All others: enough to know what the model is."""
        return [file for file in self.sizes if not WEIGHTS.fullmatch(file)]


def endpoint() -> str | None:
    """The hub's address, where the environment names another than the usual one."""
    return os.environ.get("HF_ENDPOINT") or None


def look_up(name: str) -> Repository:
    """Ask the hub. Raises OSError or ValueError with one sentence when it does not answer or the model cannot be read here."""
    with _told(name):
        info = HfApi(endpoint=endpoint()).model_info(name, files_metadata=True, timeout=TIMEOUT)
    files = {file.rfilename: file for file in info.siblings or ()}
    whole = "model.safetensors" in files  # then parts, if there are any, say the same again
    kept = [f for f in files if SMALL.fullmatch(f) or (WEIGHTS.fullmatch(f) and (not whole or f == "model.safetensors"))]
    if not any(WEIGHTS.fullmatch(f) for f in kept):
        raise ValueError(f"{name} {no_safetensors([f for f in files if f.endswith(PICKLES)])}: pick a model with safetensors.")
    if "config.json" not in files:
        raise ValueError(f"{name} has no config.json, so nobody can tell what it is: pick another model.")
    licence = str(getattr(info.card_data, "license", None) or "") if info.card_data else ""
    digests = {f: files[f].lfs.sha256 for f in kept if files[f].lfs}
    return Repository(name, info.sha or "main", licence, {f: files[f].size or 0 for f in kept}, digests)


def download(repository: Repository, files: Iterable[str], folder: Path, report: Callable[[int], None] = lambda got: None) -> None:
    """Bring these files into the folder. report gets the bytes that are there so far, and may raise to stop; what is there stays.

    Raises OSError with one sentence when the hub goes away, the disk is full or a file arrives damaged.
    """
    files = list(files)
    folder.mkdir(parents=True, exist_ok=True)
    there = {file: _have(folder, file) for file in files}
    check_room(repository.name, sum(repository.sizes[file] - there[file] for file in files), folder)
    for file in files:
        others = sum(there.values()) - there[file]
        if not (folder / file).exists():
            _bring(repository, file, folder, lambda got, others=others: report(others + got))
        there[file] = repository.sizes[file]
        report(sum(there.values()))


def check_room(title: str, lacking: int, folder: Path) -> None:
    """Raises OSError with one sentence when the disk that holds the folder cannot take so many more bytes."""
    free = max(shutil.disk_usage(folder).free - SPARE, 0)
    if lacking > free:
        gigabytes = f"{lacking / 1e9:.1f} GB are still to come and {free / 1e9:.1f} GB of disk are free"
        raise OSError(f"{title} does not fit: {gigabytes}. Free some space or set EXPEDITER_CACHE to a larger disk.")


def _have(folder: Path, file: str) -> int:
    """Bytes of a file that are there."""
    return next((path.stat().st_size for path in (folder / file, _part(folder, file)) if path.exists()), 0)


def _part(folder: Path, file: str) -> Path:
    return folder / f"{file}.incomplete"


def _bring(repository: Repository, file: str, folder: Path, report: Callable[[int], None]) -> None:
    part, size = _part(folder, file), repository.sizes[file]
    with _told(repository.name), part.open("ab") as out:
        got = out.tell()
        if got > size:
            out.truncate(got := 0)
        url = hf_hub_url(repository.name, file, revision=repository.commit, endpoint=endpoint())
        counter = _counter(got, report)
        http_get(url, out, resume_size=got, headers=build_hf_headers(), expected_size=size, displayed_filename=file, tqdm_class=counter)
    if (digest := repository.digests.get(file)) and sha256(part).hexdigest() != digest:
        part.unlink()
        raise OSError(f"{file} of {repository.name} arrived damaged and was thrown away: try again.")
    part.replace(folder / file)


def _counter(got: int, report: Callable[[int], None]) -> type[tqdm]:
    """A progress bar that is not drawn: it passes on how many bytes are there."""

    class Counter(tqdm):
        def __init__(self, *args, name: str | None = None, **options):
            super().__init__(*args, **(options | {"disable": True}))
            self.so_far = got

        def update(self, n: float | None = 1) -> None:
            self.so_far += int(n or 0)
            report(self.so_far)

    return Counter


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Turns what can go wrong between here and a hub into one sentence."""
    try:
        yield
    except HFValidationError as error:
        raise ValueError(f"{name[:60]!r} cannot be the name of a model on a hub: check it, or name a folder.") from error
    except GatedRepoError as error:
        raise OSError(f"{name} is given out only to those who agreed to its terms: agree on its page, log in, and try again.") from error
    except RepositoryNotFoundError as error:
        raise OutOfReach(f"The hub has no model called {name}, or does not show it to everybody: check the name, or log in.") from error
    except HfHubHTTPError as error:
        raise OutOfReach(f"The hub answered {name} with an error ({error.response.status_code}): try again later.") from error
    except (HTTPError, ConnectionError) as error:
        why = "the hub cannot be reached from here"
        raise OutOfReach(f"{name} could not be fetched, because {why}: check the connection, or name a folder instead.") from error
    except OSError as error:
        raise OSError(f"{name} could not be kept ({error.strerror or error}): free some space or set EXPEDITER_CACHE.") from error
