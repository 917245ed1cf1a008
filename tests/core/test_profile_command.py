"""`profile --import` and `--export` without any model: tables go from one engine's form to another's."""

import json

import pytest

from expediter.__main__ import main

CSV = "batch,ms\n1,10\n16,12\n64,20\n"


def test_a_table_is_read_shown_and_written_in_another_form(tmp_path, capsys):
    source, made, back = tmp_path / "a.csv", tmp_path / "b.json", tmp_path / "c.csv"
    source.write_text(CSV)
    assert main(["profile", "--import", str(source), "--export", str(made), "--format", "sglang"]) == 0
    assert "12.000" in capsys.readouterr().out
    assert json.loads(made.read_text())["sample_batch_tokens"] == [1, 16, 64]
    assert main(["profile", "--import", str(made), "--export", str(back), "--format", "csv"]) == 0
    assert "SGLang" in capsys.readouterr().out
    assert "16,12.0" in back.read_text()


def test_a_dash_writes_the_file_alone_to_standard_output(tmp_path, capsys):
    source = tmp_path / "a.csv"
    source.write_text(CSV)
    assert main(["profile", "--import", str(source), "--export", "-", "--format", "sglang"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["sample_batch_tokens"] == [1, 16, 64]
    assert "a.csv" in told.err


def test_only_what_a_table_depends_on_stands_above_it(tmp_path, capsys):
    plain, curves = tmp_path / "a.csv", tmp_path / "b.json"
    plain.write_text(CSV)
    curves.write_text('{"draft_curve": [[1, 1.0], [64, 3.0]], "verify_curve": [[8, 10], [64, 20]]}')
    for file, head in ((plain, "batch       ms  steps/s\n"), (curves, "steps/s   (load 64, and 3 ms of drafting)\n")):
        assert main(["profile", "--import", str(file), "--load", "64"]) == 0
        assert head in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["profile"], "name a pair"),
        (["profile", "--import", "no-such-file.csv"], "No such file"),
        (["profile", "--import", "{csv}", "--export", "{out}", "--format", "vllm-dynamic"], "calibrated pair"),
        (["profile", "--import", "{csv}", "--depth", "9"], "--depth is 1 to 8"),
        (["profile", "--import", "{csv}", "--temperature", "9"], "--temperature 0 to 1.5"),
        (["profile", "--import", "{csv}", "--temperature", "nan"], "--temperature 0 to 1.5"),
        (["profile", "--import", "{csv}", "--stored"], "leave them out with --import"),
        (["profile", "--import", "{csv}", "--out", "{out}"], "leave them out with --import"),
        (["profile", "--import", "{csv}", "--export", "/dev/full"], "No space left on device): make room there"),
        (["profile", "--import", "{bad}"], "line 2 has the batch size"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(arguments, told, tmp_path, capsys):
    files = {"csv": tmp_path / "t.csv", "bad": tmp_path / "bad.csv", "out": tmp_path / "out.json"}
    files["csv"].write_text(CSV)
    files["bad"].write_text("batch,ms\nx,1\n")
    assert main([a.format(**files) for a in arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1


def test_the_flat_table_of_an_engine_that_never_measured_is_called_flat(tmp_path, capsys):
    file = tmp_path / "flat.json"
    file.write_text('{"sample_batch_tokens": [1], "sample_steps_per_sec": [1.0], "max_batch_tokens": 64}')
    assert main(["profile", "--import", str(file)]) == 0
    assert "It is flat" in capsys.readouterr().out
