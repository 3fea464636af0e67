"""The configurations of nginx that the documentation shows sign people in."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.report.desk.test_team import Room, room

__all__ = ["room"]
pytestmark = pytest.mark.skipif(
    not shutil.which("nginx"), reason="needs nginx: apt install nginx-light"
)
NGINX = """\
user root;
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{
    listen unix:{folder}/socket;
{location}
  }}
}}
"""


class SignsIn(BaseHTTPRequestHandler):
    """Stands in for oauth2-proxy: it knows one session, and nobody else."""

    def do_GET(self) -> None:
        session = self.headers.get("Cookie", "").partition("session=")[2]
        if self.path == "/oauth2/sign_in":
            self.send_response(200)
        else:
            self.send_response(202 if session else 401)
        if session == "rob":
            self.send_header("X-Auth-Request-Email", "rob")
        self.end_headers()
        self.wfile.write(b"Sign in" if self.path == "/oauth2/sign_in" else b"")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def proxied(room: Room, folder: Path, kind: str, **put: str) -> Iterator[Callable]:
    """nginx before a desk as documented; asks for a page, and says what came."""
    page = Path("docs/how-to/desk-team.md").read_text("utf-8")
    location = page.partition(f"# {kind}\n")[2].partition("```")[0]
    put["http://127.0.0.1:8765"] = room.server.address.rstrip("/")
    for old, new in put.items():
        assert old in location
        location = location.replace(old, new)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, location=location))
    command = ["nginx", "-c", f"{folder}/nginx.conf", "-p", str(folder)]

    def asked(*more: str) -> tuple[str, str]:
        curl = ["curl", "-s", "-o", f"{folder}/page", "-w", "%{http_code}",
                "--retry", "5", "--retry-all-errors", "--retry-delay", "1",
                "--unix-socket", f"{folder}/socket", *more,
                "http://desk.example.org/e/small/"]  # fmt: skip
        done = subprocess.run(curl, capture_output=True, text=True, check=True)
        return done.stdout, (folder / "page").read_text("utf-8")

    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as nginx:
        try:
            yield asked
        finally:
            os.kill(nginx.pid, signal.SIGTERM)


def test_passwords_sign_people_in(room: Room, tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    passwords.write_text("rob:{PLAIN}secret\n")
    put = {"/etc/nginx/desk.passwords": str(passwords)}
    with proxied(room, tmp_path, "basic auth", **put) as asked:
        assert asked()[0] == "401"
        status, page = asked("-u", "rob:secret", "-H", "X-Remote-User: ann")
        assert status == "200" and 'content="Rob Reviewer"' in page
        assert asked("-H", "X-Remote-User: ann")[0] == "401"
        assert asked("-u", "rob:secret", "-H", "Host: elsewhere.org")[0] == "403"


def test_a_provider_signs_people_in(room: Room, tmp_path: Path) -> None:
    provider = HTTPServer(("127.0.0.1", 0), SignsIn)
    threading.Thread(target=provider.serve_forever, daemon=True).start()
    put = {"http://127.0.0.1:4180": f"http://127.0.0.1:{provider.server_port}"}
    forged = ("-H", "X-Remote-User: ann", "-H", "X-Auth-Request-Email: ann")
    with proxied(room, tmp_path, "OIDC", **put) as asked:
        assert asked(*forged) == ("200", "Sign in")
        status, page = asked("-b", "session=rob", *forged)
        assert status == "200" and 'content="Rob Reviewer"' in page
        assert asked("-b", "session=nameless", *forged)[0] == "403"
    provider.shutdown()
    provider.server_close()
