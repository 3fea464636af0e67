"""Serves a preview on loopback, and tells open pages what changed.

Pages listen at ``/changes`` (server-sent events) and say at ``/shown`` what they
show. A change of a few sections travels as their HTML, any other as a reload.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from analysis.report.pages.policy import page_policy, with_script
from analysis.report.preview.loopback import LoopbackHandler, LoopbackServer

_POLICY = "default-src 'none';"
_ALIVE_SECONDS = 15.0
_EMPTY = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Preview</title>'
    f'<meta http-equiv="Content-Security-Policy" content="{page_policy([])}">'
    "</head><body><p>There is no page yet.</p></body></html>"
)


@dataclass
class Stage:
    """What is shown now. ``wait`` and the setters may be called from any thread.

    ``shown`` is the version that a browser last said it shows, ``scroll`` how far
    down it was, in CSS pixels.
    """

    script: str
    version: int = 0
    problem: str = ""
    shown: int = 0
    scroll: float = 0.0
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    _html: str = _EMPTY
    _sections: Mapping[str, str] = field(default_factory=dict)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def show(self, html: str, sections: Mapping[str, str] | None = None) -> int:
        """Show a page and return its version; ``sections`` are all that changed."""
        with self._changed:
            self._html, self._sections = html, sections or {}
            self.version, self.problem = self.version + 1, ""
            self._changed.notify_all()
            return self.version

    def settle(self, html: str) -> None:
        """The same page to the reader, with another build id."""
        with self._changed:
            self._html = html

    def fail(self, problem: str) -> None:
        """Keep the page and show what is wrong; an empty text takes it away."""
        with self._changed:
            self.problem = problem
            self._changed.notify_all()

    def saw(self, version: int, scroll: float) -> None:
        """A browser shows a version."""
        with self._changed:
            self.shown, self.scroll = version, scroll
            self._changed.notify_all()

    def wait_until_shown(self, version: int, seconds: float) -> bool:
        """Whether a browser showed this version or a later one in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self.shown >= version, seconds)

    def next(self, version: int, problem: str) -> dict[str, object] | None:
        """The news for a page that shows these; None if there were none for a while."""
        with self._changed:
            news = self._changed.wait_for(
                lambda: (self.version, self.problem) != (version, problem),
                _ALIVE_SECONDS,
            )
            if not news:
                return None
            found = {"version": self.version, "problem": self.problem}
            one_step = self.version == version + 1 and self._sections
            return found | ({"sections": self._sections} if one_step else {})

    def page(self) -> bytes:
        """The page with its script for changes, which its policy then allows."""
        with self._changed:
            html, version = self._html, self.version
        html = html.replace(_POLICY, f"{_POLICY} connect-src 'self';", 1)
        html = with_script(html, self.script)
        script = f'<script data-version="{version}">{self.script}</script>\n'
        head, end, tail = html.rpartition("</body>")
        return f"{head}{script}{end}{tail}".encode()


def serve(stage: Stage, port: int) -> LoopbackServer:
    """Serve a stage on loopback in the background; port 0 is any that is free."""
    server = LoopbackServer(port, partial(_Handler, stage))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def script_of(templates: Path) -> str:
    """The script that keeps an open page up to date."""
    return (templates / "preview.js").read_text(encoding="utf-8")


class _Handler(LoopbackHandler):
    def __init__(self, stage: Stage, *args: object) -> None:
        self.stage = stage
        super().__init__(*args)  # type: ignore[arg-type]

    def answer_get(self) -> None:
        """Answer with the page, one of its files, or the changes as they come."""
        url = urlsplit(self.path)
        if url.path in ("/", "/index.html"):
            self.send_body("text/html; charset=utf-8", self.stage.page())
        elif url.path == "/changes":
            self._tell_changes(int(_said(url.query, "version")))
        elif found := self.stage.files.get(url.path[1:]):
            self.send_body(*found)
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def answer_post(self) -> None:
        """Note what a page shows."""
        url = urlsplit(self.path)
        if url.path != "/shown":
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        version, scroll = int(_said(url.query, "version")), _said(url.query, "at")
        if not math.isfinite(float(scroll)):
            raise ValueError("no place in a page")
        self.stage.saw(version, float(scroll))
        self.send_body("text/plain", b"")

    def _tell_changes(self, version: int) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        problem = ""
        try:
            while True:
                news = self.stage.next(version, problem)
                text = f"data: {json.dumps(news)}\n\n" if news else ": alive\n\n"
                self.wfile.write(text.encode())
                self.wfile.flush()
                if news:
                    version, problem = int(str(news["version"])), str(news["problem"])
        except OSError:  # the page is closed, or does not listen
            return


def _said(query: str, name: str) -> str:
    """The one value of a name in a query; else a ``ValueError``."""
    (value,) = parse_qs(query).get(name, [])
    return value
