"""`fetch` says where the model is, or in one line why it is not there."""

import pytest

from expediter.__main__ import main
from expediter.engine import fetch as module


def test_an_unknown_model_ends_with_2_and_the_known_ones(capsys):
    assert main(["fetch", "gpt9"]) == 2
    error = capsys.readouterr().err.strip().splitlines()
    assert error[-1] == "fetch: There is no model called 'gpt9' to fetch: choose one of smollm2-135m."


def test_a_fetched_model_is_told_by_its_folder(monkeypatch, tmp_path, capsys):
    def fetched(name, report):
        report(0.5, "half")
        return tmp_path / name

    monkeypatch.setattr(module, "fetch", fetched)
    assert main(["fetch", "smollm2-135m"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "smollm2-135m")


@pytest.mark.parametrize(
    ("raised", "code", "told"), [(KeyboardInterrupt(), 130, "goes on from here"), (OSError("No way."), 2, "fetch: No way.")]
)
def test_stopping_and_failing_end_with_one_line(monkeypatch, capsys, raised, code, told):
    def fails(name, report):
        raise raised

    monkeypatch.setattr(module, "fetch", fails)
    assert main(["fetch", "smollm2-135m"]) == code
    assert told in capsys.readouterr().err


def test_help_names_what_can_be_fetched(capsys):
    with pytest.raises(SystemExit):
        main(["fetch", "--help"])
    assert "SmolLM2-135M-Instruct, 271 MB, Apache-2.0" in capsys.readouterr().out
