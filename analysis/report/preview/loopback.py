"""A server for one browser on the same machine, which trusts nobody who connects.

Other pages in that browser, other programs and other users can reach it as well. It
answers to its own name and to its own pages alone, waits for no one for long, and has
a limited number of places.
"""

from __future__ import annotations

import io
import re
import socket
import sys
import threading
import time
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from analysis.files.limits import KIB, REQUEST_CONNECTIONS, REQUEST_SECONDS

LOOPBACK = "127.0.0.1"
# Any port, as a tunnel may have another one at its end.
_LOCAL = re.compile(r"(?:127\.0\.0\.1|localhost)(?::\d{1,5})?", re.ASCII)
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_PIECE = 64 * KIB  # of an answer, each of which has its time
_FULL = b"HTTP/1.0 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"


class LoopbackServer(ThreadingHTTPServer):
    """One thread a connection, ``REQUEST_CONNECTIONS`` at most; others are told so."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, handler: Any) -> None:
        self._places = threading.BoundedSemaphore(REQUEST_CONNECTIONS)
        super().__init__((LOOPBACK, port), handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, if there is a place for it."""
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        request.setblocking(False)
        with suppress(OSError):  # it went away, and wants no answer
            request.send(_FULL)
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """The thread; its place is free again at its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle is no error."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class LoopbackHandler(BaseHTTPRequestHandler):
    """Refuses what is malformed, slow, meant for another name or sent by another page.

    A subclass answers in ``answer_get`` and ``answer_post``; a ``ValueError`` there
    means that the request makes no sense.
    """

    server_version, sys_version = "netperf-report", ""
    default_request_version = "HTTP/1.0"  # an answer to an older one has no head

    def setup(self) -> None:
        """Read with an end in sight: a request must be whole in ``REQUEST_SECONDS``."""
        super().setup()
        self.rfile = io.BufferedReader(_Timely(self.connection))

    def answer_get(self) -> None:
        """Answer a GET."""
        raise NotImplementedError

    def answer_post(self) -> None:
        """Answer a POST."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """Answer, or say what is wrong."""
        self._answer(self.answer_get)

    def do_POST(self) -> None:
        """Answer, or say what is wrong."""
        self._answer(self.answer_post)

    def end_headers(self) -> None:
        """Add what keeps other pages from reading or framing an answer."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def send_body(self, type: str, data: bytes) -> None:
        """A whole answer; who takes none of it for ``REQUEST_SECONDS`` is left."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        for start in range(0, len(data), _PIECE):
            self.wfile.write(data[start : start + _PIECE])

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal is for the author's mistakes."""

    def _answer(self, answer: Any) -> None:
        self.connection.settimeout(REQUEST_SECONDS)
        if not self._is_ours():
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        try:
            answer()
        except ValueError:
            self.send_error(HTTPStatus.BAD_REQUEST)

    def _is_ours(self) -> bool:
        """A page elsewhere may give its own name our address, or send to ours."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or not _LOCAL.fullmatch(hosts[0]):
            return False
        if set(self.headers.get_all("Origin", [])) - {f"http://{hosts[0]}"}:
            return False
        opened = self.command == "GET" and self.headers.get("Sec-Fetch-Dest") == (
            "document"
        )
        site = self.headers.get("Sec-Fetch-Site", "none")
        return opened or site in ("none", "same-origin")


class _Timely(io.RawIOBase):
    """What arrives at a socket until ``REQUEST_SECONDS`` from now.

    Later, or if nothing more arrives, a :class:`TimeoutError`.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._end = time.monotonic() + REQUEST_SECONDS

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the request is not whole")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)
