"""Models of many kinds as folders, a few thousand random weights each, with the shipped tokenizer."""

import json
from pathlib import Path

from expediter.core.pairs import find
from tests.engine import tiny

KINDS = ("llama", "qwen3", "gpt-neox", "gpt2")
WORDS = 4096  # of the tokenizer
SHIPPED = find("mini-good").target


def save(folder: Path, kind: str = "llama", vocabulary: int = WORDS, seed: int = 0, layers: int = 2, words: bool = True, **config) -> Path:
    """words: with a tokenizer; a gpt2 has no chat template. config: entries of config.json to change, None to leave out."""
    tiny.model(kind, vocabulary, seed=seed, layers=layers).save_pretrained(folder)
    names = ("tokenizer.json", "tokenizer_config.json", *(("chat_template.jinja",) if kind != "gpt2" else ()))
    for name in names if words else ():
        (folder / name).write_bytes((SHIPPED / name).read_bytes())
    if config:
        data = json.loads((folder / "config.json").read_text()) | config
        (folder / "config.json").write_text(json.dumps({key: value for key, value in data.items() if value is not None}))
    return folder
