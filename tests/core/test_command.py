"""`python -m expediter`: what a user meets at the prompt."""

import json
import os
import subprocess
import sys

import pytest

from expediter.__main__ import main
from expediter.cli import schedule

CASE = {"confidences": [[0.8, 0.2], [0.8, 0.2], []], "step_ms": {"2": 10, "4": 10.9, "6": 12.1}, "draft_ms": 1}


def command(*arguments: str, text: str | bytes = "", **environment: str) -> subprocess.CompletedProcess:
    data = text if isinstance(text, bytes) else text.encode()
    words = [sys.executable, "-m", "expediter", *arguments]
    return subprocess.run(words, input=data, env={**os.environ, **environment}, capture_output=True, check=False)


def refusal(done: subprocess.CompletedProcess) -> str:
    """The single line of a refused run."""
    assert (done.returncode, done.stdout) == (2, b"")
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1
    return lines[0]


def test_a_file_and_standard_input_give_the_same_answer(tmp_path):
    file = tmp_path / "case.json"
    file.write_text(json.dumps(CASE))
    read, piped = command("schedule", str(file)), command("schedule", "-", text=json.dumps(CASE))
    assert read.returncode == 0
    assert read.stdout == piped.stdout


def test_the_answer_has_everything_and_adds_up():
    got = json.loads(command("schedule", "-", text=json.dumps(CASE)).stdout)
    assert set(got) == {
        "lengths", "admitted", "batch", "tau", "theta", "order", "path", "stop_reason", "baselines", "cold",
    }  # fmt: skip
    assert got["lengths"] == [1, 1, 0]
    assert (got["admitted"], got["batch"], got["stop_reason"], got["cold"]) == (2, 5, "peak", False)
    assert got["order"] == [[0, 1], [1, 1], [0, 2], [1, 2]]
    assert len(got["path"]) == 5
    assert got["theta"] == got["path"][2]
    assert got["baselines"] == {"off": pytest.approx(3 / 0.01045), "none": got["path"][0], "all": got["path"][-1]}


def test_options_replace_what_the_case_says():
    got = json.loads(command("schedule", "-", "--policy", "fixed:1", "--lookup", "ceil", text=json.dumps(CASE)).stdout)
    assert (got["lengths"], got["stop_reason"]) == ([1, 1, 0], "policy")
    assert got["path"][0] == pytest.approx(3 / 0.0119)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"confidences": [[NaN]], "step_ms": {"1": 10}}', "confidences[0][0]"),
        ('{"confidences": [], "step_ms": {"1": 10}}', "confidences"),
        ('{"confidences": [[0.5]], "step_ms": {}}', "step_ms"),
        ("nonsense", "JSON"),
        (b"\xff\xfe", "UTF-8"),
        ("[" * 200_000, "deep"),
    ],
)
def test_bad_input_gets_exit_code_2_and_one_line(text, word):
    assert word in refusal(command("schedule", "-", text=text))


def test_files_that_cannot_be_read_get_one_line(tmp_path):
    assert "nowhere.json" in refusal(command("schedule", str(tmp_path / "nowhere.json")))
    assert "cannot be read" in refusal(command("schedule", str(tmp_path)))


@pytest.mark.parametrize(("closed", "line"), [("<&-", "standard input is closed"), (">/dev/full", "the answer could not be")])
def test_closed_input_and_full_output_get_one_line(closed, line, tmp_path):
    file = tmp_path / "case.json"
    file.write_text(json.dumps(CASE))
    case = "-" if "<" in closed else file
    script = f"'{sys.executable}' -m expediter schedule {case} {closed}"
    done = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert line in refusal(done)


def test_output_that_is_closed_is_no_error(tmp_path):
    file = tmp_path / "case.json"
    file.write_text(json.dumps(CASE))
    done = subprocess.run(["sh", "-c", f"'{sys.executable}' -m expediter schedule {file} >&-"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_without_greek_letters_gets_the_explanation():
    done = command("schedule", "-", "--explain", text=json.dumps(CASE), PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert rb"\u0398" in done.stdout


def test_stopping_from_the_keyboard_is_one_line(monkeypatch, capsys):
    def stop(options):
        raise KeyboardInterrupt

    monkeypatch.setattr(schedule, "run", stop)
    assert main(["schedule", "-"]) == 130
    assert capsys.readouterr().err == "python -m expediter: stopped\n"


@pytest.mark.parametrize(
    "arguments", [[], ["schedule"], ["nonsense"], ["schedule", "-", "--speed", "3"], ["schedule", "-", "--policy", "best"]]
)
def test_wrong_arguments_get_one_line(arguments):
    assert refusal(command(*arguments, text=json.dumps(CASE)))


def test_help_explains_the_case():
    shown = command("schedule", "--help")
    text = shown.stdout.decode()
    assert shown.returncode == 0
    for word in ("confidences", "step_ms", "sps", "budget_from", "repeat", "early-stop", "threshold:x", "interp", "stop_reason"):
        assert word in text


def test_scheduling_loads_neither_torch_nor_streamlit():
    script = (
        "import sys; from expediter.__main__ import main; code = main(['schedule', '-'])\n"
        "sys.exit(code or 10 * any(name.split('.')[0] in ('torch', 'streamlit', 'transformers', 'plotly') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], input=json.dumps(CASE).encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_million_candidates_are_decided():
    case = {"confidences": [[0.9, 0.8, 0.7, 0.6]], "repeat": 250_000, "step_ms": {"1": 10, "100000": 10, "2000000": 200}}
    got = json.loads(command("schedule", "-", text=json.dumps(case)).stdout)
    assert len(got["order"]) == 1_000_000
    assert sum(got["lengths"]) == got["admitted"]


def test_a_decision_can_be_had_in_words():
    done = command("schedule", "-", "--explain", text=json.dumps(CASE))
    assert done.returncode == 0
    assert "Why:" in done.stdout.decode()
