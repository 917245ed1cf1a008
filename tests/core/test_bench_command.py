"""`bench --markdown`: results become the documentation's tables, and only between its marks."""

import pytest

from expediter.__main__ import main
from expediter.cli import bench as command
from expediter.core.bench import to_json
from tests.core.bench_case import made


@pytest.fixture
def result(tmp_path):
    file = tmp_path / "dice.json"
    file.write_text(to_json(made()))
    return file


def test_a_result_is_printed_as_markdown(result, capsys):
    assert main(["bench", "--markdown", str(result)]) == 0
    assert capsys.readouterr().out.startswith("### dice, temperature 0\n")


def test_the_figures_of_a_document_are_replaced_and_nothing_else(result, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "SHIPPED", tmp_path)
    document = tmp_path / "doc.md"
    document.write_text(f"before\n{command.BEGIN}\nold\n{command.END}\nafter\n")
    for _ in range(2):
        assert main(["bench", "--markdown", "--into", str(document)]) == 0
    text = document.read_text()
    assert text.startswith(f"before\n{command.BEGIN}\n")
    assert text.endswith(f"{command.END}\nafter\n")
    assert "old" not in text
    assert text.count("### dice") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--markdown", "no-such.json"], "No such file"),
        (["--markdown", "{result}", "--into", "{result}"], "put these two lines"),
        (["--pair", "no-such-pair"], "There is no pair called"),
        (["--depth", "9"], "--depth is 1 to 8"),
        (["--seconds", "inf"], "--seconds takes more than 0"),
    ],
)
def test_bad_input_ends_with_2_and_one_line(arguments, told, result, capsys):
    assert main(["bench", *(a.format(result=result) for a in arguments)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1


@pytest.mark.parametrize("arguments", [["--loads", "0,4"], ["--loads", "x"], ["--policies", "off,wild"]])
def test_bad_lists_are_refused_with_what_is_allowed(arguments, capsys):
    with pytest.raises(SystemExit) as refused:
        main(["bench", *arguments])
    assert refused.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
