"""Servers on loopback that answer as the public documentation says, or fail."""

from __future__ import annotations

import base64
import json
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from synthetic.emitters.rmf_xml import Interval, Processor, document
from tests.ingest.rmf.ddsml_more import message

CERTIFICATES = Path(__file__).parent / "certificates"
USER, PASSWORD = "IBMUSER", "secret-of-this-test"
REPORT = document(Interval((Processor(dispatched=900.0),)).xml())
NO_DATA = document(message("GPM0745E", "No reportable data found"))
NAME = "SMF.DUMP.D260112"


@dataclass
class Host:
    """What a server has, what it is to do wrong, and what it was asked."""

    records: tuple[bytes, ...] = ()
    fault: str = ""
    who: bool = True  # whether it wants to know who asks
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    address: str = ""
    # Of each command the parts of its answer; those that are still to be asked for.
    displays: dict[str, list[str]] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)


def _basic() -> str:
    return "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()


class _Handler(BaseHTTPRequestHandler):
    host: Host  # what each test has its own subclass for
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.host.asked.append(self.path)
        self.host.headers.append(dict(self.headers))
        if self.host.fault == "silence":
            threading.Event().wait(2)
            return
        if self.host.who and self.headers.get("Authorization") != _basic():
            self._send(401, b"", "text/html")
            return
        self._answer(urlsplit(self.path))

    def do_PUT(self) -> None:
        """A command, as "Issue Command" of z/OSMF: the first lines of its answer,
        and the key of those that follow."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.host.asked.append(f"{self.path} {body.decode()}")
        self.host.headers.append(dict(self.headers))
        if self.headers.get("Authorization") != _basic():
            self._send(401, b"", "text/html")
            return
        lines = self.host.displays.get(json.loads(body)["cmd"])
        if lines is None or not self.headers.get("X-CSRF-ZOSMF-HEADER"):
            told = {"return-code": 8, "reason-code": 5, "reason": "no authority"}
            self._send(400, json.dumps(told).encode(), "application/json")
            return
        self.host.parts = [*lines]
        first = self.host.parts.pop(0)
        told = {"cmd-response": first, "cmd-response-key": "C12345"}
        self._send(200, json.dumps(told).encode(), "application/json")

    def _answer(self, parts) -> None:
        path = unquote(parts.path)
        if path in ("/gpm/rmfpp.xml", "/gpm/rmfm3.xml"):
            text = NO_DATA if "NONE" in parse_qs(parts.query).values() else REPORT
            text = NO_DATA if "reports=NONE" in parts.query else text
            self._send(200, text.encode(), "text/xml")
        elif path == f"/zosmf/restfiles/ds/{NAME}":
            self._data_set()
        elif path == "/zosmf/restjobs/jobs/RMFPP/JOB01234/files":
            files = [{"id": 2, "ddname": "JESMSGLG"}, {"id": 101, "ddname": "MFR1"}]
            self._send(200, json.dumps(files).encode(), "application/json")
        elif path == "/zosmf/restconsoles/consoles/defcn/solmsgs/C12345":
            more = self.host.parts.pop(0) if self.host.parts else ""
            told = json.dumps({"cmd-response": more})
            self._send(200, told.encode(), "application/json")
        elif path.endswith("/records"):
            self._send(200, f"output {path.split('/')[-2]}\n".encode(), "text/plain")
        else:
            told = {"rc": 4, "reason": 8, "message": "data set not found"}
            self._send(404, json.dumps(told).encode(), "application/json")

    def _data_set(self) -> None:
        """Records as they are asked for; without a type, text."""
        if self.headers.get("X-IBM-Data-Type") != "record" or not self.headers.get(
            "X-CSRF-ZOSMF-HEADER"
        ):
            self._send(400, b"{}", "application/json")
            return
        parts = [len(r).to_bytes(4, "big") + r for r in self.host.records]
        body = b"".join(parts)
        cut = body[:-3] if self.host.fault == "half a record" else body
        self._send(200, cut, "application/octet-stream")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        half = self.host.fault == "half" and status == 200
        self.wfile.write(body[: len(body) // 2] if half else body)
        self.close_connection = True


@contextmanager
def http_server(
    host: Host, certificate: str = "", client: bool = False
) -> Iterator[None]:
    """A DDS and a z/OSMF; with a certificate it speaks TLS, and may want one."""
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), type("Handler", (_Handler,), {"host": host})
    )
    scheme = "http"
    if certificate:
        scheme = "https"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATES / certificate)
        if client:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(CERTIFICATES / "authority.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.handle_error = lambda *args: None  # a refused handshake is meant
    with _running(server):
        host.address = f"{scheme}://127.0.0.1:{server.server_address[1]}"
        yield


@contextmanager
def ftp_server(host: Host) -> Iterator[None]:
    """An FTP server of z/OS, with TLS for who asks for it."""

    class Session(_Ftp):
        of = host

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session)
    server.daemon_threads = True
    with _running(server):
        host.address = f"127.0.0.1:{server.server_address[1]}"
        yield


@contextmanager
def _running(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Ftp(socketserver.BaseRequestHandler):
    """One session: what it needs of RFC 959, and SITE of z/OS."""

    of: Host

    def handle(self) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(CERTIFICATES / "sound.pem")
        self.site, self.secure = "", False
        self._open()
        self._say("220 ready")
        while line := self.lines.readline():
            command, _, rest = line.decode().strip().partition(" ")
            if command.upper() != "PASS":
                self.of.asked.append(line.decode().strip())
            if self._do(command.upper(), rest):
                return

    def _open(self) -> None:
        self.lines = self.request.makefile("rb")

    def _say(self, text: str) -> None:
        self.request.sendall(f"{text}\r\n".encode())

    def _do(self, command: str, rest: str) -> bool:
        if command == "AUTH":
            self._say("234 go on")
            self.request = self.context.wrap_socket(self.request, server_side=True)
            self.lines = self.request.makefile("rb")
        elif command == "PASS":
            self._say("230 in" if rest == PASSWORD else "530 PASS command failed")
        elif command in ("EPSV", "PASV"):
            self.data = socketserver.socket.create_server(("127.0.0.1", 0))
            port = self.data.getsockname()[1]
            self._say(
                f"229 Entering Extended Passive Mode (|||{port}|)"
                if command == "EPSV"
                else f"227 Entering (127,0,0,1,{port // 256},{port % 256})"
            )
        elif command == "RETR":
            self._retrieve(rest)
        else:
            self.site = rest if command == "SITE" else self.site
            self.secure = self.secure or (command == "PROT" and rest == "P")
            self._say("331 password" if command == "USER" else "200 done")
        return command == "QUIT"

    def _retrieve(self, what: str) -> None:
        body = self._body(what)
        if body is None:
            self._say("550 not found")
            return
        self._say("125 sending")
        connection, _ = self.data.accept()
        if self.secure:
            connection = self.context.wrap_socket(connection, server_side=True)
        half = self.of.fault == "half"
        connection.sendall(body[: len(body) // 2] if half else body)
        if self.secure:
            connection.unwrap()
        connection.close()
        self._say("451 lost" if half else "250 done")

    def _body(self, what: str) -> bytes | None:
        if "FILETYPE=JES" in self.site and what == "JOB01234.x":
            return b"output of\r\nthe job\r\n"
        if what != f"'{NAME}'":
            return None
        keep = "RDW" in self.site and self.of.fault != "no RDW"
        return b"".join(
            ((len(r) + 4).to_bytes(2, "big") + b"\0\0" if keep else b"") + r
            for r in self.of.records
        )
