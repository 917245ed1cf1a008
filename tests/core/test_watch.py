"""`watch` against a local server that replays metrics pages."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from expediter.__main__ import main
from expediter.core.page_fetch import FetchError, fetch, metrics_address
from tests.core.metrics_pages import sglang, vllm

TABLE = "batch,ms\n1,10\n8,11\n32,16\n64,26\n128,50\n"


@contextmanager
def serving(*pages: str, status: int = 200, headers: dict[str, str] | None = None) -> Iterator[str]:
    """A server whose /metrics answers with one page after the other, the last one for ever. Yields its address."""
    left = list(pages)

    class Replay(BaseHTTPRequestHandler):
        def do_GET(self):
            found = self.path == "/metrics"
            self.send_response(status if found else 404)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write((left.pop(0) if len(left) > 1 else left[0]).encode() if found else b"")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Replay)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def once(*arguments: str) -> list[str]:
    return ["watch", *arguments, "--once", "--every", "0.05"]


@pytest.mark.parametrize(
    ("pages", "engine", "acceptance"),
    [
        ((vllm(4, 100, 10, (8, 6, 3)), vllm(16, 400, 110, (88, 66, 33))), "vLLM", [0.8, 0.75, 0.5]),
        ((sglang(4, 100, 2.2, 5), sglang(16, 400, 1 + 0.5 + 0.25 + 0.125 + 0.0625, 5)), "SGLang", [0.5] * 4),
    ],
)
def test_load_acceptance_and_advice_for_machines(pages, engine, acceptance, tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text(TABLE)
    with serving(*pages) as url:
        assert main([*once(url, "--json"), "--table", str(table)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    got = json.loads(line)
    assert (got["engine"], got["running"]) == (engine, 16)
    assert got["acceptance"] == pytest.approx(acceptance)
    assert got["tokens_per_s"] > 0
    advice = got["advice"]
    assert advice["load"] == 16
    assert 0 <= advice["per_request"] <= len(acceptance)
    assert advice["batch"] == 16 * (1 + advice["per_request"])
    assert advice["theta"] >= advice["theta_all"]


def test_the_same_in_words(tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text(TABLE)
    with serving(vllm(4, 100, 10, (8,)), vllm(2, 200, 20, (17,))) as url:
        assert main([*once(url), "--table", str(table)]) == 0
    out = capsys.readouterr().out
    assert "vLLM · 2 requests" in out
    assert "sends 1.0 drafts per request; passes at position 1, 2, …: 0.90" in out
    assert "advice: send 1 draft per request on average, 4 tokens a step." in out
    assert "all 1 sent" in out


def test_a_server_of_several_engines_is_advised_for_one_of_them(tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text(TABLE)
    pages = ["".join(vllm(8, 100 * k, 10 * k, (8 * k, 5 * k), f"{e}") for e in range(4)) for k in (1, 2)]
    with serving(*pages) as url:
        assert main([*once(url), "--table", str(table)]) == 0
    out = capsys.readouterr().out
    assert "vLLM · 32 requests on 4 engines" in out
    assert "advice for an engine with 8 requests: " in out
    with serving(*pages) as url:
        assert main([*once(url, "--json"), "--table", str(table)]) == 0
    got = json.loads(capsys.readouterr().out)
    assert (got["running"], got["engines"], got["advice"]["load"], got["sent"]) == (32, 4, 8, 2)


def test_a_stair_that_an_early_stop_does_not_climb_is_not_called_do_not_draft(tmp_path, capsys):
    table = tmp_path / "table.json"
    table.write_text('{"step_ms": {"4": 10, "8": 14, "16": 16}, "lookup": "ceil"}')
    with serving(vllm(4, 0, 0, (0, 0, 0)), vllm(4, 400, 100, (90, 72, 50))) as url:
        assert main([*once(url), "--table", str(table)]) == 0
    out = capsys.readouterr().out
    assert "advice: send 3 drafts of every request." in out
    assert "early stop 400 (0.0 per request)" in out


def test_a_table_that_ends_below_the_load_is_told(tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text("batch,ms\n1,10\n8,11\n")
    with serving(vllm(8, 0, 0, (0, 0)), vllm(8, 400, 100, (90, 72))) as url:
        assert main([*once(url), "--table", str(table)]) == 0
    assert "the table ends at 8 tokens" in capsys.readouterr().out


def test_a_server_that_does_not_speculate_is_told_apart_from_an_idle_one(capsys):
    with serving('vllm:num_requests_running{engine="0"} 5.0\n') as url:
        assert main(once(url)) == 0
    out = capsys.readouterr().out
    assert "5 requests" in out
    assert "the page counts no drafts" in out


def test_without_a_table_or_drafts_there_is_no_advice(capsys):
    page = vllm(4, 100, 10, (8,))
    with serving(page) as url:
        assert main(once(url)) == 0
    out = capsys.readouterr().out
    assert "nothing drafted" in out
    assert "advice" not in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["file:///etc/hostname"], "is no address of a server"),
        (["ftp://localhost/metrics"], "is no address of a server"),
        (["http://"], "is no address of a server"),
        (["http://localhost:99999"], "is no address of a server"),
        (["http://127.0.0.1:1"], "cannot be reached"),
        (["http://localhost", "--every", "0"], "--every takes seconds"),
        (["http://localhost", "--table", "no-such-table.csv"], "No such file"),
    ],
)
def test_a_bad_argument_gets_one_line(arguments, told, capsys):
    assert main(["watch", *arguments, "--once"] if "--every" in arguments else once(*arguments)) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("status", "page", "told"),
    [(200, "<html></html>", "none of vLLM's or SGLang's"), (404, "", "answered 404"), (302, "", "answered 302"), (500, "", "answered 500")],
)
def test_a_page_that_is_no_metrics_page_gets_one_line(status, page, told, capsys):
    with serving(page, status=status, headers={"Location": "file:///etc/hostname"}) as url:
        assert main(once(url)) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.strip().splitlines()) == 1


def test_a_server_that_says_nothing_is_not_waited_for():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/metrics"
        with pytest.raises(FetchError, match="did not answer within"):
            fetch(address, timeout=0.2)


def test_an_address_without_a_page_means_its_metrics():
    assert metrics_address("localhost:8000") == "http://localhost:8000/metrics"
    assert metrics_address("https://host/base/metrics") == "https://host/base/metrics"
