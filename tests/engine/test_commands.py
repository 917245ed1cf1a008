"""Commands that load a pair answer bad input with exit code 2 and one line on standard error."""

import pytest

from expediter.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["profile", "no-such-pair"], "There is no pair called"),
        (["calibrate", "no-such-pair"], "There is no pair called"),
        (["calibrate", "mini-good", "--prompts", "no-such-file"], "No such file"),
        (["record", "no-such-pair", "--out", "x.json"], "There is no pair called"),
        (["machines", "no-such-pair"], "There is no pair called"),
        (["machines", "mini-good", "--steps", "0"], "at least 1 step"),
        (["record", "mini-good", "--steps", "0", "--out", "x.json"], "at least 1 step"),
        (["record", "mini-good", "--policy", "best", "--out", "x.json"], "is no policy"),
        (["record", "mini-good", "--temperature", "nan", "--out", "x.json"], "The temperature is nan: give a number from 0 to 1.5"),
        (["record", "mini-good", "--depth", "99", "--out", "x.json"], "The depth is 99: give a whole number from 1 to 8."),
        (["record", "mini-good", "--workload", "songs", "--out", "x.json"], "The workload is 'songs': give one of mixed, stories"),
        (["record", "mini-good", "--seed", "-3", "--out", "x.json"], "The seed is -3"),
        (["machines", "mini-good", "--temperatures", "0", "9"], "The temperature is 9.0"),
        (["sweep", "mini-good", "--depth", "0"], "The depth is 0"),
        (["same-answer", "mini-good", "--depth", "9"], "The depth is 9"),
        (["same-answer", "no-such-pair"], "There is no pair called"),
        (["same-answer", "mini-good", "--requests", "0"], "--requests takes at least 1"),
        (["same-answer", "mini-good", "--samples", "99999999999"], "--samples 1 to 1000000"),
        (["same-answer", "mini-good", "--workload", "songs"], "workload is 'songs'"),
        (["blocks", "mini-good", "--texts", "0"], "--blocks and --texts take at least 1"),
        (["same-answer", "mini-good", "--policy", "best"], "is no policy"),
    ],
)
def test_bad_input_ends_with_2_and_one_line(arguments, told, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1
    assert not error.startswith("'")


def test_pairs_lists_what_is_shipped(capsys):
    assert main(["pairs"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("pocket-good", "pocket-cheap", "mini-good"))
