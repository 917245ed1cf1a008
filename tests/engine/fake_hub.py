"""A hub on this machine: the two addresses of a real one that a download needs, over folders of a test's own."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "a" * 40


class Hub:
    """Models by name, each a folder; what was asked for; and how it misbehaves."""

    def __init__(self, folders: dict[str, Path]):
        self.folders, self.asked = folders, []
        self.cut: int | None = None  # bytes after which the next file's connection breaks
        self.gated: set[str] = set()
        self.digest: str | None = None  # what it says of every weight file, if anything

    def info(self, name: str) -> dict:
        files = []
        for file in sorted(self.folders[name].iterdir()):
            files.append({"rfilename": file.name, "size": file.stat().st_size})
            if self.digest and file.suffix == ".safetensors":
                files[-1]["lfs"] = {"sha256": self.digest, "size": file.stat().st_size, "pointerSize": 1}
        return {"id": name, "modelId": name, "sha": COMMIT, "siblings": files, "tags": [], "cardData": {"license": "apache-2.0"}}


class _Handler(BaseHTTPRequestHandler):
    hub: Hub

    def log_message(self, *_) -> None:
        """Silent."""

    def do_GET(self) -> None:
        hub, path = self.hub, self.path.split("?")[0]
        hub.asked.append((path, self.headers.get("Range")))
        if found := re.fullmatch(r"/api/models/(.+?)(/revision/.+)?", path):
            name = found[1]
            if name in hub.gated:
                return self._send(403, b"{}", {"X-Error-Code": "GatedRepo"})
            if name not in hub.folders:
                return self._send(404, b"{}", {"X-Error-Code": "RepoNotFound"})
            return self._send(200, json.dumps(hub.info(name)).encode())
        found = re.fullmatch(rf"/(.+)/resolve/{COMMIT}/([^/]+)", path)
        file = hub.folders[found[1]] / found[2]
        if not file.exists():
            return self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
        return self._file(file.read_bytes())

    def _file(self, body: bytes) -> None:
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        part, length = body[start:], len(body) - start
        if self.hub.cut is not None:
            part, self.hub.cut = part[: self.hub.cut], None
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(length))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.end_headers()
        self.wfile.write(part)
        self.close_connection = True

    def _send(self, code: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(folders: dict[str, Path]) -> Iterator[tuple[Hub, str]]:
    """The hub and its address, while it runs."""
    hub = Hub(folders)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield hub, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
