"""Which weights a number comes from: one fingerprint of everything about a pair that was trained or fitted."""

import hashlib
from pathlib import Path

from expediter.core.pairs import PairInfo


def fingerprint(info: PairInfo) -> str:
    """12 hex digits of the target's, the draft's and the confidence's safetensors. Raises OSError when one cannot be read."""
    digest = hashlib.sha256()
    for path in (*_weights(info.target), *_weights(info.draft), *sorted(info.folder.glob("*.safetensors"))):
        digest.update(sha256(path).digest())
    return digest.hexdigest()[:12]


def _weights(folder: Path) -> list[Path]:
    """A model's one file, or its parts in their order."""
    whole = folder / "model.safetensors"
    return [whole] if whole.exists() else sorted(folder.glob("model-*-of-*.safetensors")) or [whole]


def sha256(path: Path) -> "hashlib._Hash":
    """SHA-256 of a file, of which only a piece is in memory at a time. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256")
