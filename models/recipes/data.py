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


def _side(corpus: Path, part: str) -> list[dict]:
    """The rows of the 'train' or 'test' part. Raises ValueError where there are none."""
    if kept := [row for row in rows(corpus) if held_out(row["prompt"]) == (part == "test")]:
        return kept
    raise ValueError(f"{corpus.name} has no text to {'learn from' if part == 'train' else 'be judged on'}: take more rows.")


def documents(tokenizer, corpus: Path, part: str) -> list[np.ndarray]:
    """Token ids of each row of the 'train' or 'test' part, int32 [length]."""
    keep = _side(corpus, part)
    ids = tokenizer([text(row) for row in keep], add_special_tokens=False)["input_ids"]
    docs = [np.asarray(i, dtype=np.int32) for i in ids]
    if part == "train":
        docs += [doc for doc, row in zip(docs, keep, strict=True) if row["domain"] in TWICE]
    return docs


def chats(tokenizer, corpus: Path, part: str) -> tuple[list[np.ndarray], list[int]]:
    """The same rows as a chat model that has its own tokenizer reads them, and where each answer's first anchor stands.

    int32 [length] each; the anchor is the prompt's last token.
    """
    keep = _side(corpus, part)
    if part == "train":
        keep += [row for row in keep if row["domain"] in TWICE]
    docs, first = [], []
    answers = tokenizer([row["response"].strip() for row in keep], add_special_tokens=False)["input_ids"]
    for row, answer in zip(keep, answers, strict=True):
        turn = [{"role": "user", "content": row["prompt"].strip()}]
        asked = tokenizer.apply_chat_template(turn, add_generation_prompt=True, return_dict=False)
        docs.append(np.asarray([*asked, *answer, *([tokenizer.eos_token_id] if row["ended"] else [])], dtype=np.int32))
        first.append(len(asked) - 1)
    return docs, first


def epoch(docs: list[np.ndarray], length: int, rng: np.random.Generator) -> np.ndarray:
    """The documents in a new order, end to end, cut into rows. → int64 [N, length]"""
    stream = np.concatenate([docs[i] for i in rng.permutation(len(docs))])
    rows_ = len(stream) // length
    return stream[: rows_ * length].reshape(rows_, length).astype(np.int64)
