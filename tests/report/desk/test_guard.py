"""The server against requests that are malformed, foreign, slow or many."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from analysis.report.desk import server as serving
from analysis.report.desk.server import LOOPBACK, Served
from analysis.report.desk.stage import Stage, serve

PAGE = "<html><head><meta content=\"script-src 'none'\"></head><body>It</body></html>"
LOCAL = f"Host: {LOOPBACK}\r\n"
MALFORMED = {
    "": b"",  # nothing but the end of the line: not a request
    "GET\r\n\r\n": b"400",
    "GET / HTTP/9.9\r\n\r\n": b"403",
    "GET / HTTP/x\r\n\r\n": b"400",
    "\x00\x01\x02 / HTTP/1.1\r\n\r\n": b"400",
    f"BREW / HTTP/1.1\r\n{LOCAL}\r\n": b"405",
    f"OPTIONS * HTTP/1.1\r\n{LOCAL}\r\n": b"404",
    f"CONNECT {LOOPBACK}:22 HTTP/1.1\r\n{LOCAL}\r\n": b"404",
    f"GET / HTTP/1.1\r\n{LOCAL}A: {'a' * 300_000}\r\n\r\n": b"400",
    f"GET //[ HTTP/1.1\r\n{LOCAL}\r\n": b"404",
    f"GET http://[ HTTP/1.1\r\n{LOCAL}\r\n": b"404",
    f"GET /changes HTTP/1.1\r\n{LOCAL}\r\n": b"400",
    f"GET /changes?version= HTTP/1.1\r\n{LOCAL}\r\n": b"400",
    f"GET /changes?version=x HTTP/1.1\r\n{LOCAL}\r\n": b"400",
    f"GET /changes?version={'9' * 5_000} HTTP/1.1\r\n{LOCAL}\r\n": b"400",
    f"GET /changes?version=1&version=2 HTTP/1.1\r\n{LOCAL}\r\n": b"400",
    f"POST / HTTP/1.1\r\n{LOCAL}\r\n": b"405",
    f"POST / HTTP/1.1\r\n{LOCAL}Content-Length: 9999999\r\n\r\n": b"413",
}
PATHS = [
    "/etc/passwd", "/../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd",
    "/pyproject.toml", "/%2e%2e/pyproject.toml", "/small.pdf/../../pyproject.toml",
    "/facts.json%00", "/facts.json\\..\\x", "/.git/config", "/file:///etc/passwd",
]  # fmt: skip
FOREIGN = [
    "",
    "Host: elsewhere.example\r\n",
    "Host: 127.0.0.1.elsewhere.example\r\n",
    "Host: elsewhere@127.0.0.1\r\n",
    "Host: 127.0.0.1:x\r\n",
    "Host: [\r\n",
    "Host: 0.0.0.0\r\n",
    f"{LOCAL}Host: elsewhere.example\r\n",
    f"{LOCAL}Origin: https://elsewhere.example\r\n",
    f"{LOCAL}Origin: null\r\n",
    f"{LOCAL}Origin: http://{LOOPBACK}\r\nOrigin: http://elsewhere.example\r\n",
    f"{LOCAL}Origin: http://localhost:1\r\n",
    f"{LOCAL}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: script\r\n",
    f"{LOCAL}Sec-Fetch-Site: same-site\r\nSec-Fetch-Dest: empty\r\n",
    f"{LOCAL}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: iframe\r\n",
]


@pytest.fixture(scope="module")
def stage() -> Stage:
    stage = Stage("")
    stage.show(PAGE)
    stage.files["facts.json"] = "application/json", b"{}"
    return stage


@pytest.fixture(scope="module")
def server(stage: Stage) -> Iterator[Served]:
    server = serve(stage, 0)
    yield server
    server.shutdown()


def connect(server: Served) -> socket.socket:
    return socket.create_connection((LOOPBACK, port_of(server)), timeout=20)


def port_of(server: Served) -> int:
    return int(server.address.rstrip("/").rpartition(":")[2])


def ask(server: Served, request: str) -> bytes:
    """The whole answer; what is left of it where the server hung up."""
    with connect(server) as connection:
        with suppress(OSError):  # it may have answered and hung up already
            connection.sendall(request.encode("latin-1"))
            connection.shutdown(socket.SHUT_WR)
        return rest(connection)


def rest(connection: socket.socket) -> bytes:
    found = b""
    with suppress(ConnectionResetError):
        while data := connection.recv(65_536):
            found += data
    return found


def status(answer: bytes) -> bytes:
    return answer.split(b" ", 2)[1] if answer.startswith(b"HTTP/") else b""


def test_what_is_malformed_is_told_so(
    server: Served, capfd: pytest.CaptureFixture[str]
) -> None:
    said = {text: status(ask(server, text)) for text in MALFORMED}
    assert said == MALFORMED
    assert status(ask(server, f"GET / HTTP/1.1\r\n{LOCAL}\r\n")) == b"200"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("path", PATHS)
def test_no_path_opens_a_file(server: Served, path: str) -> None:
    answer = ask(server, f"GET {path} HTTP/1.1\r\n{LOCAL}\r\n")
    assert status(answer) == b"404"
    assert b"root:" not in answer and b"[project]" not in answer


@pytest.mark.parametrize("head", FOREIGN)
@pytest.mark.parametrize("line", ["GET /", "GET /changes?version=0", "POST /"])
def test_other_names_and_other_pages_are_refused(
    server: Served, line: str, head: str
) -> None:
    refused = b"403" if head.count("Host:") == 1 else b"400"
    assert status(ask(server, f"{line} HTTP/1.1\r\n{head}\r\n")) == refused


@pytest.mark.parametrize(
    "head",
    [
        "Host: localhost\r\n",
        "Host: localhost:9000\r\nOrigin: http://localhost:9000\r\n",
        "Host: {host}\r\nOrigin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n",
        "Host: {host}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n",
    ],
)
def test_its_own_page_and_a_link_to_it_are_answered(server: Served, head: str) -> None:
    own = head.format(host=f"{LOOPBACK}:{port_of(server)}")
    answer = ask(server, f"GET / HTTP/1.1\r\n{own}\r\n")
    assert status(answer) == b"200" and answer.endswith(b"</body></html>")
    for wanted in (b"resource-policy: same-origin", b"nosniff", b"DENY"):
        assert wanted in answer


def test_a_name_with_line_ends_adds_no_header(server: Served) -> None:
    answer = ask(server, f"GET /%0d%0aX-Own:%20x HTTP/1.1\r\n{LOCAL}\r\n")
    assert status(answer) == b"404" and b"\r\nX-Own" not in answer


def test_only_this_machine_is_listened_to(server: Served) -> None:
    assert server.address.startswith(f"http://{LOOPBACK}:")


@pytest.mark.parametrize("start", [b"", b"GET / HTTP/1.1\r\n", b"POST /sho"])
def test_who_does_not_finish_a_request_is_left(
    server: Served, monkeypatch: pytest.MonkeyPatch, start: bytes
) -> None:
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.1)
    with connect(server) as connection:
        connection.sendall(start)
        assert rest(connection) == b""


def test_drops_do_not_keep_a_request_alive(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.3)
    with connect(server) as connection, pytest.raises(ConnectionError):
        connection.settimeout(0.05)
        connection.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(400):  # far longer than the limit, if nobody hung up
            connection.sendall(b"A")
            try:
                if not connection.recv(1):
                    raise ConnectionResetError
            except TimeoutError:
                continue


def test_many_answers_at_once_leave_it_able_to_answer(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "REQUEST_CONNECTIONS", 3)
    stage.files["large"] = "text/plain", bytes(20_000_000)
    request = f"GET / HTTP/1.1\r\n{LOCAL}\r\n"
    server = serve(stage, 0)
    ends = time.monotonic() + 60
    with ExitStack() as held:
        for _ in range(3):
            busy = held.enter_context(connect(server))
            busy.sendall(f"GET /large HTTP/1.1\r\n{LOCAL}\r\n".encode())
            assert busy.recv(1) == b"H"
        assert {status(ask(server, request)) for _ in range(20)} == {b"503"}
    while status(ask(server, request)) != b"200":
        assert time.monotonic() < ends, "it notices that they are free"
    server.shutdown()
    assert capfd.readouterr().err == ""


def test_who_does_not_take_an_answer_is_left(
    server: Served, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.2)
    stage.files["large"] = "text/plain", bytes(20_000_000)
    with connect(server) as connection:
        connection.sendall(f"GET /large HTTP/1.1\r\n{LOCAL}\r\n".encode())
        assert connection.recv(1) == b"H"
        time.sleep(1)
        assert len(rest(connection)) < 20_000_000


def test_connections_that_ask_nothing_keep_no_one_out(stage: Stage) -> None:
    served = serve(stage, 0)
    port = int(served.address.rstrip("/").rpartition(":")[2])
    with ExitStack() as all:
        for _ in range(serving.REQUEST_CONNECTIONS + 50):
            all.enter_context(socket.create_connection((LOOPBACK, port), timeout=20))
        began = time.monotonic()
        with socket.create_connection((LOOPBACK, port), timeout=20) as one:
            one.sendall(f"GET / HTTP/1.1\r\n{LOCAL}Connection: close\r\n\r\n".encode())
            assert status(rest(one)) == b"200"
        assert time.monotonic() - began < 5
    served.shutdown()
