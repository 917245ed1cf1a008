"""Read one text page over HTTP, from an address that the user gave: bounded in time and size, never redirected, never a local file."""

import http.client
import urllib.error
import urllib.request
from time import monotonic
from urllib.parse import urlsplit, urlunsplit

TIMEOUT = 5.0  # seconds without an answer
LONGEST = 20.0  # seconds for the whole page
LARGEST = 16 * 2**20  # bytes
CHUNK = 2**16  # bytes


class FetchError(OSError):
    """The page could not be had; the message is one sentence that names the address and the way out."""


def metrics_address(url: str) -> str:
    """The address with /metrics where it names no page. Raises FetchError for anything but http and https."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise FetchError(f"{url!r} is no address of a server: write for example http://localhost:8000/metrics.")
    return urlunsplit(parts._replace(path=parts.path if parts.path.strip("/") else "/metrics", fragment=""))


def fetch(address: str, timeout: float = TIMEOUT) -> str:
    """The page as text. Raises FetchError."""
    opener = urllib.request.OpenerDirector()  # without the handlers of files, FTP and redirects
    for handler in (urllib.request.ProxyHandler, urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
        opener.add_handler(handler())
    request = urllib.request.Request(address, headers={"Accept": "text/plain; version=0.0.4"})
    begun = monotonic()
    try:
        with opener.open(request, timeout=timeout) as answer:
            if answer.status != 200:
                raise FetchError(f"{address} answered {answer.status}: check the path; vLLM and SGLang serve their metrics at /metrics.")
            data = bytearray()
            while chunk := answer.read1(CHUNK):
                data += chunk
                if len(data) > LARGEST or monotonic() - begun > LONGEST:
                    raise FetchError(f"{address} sends more than a metrics page: check the address.")
    except FetchError:
        raise
    except TimeoutError:
        raise FetchError(f"{address} did not answer within {timeout:g} s: check that the server is up.") from None
    except urllib.error.URLError as error:
        reason = getattr(error.reason, "strerror", None) or str(error.reason)
        raise FetchError(f"{address} cannot be reached ({reason}): check the host, the port and that the server is up.") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise FetchError(f"{address} broke off ({type(error).__name__}): check that this is an HTTP server.") from None
    return data.decode("utf-8", "replace")
