"""The corpus: what a restart makes anew, and what it finds."""

import json

from models.recipes.corpus import kept


def rows(count: int) -> list[dict]:
    return [{"domain": "chat", "prompt": f"Number {i}\nand more", "response": "é", "ended": True} for i in range(count)]


def test_a_batch_that_is_there_is_not_written_again(tmp_path):
    file = tmp_path / "batch-00000.jsonl"
    text = kept(file, 3, lambda: rows(3))
    assert [json.loads(line) for line in text.splitlines()] == rows(3)
    assert kept(file, 3, None) == text
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_shorter_batch_of_an_earlier_run_is_written_anew(tmp_path):
    file = tmp_path / "batch-00000.jsonl"
    kept(file, 2, lambda: rows(2))
    assert kept(file, 3, lambda: rows(3)).count("\n") == 3
    assert file.read_text(encoding="utf-8").count("\n") == 3
