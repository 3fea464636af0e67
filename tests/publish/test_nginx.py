"""A real nginx serves the destination while releases come, go back and go away."""

from __future__ import annotations

import hashlib
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from email.message import Message
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.publish.conftest import Publish
from tests.publish.made_build import build_id, make_build

pytestmark = pytest.mark.skipif(
    not shutil.which("nginx"), reason="needs nginx: apt install nginx-light"
)
CONFIG = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
  fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  types {{ text/html html; text/csv csv; }}
  {server}
}}
"""
PLAIN = "server { root /srv/www/reports; index index.html; }"
GUIDE = ROOT / "docs/how-to/publish.md"


def documented() -> str:
    """What the guide has for nginx."""
    return GUIDE.read_text(encoding="utf-8").split("```nginx\n")[1].split("```")[0]


@pytest.fixture
def port(tmp_path: Path, dest: Path, request: pytest.FixtureRequest) -> Iterator[int]:
    """The port at which nginx serves the destination, plainly or as ``param`` says."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = tmp_path / "nginx.conf"
    listening = f"listen 127.0.0.1:{port}; root {dest};"
    told = getattr(request, "param", PLAIN)
    server = told.replace("root /srv/www/reports;", listening)
    config.write_text(CONFIG.format(folder=tmp_path, server=server))
    command = ["nginx", "-e", f"{tmp_path}/start.log", "-p", str(tmp_path), "-c"]
    process = subprocess.Popen([*command, str(config)])
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield port
    process.terminate()
    process.wait()


def get(port: int, path: str) -> bytes:
    """The body of an answer; an error where the status is not 200."""
    return ask(port, path)[0]


def ask(port: int, path: str) -> tuple[bytes, Message]:
    """The body and the headers of an answer; an error as for :func:`get`."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise HTTPException(f"status {answer.status}")
        return body, answer.headers
    finally:
        connection.close()


class Reader(threading.Thread):
    """Asks for the current page again and again; keeps what was wrong."""

    def __init__(
        self, address: tuple[int, str], whole: set[bytes], stop: threading.Event
    ) -> None:
        super().__init__()
        self.address, self.whole, self.stop = address, whole, stop
        self.wrong: list[str] = []
        self.answers, self.pages = 0, set[bytes]()

    def run(self) -> None:
        """Read until told to stop."""
        while not self.stop.is_set():
            try:
                page = get(*self.address)
            except (OSError, HTTPException) as error:
                self.wrong.append(str(error))
                continue
            self.answers += 1
            self.pages.add(page)
            if page not in self.whole:
                self.wrong.append(f"{len(page)} bytes that are no release's page")


def test_readers_never_meet_a_failed_or_mixed_page(
    tmp_path: Path, dest: Path, publish: Publish, port: int
) -> None:
    pages = []
    for text in ("one " * 60_000, "two " * 90_000, "three " * 30_000):
        build = make_build(tmp_path / text[:3] / "small", text=text)
        pages.append((build / "index.html").read_bytes())
    assert publish("--builds", str(tmp_path / "one")) == 0
    stop = threading.Event()
    address = (port, "/releases/small/current/index.html")
    readers = [Reader(address, set(pages), stop) for _ in range(4)]
    for reader in readers:
        reader.start()
    try:
        for turn in range(17):
            for name in ("two", "thr", "one"):
                code = publish("--builds", str(tmp_path / name), "--keep", "3")
                assert code == 0, (turn, name)
            assert publish("--rollback") in (0, 2)  # the oldest has none before it
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    assert [reader.wrong for reader in readers] == [[], [], [], []]
    assert sum(reader.answers for reader in readers) > 100
    assert {page for reader in readers for page in reader.pages} == set(pages)
    assert b"A small report" in get(port, "/")


@pytest.mark.parametrize("port", [documented()], indirect=True)
def test_as_documented_raw_files_are_saved_and_pages_shown(
    tmp_path: Path, publish: Publish, port: int
) -> None:
    page = b"<script>alert(1)</script>"
    (tmp_path / "raw/lab").mkdir(parents=True)
    (tmp_path / "raw/lab/evil.html").write_bytes(page)
    raw = {"evil.html": hashlib.sha256(page).hexdigest()}
    build = make_build(tmp_path / "builds/small", raw=raw)
    assert publish("--with-raw") == 0
    place = f"/releases/small/{build_id(build)}"
    body, headers = ask(port, f"{place}/raw/lab/evil.html")
    assert body == page
    assert headers["Content-Type"] == "application/octet-stream"
    assert headers["Content-Disposition"] == "attachment"
    assert headers["Content-Security-Policy"].startswith("sandbox;")
    assert headers["X-Content-Type-Options"] == "nosniff"
    body, headers = ask(port, f"{place}/index.html")
    assert body == (build / "index.html").read_bytes()
    assert headers["Content-Type"] == "text/html"
    assert headers["Content-Disposition"] is None
