"""A model that the reader names: a folder, one that is here already, or a hub's. What has to be fetched is fetched in two parts.

First the small files, enough to refuse it; then the weights. The folder gets its name when all of it is there.
"""

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from expediter.core import cache
from expediter.core.catalogue import CATALOGUE
from expediter.core.pairs import MODELS, user_models
from expediter.core.source import Source, write_source
from expediter.engine.gguf_llama import convert
from expediter.engine.hub import NAME, Repository, download, look_up
from expediter.engine.model_folder import read_config

LONGEST = 200  # letters of a path or name


@dataclass(frozen=True, slots=True)
class Wanted:
    """Target or draft, as asked for."""

    given: str  # as the reader wrote it
    folder: Path  # where it lies, or arrives
    repository: Repository | None = None  # where it comes from; None: it is here

    @property
    def short(self) -> str:
        """Its name without owner or path."""
        return re.split(r"[/\\]", self.given.rstrip("/\\"))[-1]

    @property
    def coming(self) -> int:
        """Bytes of weights that are to be fetched, in all."""
        return sum(self.repository.sizes[file] for file in self.repository.weights) if self.repository else 0

    def bring(self, report: Callable[[int], None] = lambda got: None) -> Path:
        """Fetch the weights and give the folder its name. report gets the bytes so far, and may raise to stop."""
        if self.repository is None:
            return self.folder
        download(self.repository, self.repository.weights, self.folder, report)
        found, config = self.repository, read_config(self.folder)
        form = str(config.get("dtype") or config.get("torch_dtype") or "")
        write_source(self.folder, Source(found.name, found.licence, found.name, found.commit, "", form))
        home = _home(self.given)
        home.parent.mkdir(parents=True, exist_ok=True)
        return self.folder.replace(home)


def wanted(given: str) -> Wanted:
    """Find it, and bring its small files. Raises OSError or ValueError with one sentence that says what to do."""
    given = given.strip()[:LONGEST]
    path = Path(os.path.expanduser(given))
    for folder in (path, MODELS / given, user_models() / given, _home(given), *_catalogued(given)):
        if given and (folder / "config.json").is_file():
            return Wanted(given, folder.absolute())
    if path.suffix == ".gguf" and path.is_file():
        return Wanted(given, _converted(path))
    if given and path.is_dir():
        raise ValueError(f"{given} has no config.json: give the folder of a whole model.")
    if not NAME.fullmatch(given):
        raise ValueError(f"There is no folder {given!r}: give one, or a model's name on the hub, for example Qwen/Qwen3-0.6B.")
    repository = look_up(given)
    folder = cache.folder() / "fetching" / f"{_home(given).name}@{repository.commit[:12]}"  # never half of one commit, half of another
    download(repository, repository.small, folder)
    return Wanted(given, folder, repository)


def _home(given: str) -> Path:
    """Where a hub's model lies once it is fetched."""
    return user_models() / (re.sub(r"[^\w.-]+", "--", given) or "-")


def _catalogued(given: str) -> list[Path]:
    """The same model where `fetch` puts it."""
    return [user_models() / model.name for model in CATALOGUE.values() if model.repository == given]


def _converted(file: Path) -> Path:
    """A GGUF file as a folder, written once. Raises ValueError with one sentence for a kind that is not read here, and OSError."""
    home = user_models() / f"{_home(file.stem).name}-gguf"
    if not (home / "config.json").exists():
        work = cache.folder() / "fetching" / home.name
        shutil.rmtree(work, ignore_errors=True)
        convert(file, work)
        write_source(work, Source(file.stem, "", "", "", file.name, file.stem.rsplit(".", 1)[-1]))
        home.parent.mkdir(parents=True, exist_ok=True)
        work.replace(home)
    return home
