"""Whether two tokenizers cut every text into the same words: only then can one model check what the other guessed."""

from pathlib import Path

from expediter.engine.model_folder import read_tokenizer

FILES = ("tokenizer.json", "tokenizer.model", "vocab.json", "vocab.txt", "tokenizer_config.json")
SAMPLES = (
    "Tell a short story about a queen and an old map in a library. Use simple words.",
    "What is 9 times 11? Show the steps: 9 × 11 = 99, 1,234.56 − 7e-3.",
    "def f(xs):\n    return [x ** 2 for x in xs if x % 2 == 0]  # even\n",
    "  two  spaces,\ttabs\r\n\n\nand “quotes”… naïve café, Straße, Ελλάδα, 東京, हिन्दी, 👩‍🚀",
    "supercalifragilisticexpialidocious DON'T don't I'll we've_snake CamelCase",
)


def brings_words(folder: Path) -> bool:
    """Whether the folder has a tokenizer. A draft made for one target often has none."""
    return any((folder / name).exists() for name in FILES)


def same_words(target: Path, draft: Path, names: tuple[str, str]) -> None:
    """Raises ValueError with one sentence that names the first difference. names: target and draft as the reader gave them."""
    ours, theirs = read_tokenizer(target), read_tokenizer(draft)
    apart = f"{names[0]} and {names[1]} cut text differently"
    fix = "pick two models of one family"
    here, there = ours.get_vocab(), theirs.get_vocab()
    if here != there:
        word = min(here.items() ^ there.items(), key=lambda item: (item[1], item[0]))[0]
        numbers = f"{here.get(word, 'nothing')} in the one and {there.get(word, 'nothing')} in the other"
        raise ValueError(f"{apart} ({len(here)} and {len(there)} words; {word!r} is {numbers}): {fix}.")
    for text in SAMPLES:
        if ours(text).input_ids != theirs(text).input_ids:
            raise ValueError(f"{apart}, though they have the same words ({text[:24]!r}… comes out differently): {fix}.")
