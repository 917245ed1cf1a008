"""Which weights a number comes from: one fingerprint of everything about a pair that was trained or fitted."""

import hashlib
from pathlib import Path

from expediter.core.pairs import PairInfo

CHUNK = 2**20  # bytes


def fingerprint(info: PairInfo) -> str:
    """12 hex digits of the target's, the draft's and the confidence's safetensors. Raises OSError when one cannot be read."""
    digest = hashlib.sha256()
    for path in (*_weights(info.target), *_weights(info.draft), *sorted(info.folder.glob("*.safetensors"))):
        digest.update(_content(path))
    return digest.hexdigest()[:12]


def _weights(folder: Path) -> list[Path]:
    """A model's one file, or its parts in their order."""
    whole = folder / "model.safetensors"
    return [whole] if whole.exists() else sorted(folder.glob("model-*-of-*.safetensors")) or [whole]


def _content(path: Path) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.digest()
