"""What a command says when its input cannot be used."""

import errno

import pytest

from expediter.__main__ import main
from expediter.core.refusal import refuse


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("the load is 0:\n give 1 to 64."), "bench: the load is 0: give 1 to 64."),
        (OSError("mini/model.safetensors is missing: restore it."), "bench: mini/model.safetensors is missing: restore it."),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "/nope"),
            "bench: /nope cannot be read or written (No such file or directory): check the path",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "bench: a file cannot be read or written (No space left on device): make room there",
        ),
    ],
)
def test_a_refusal_is_one_line_with_a_way_out(capsys, error, line):
    assert refuse("bench", error) == 2
    assert capsys.readouterr().err == f"{line}\n"


def test_a_missing_file_is_told_by_the_command(capsys, tmp_path):
    assert main(["bench", "--markdown", str(tmp_path / "nope.json")]) == 2
    assert "nope.json cannot be read or written" in capsys.readouterr().err
