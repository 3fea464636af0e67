"""A real browser opens a served report: nothing but the page itself is asked for."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from analysis.report.engines.pandoc import PandocEngine
from tests.conftest import ROOT
from tests.report.browser import CHROMIUM
from tests.report.sample_document import read_documents, sample_document

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="needs Chromium: apt install chromium"
)
OWN = ("google.com", "googleapis.com", "gvt1.com")  # the browser's, at every start
GUIDE = ROOT / "docs/how-to/publish.md"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--virtual-time-budget=3000",
)  # fmt: skip


def documented_policy() -> str:
    """The policy that the guide gives for nginx."""
    found = re.search(r'Content-Security-Policy "([^"]+)"', GUIDE.read_text("utf-8"))
    assert found
    return found[1]


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder with the documented headers, and notes what is asked for."""

    asked: list[str]

    def end_headers(self) -> None:
        """Add the policy to each answer."""
        self.send_header("Content-Security-Policy", documented_policy())
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Note the path, print nothing."""
        self.asked.append(self.path)


@pytest.fixture
def served(tmp_path: Path, fonts: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of a rendered report, and the paths that were asked for."""
    PandocEngine(fonts).render(
        read_documents(sample_document(tmp_path / "document")), tmp_path / "out"
    )
    handler = type("Noting", (Handler,), {"asked": []})
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(handler, directory=str(tmp_path / "out"))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html", handler.asked
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of web fonts."""
    return tmp_path_factory.mktemp("fonts")


def test_only_the_page_is_asked_for(
    served: tuple[str, list[str]], tmp_path: Path
) -> None:
    address, asked = served
    log = tmp_path / "net.json"
    done = subprocess.run(
        [str(CHROMIUM), *FLAGS, f"--user-data-dir={tmp_path}/profile",
         f"--log-net-log={log}", "--dump-dom", "--enable-logging=stderr", address],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "</html>" in done.stdout
    assert "Content Security Policy" not in done.stderr  # nothing was refused
    assert set(asked) <= {"/index.html", "/favicon.ico"}
    hosts = set(re.findall(r'"url":"(?:https?|wss?)://([^/"]+)', log.read_text()))
    assert {h for h in hosts if not h.endswith(OWN)} == {address.split("/")[2]}
    assert "/index.html" in asked
