"""Tiny models on one thread: two would spend their time waiting for each other, most of all on a busy machine."""

import pytest
import torch

from expediter.core.pairs import PairInfo


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def info(tmp_path) -> PairInfo:
    """A pair on disk, as far as its fingerprint and its draft's kind need one."""
    for name in ("target", "draft"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.safetensors").write_bytes(b"made up")
        (tmp_path / name / "config.json").write_text('{"model_type": "llama"}')
    return PairInfo("tiny", "Tiny", "", tmp_path / "target", tmp_path / "draft", 8, tmp_path)
