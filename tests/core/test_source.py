"""A fetched model's papers."""

import pytest

from expediter.core.source import FILE, Source, read_source, write_source

PAPERS = Source("T", "MIT", "some/model", "a" * 40, "", "bfloat16")


def test_papers_are_read_back_as_they_were_written(tmp_path):
    write_source(tmp_path, PAPERS)
    assert read_source(tmp_path) == PAPERS


@pytest.mark.parametrize("text", [None, "{", "[]", '{"title": "T"}'])
def test_a_model_without_readable_papers_has_none(tmp_path, text):
    if text is not None:
        (tmp_path / FILE).write_text(text)
    assert read_source(tmp_path) is None
