"""A GGUF file, read with numpy alone: its fields, and its tensors as float32 whatever number format they are kept in.

Only the formats of the models in the catalogue are known. Shapes are given as torch writes them: rows first.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

BLOCK = 32  # numbers that share one scale
MOST = 10_000_000  # entries of a list: more than any vocabulary, less than memory
SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
STRING, LIST = 8, 9


def _float32(data: np.ndarray) -> np.ndarray:
    return data.view("<f4")


def _float16(data: np.ndarray) -> np.ndarray:
    return data.view("<f2").astype(np.float32)


def _q8_0(data: np.ndarray) -> np.ndarray:
    """x = d·q, q one signed byte."""
    blocks = data.reshape(-1, 2 + BLOCK)
    scale = blocks[:, :2].copy().view("<f2").astype(np.float32)  # [blocks, 1]
    return scale * blocks[:, 2:].copy().view(np.int8).astype(np.float32)  # [blocks, 32]


def _q4_1(data: np.ndarray) -> np.ndarray:
    """x = d·q + m, q half a byte: the first sixteen numbers lie in the lower halves, the others in the upper."""
    blocks = data.reshape(-1, 4 + BLOCK // 2)
    scale, least = (blocks[:, at : at + 2].copy().view("<f2").astype(np.float32) for at in (0, 2))  # [blocks, 1]
    halves = np.concatenate([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], axis=1)  # [blocks, 32]
    return scale * halves.astype(np.float32) + least


# kind → (its name, bytes a block, numbers a block, how they are read)
FORMATS: Mapping[int, tuple[str, int, int, Callable[[np.ndarray], np.ndarray]]] = {
    0: ("F32", 4, 1, _float32),
    1: ("F16", 2, 1, _float16),
    3: ("Q4_1", 4 + BLOCK // 2, BLOCK, _q4_1),
    8: ("Q8_0", 2 + BLOCK, BLOCK, _q8_0),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a tensor lies."""

    kind: int
    shape: tuple[int, ...]
    offset: int  # bytes from the file's beginning


@dataclass(frozen=True, slots=True)
class Gguf:
    """An open file's table of contents."""

    path: Path
    fields: Mapping[str, Any]  # numbers, strings and lists by name
    entries: Mapping[str, Entry]

    def tensor(self, name: str) -> np.ndarray:
        """One tensor in float32. Raises KeyError when there is none, ValueError for a format that is not read here."""
        entry = self.entries[name]
        if entry.kind not in FORMATS:
            raise ValueError(f"{self.path.name} keeps {name} in a number format ({entry.kind}) that is not read here.")
        _, size, numbers, read = FORMATS[entry.kind]
        count = int(np.prod(entry.shape))
        data = np.fromfile(self.path, np.uint8, count // numbers * size, offset=entry.offset)
        return read(data).reshape(entry.shape)


def read_gguf(path: Path) -> Gguf:
    """Read the table of contents. Raises ValueError with one sentence when the file is no GGUF or is damaged, and OSError."""
    with path.open("rb") as file:
        try:
            if file.read(4) != b"GGUF":
                raise ValueError("it does not begin as one")
            if (version := _scalar(file, "<I")) not in (2, 3):
                raise ValueError(f"version {version} is not read here")
            tensors, pairs = _scalar(file, "<Q"), _scalar(file, "<Q")
            fields = {_string(file): _value(file, _scalar(file, "<I")) for _ in range(_bounded(pairs))}
            entries = dict(_entry(file) for _ in range(_bounded(tensors)))
        except (ValueError, KeyError, struct.error, UnicodeDecodeError) as error:
            raise ValueError(f"{path.name} is no usable GGUF file ({error}): fetch it again.") from error
        align = int(fields.get("general.alignment", 32))
        start = -(-file.tell() // align) * align
    return Gguf(path, fields, {name: Entry(e.kind, e.shape, e.offset + start) for name, e in entries.items()})


def _entry(file: BinaryIO) -> tuple[str, Entry]:
    name = _string(file)
    shape = tuple(_scalar(file, "<Q") for _ in range(_scalar(file, "<I")))
    return name, Entry(_scalar(file, "<I"), shape[::-1], _scalar(file, "<Q"))


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == STRING:
        return _string(file)
    if kind == LIST:
        item = _scalar(file, "<I")
        return [_value(file, item) for _ in range(_bounded(_scalar(file, "<Q")))]
    return _scalar(file, SCALARS[kind])


def _scalar(file: BinaryIO, form: str) -> Any:
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]


def _string(file: BinaryIO) -> str:
    return file.read(_bounded(_scalar(file, "<Q"))).decode("utf-8")


def _bounded(count: int) -> int:
    if count > MOST:
        raise ValueError(f"it speaks of {count} entries")
    return count
