"""The training text: rows of (domain, prompt, response), split by prompt so that no held-out prompt was ever trained on."""

import hashlib
import json
import lzma
from pathlib import Path

import numpy as np

TEMPLATE = "<|prompt|>{prompt}<|answer|>{response}"
END = "<|end|>"
HELD_OUT = 0.03  # share of the prompts
TWICE = ("math", "code")  # the rarer domains are read twice an epoch


def rows(corpus: Path) -> list[dict]:
    """Every row of an .xz file of JSON lines with the fields domain, prompt, response, ended."""
    with lzma.open(corpus, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def held_out(prompt: str) -> bool:
    """The same answer for the same prompt on every machine: the split must survive a restart."""
    digest = hashlib.sha256(prompt.encode()).digest()
    return int.from_bytes(digest[:4], "big") < HELD_OUT * 2**32


def text(row: dict) -> str:
    """One row as the model reads it; the end mark only where the writer ended by itself."""
    body = TEMPLATE.format(prompt=row["prompt"].strip(), response=row["response"].strip())
    return body + END if row["ended"] else body


def documents(tokenizer, corpus: Path, part: str) -> list[np.ndarray]:
    """Token ids of each row of the 'train' or 'test' part, int32 [length]."""
    keep = [row for row in rows(corpus) if held_out(row["prompt"]) == (part == "test")]
    ids = tokenizer([text(row) for row in keep], add_special_tokens=False)["input_ids"]
    docs = [np.asarray(i, dtype=np.int32) for i in ids]
    if part == "train":
        docs += [doc for doc, row in zip(docs, keep, strict=True) if row["domain"] in TWICE]
    return docs


def epoch(docs: list[np.ndarray], length: int, rng: np.random.Generator) -> np.ndarray:
    """The documents in a new order, end to end, cut into rows. → int64 [N, length]"""
    stream = np.concatenate([docs[i] for i in rng.permutation(len(docs))])
    rows_ = len(stream) // length
    return stream[: rows_ * length].reshape(rows_, length).astype(np.int64)
