"""What a command shows of its progress, on a terminal and in a log."""

import io
import sys

from expediter.engine.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO | None, monkeypatch) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress() as show:
        for k in range(101):
            show(k / 100, f"step {k}")
    return stream.getvalue() if stream else ""


def test_a_log_gets_one_line_a_tenth(monkeypatch):
    lines = shown(io.StringIO(), monkeypatch).splitlines()
    assert len(lines) == 11
    assert (lines[0], lines[1], lines[-1]) == ("  0 % step 0", " 10 % step 10", "100 % step 100")


def test_a_terminal_gets_a_bar(monkeypatch):
    assert "100 %|" in shown(Terminal(), monkeypatch)


def test_a_closed_standard_error_is_no_failure(monkeypatch):
    assert shown(None, monkeypatch) == ""
