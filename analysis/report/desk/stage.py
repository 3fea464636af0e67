"""What a page shows now, and who waits for the next.

Whatever renders calls ``show``, ``settle`` or ``fail`` from any thread. Open pages wait
in the server's loop; tests and benchmarks wait in threads.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from analysis.report.pages.html_page import page_policy, with_script

_POLICY = "default-src 'none';"
_ALIVE_SECONDS = 15.0
_EMPTY = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Preview</title>'
    f'<meta http-equiv="Content-Security-Policy" content="{page_policy([])}">'
    "</head><body><p>There is no page yet.</p></body></html>"
)
_Waiting = tuple[asyncio.AbstractEventLoop, asyncio.Event]


@dataclass
class Stage:
    """What is shown now. ``next`` is awaited; all others may be called anywhere.

    ``script`` runs in the page, and ``head`` stands in its head, with scripts and
    styles of this server. ``shown`` is the version that a browser last said it shows,
    ``scroll`` how far down it was, in CSS pixels. ``files`` lie beside the page: type
    and bytes, by name. ``remarked`` counts what was said of it, in comments and
    suggestions.
    """

    script: str
    head: str = ""
    version: int = 0
    problem: str = ""
    shown: int = 0
    scroll: float = 0.0
    remarked: int = 0
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    _html: str = _EMPTY
    _sections: Mapping[str, str] = field(default_factory=dict)
    _made: tuple[str, int, bytes, bytes] = ("", -1, b"", b"")
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _waiting: set[_Waiting] = field(default_factory=set)

    def show(self, html: str, sections: Mapping[str, str] | None = None) -> int:
        """Show a page and return its version; ``sections`` are all that changed."""
        with self._telling():
            self._html, self._sections = html, sections or {}
            self.version, self.problem = self.version + 1, ""
            return self.version

    def settle(self, html: str) -> None:
        """The same page to the reader, with another build id."""
        with self._changed:
            self._html = html

    def fail(self, problem: str) -> None:
        """Keep the page and show what is wrong; an empty text takes it away."""
        with self._telling():
            self.problem = problem

    def remark(self) -> None:
        """Somebody said something of it: whoever shows it asks what."""
        with self._telling():
            self.remarked += 1

    def saw(self, version: int, scroll: float) -> None:
        """A browser shows a version."""
        with self._changed:
            self.shown, self.scroll = version, scroll
            self._changed.notify_all()

    def wait_until_shown(self, version: int, seconds: float) -> bool:
        """Whether a browser showed this version or a later one in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self.shown >= version, seconds)

    async def next(
        self, version: int, problem: str, remarked: int
    ) -> dict[str, object] | None:
        """The news for a page that shows these; None if there were none for a while."""
        known = version, problem, remarked
        own = asyncio.get_running_loop(), asyncio.Event()
        with self._changed:
            self._waiting.add(own)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(_ALIVE_SECONDS):
                    while self._now == known:
                        await own[1].wait()
                        own[1].clear()
            return self._news(known)
        finally:
            with self._changed:
                self._waiting.discard(own)

    def page(self, told: str = "") -> bytes:
        """The page with its script for changes, which its policy then allows.

        ``told`` stands in its head besides.
        """
        with self._changed:
            if self._made[:2] != (self._html, self.version):
                self._made = self._html, self.version, *self._dressed()
            _, _, head, body = self._made
        return b"".join((head, told.encode() if self.head else b"", body))

    def _dressed(self) -> tuple[bytes, bytes]:
        """The page as it is sent, before and behind what its head tells besides."""
        html = with_script(_with_connection(self._html), self.script)
        if self.head:
            html = with_own(html).replace("</head>", f"{self.head}</head>", 1)
        script = f'<script data-version="{self.version}">{self.script}</script>\n'
        before, end, after = html.rpartition("</body>")
        head, mark, body = before.partition(self.head or "</head>")
        return head.encode(), f"{mark}{body}{script}{end}{after}".encode()

    @property
    def _now(self) -> tuple[int, str, int]:
        return self.version, self.problem, self.remarked

    def _news(self, known: tuple[int, str, int]) -> dict[str, object] | None:
        with self._changed:
            if self._now == known:
                return None
            names = "version", "problem", "remarked"
            found: dict[str, object] = dict(zip(names, self._now, strict=True))
            one_step = self.version == known[0] + 1 and self._sections
            return found | ({"sections": self._sections} if one_step else {})

    @contextmanager
    def _telling(self) -> Iterator[None]:
        with self._changed:
            yield
            self._changed.notify_all()
            for loop, event in self._waiting:
                with suppress(RuntimeError):  # that server has ended
                    loop.call_soon_threadsafe(event.set)


def with_own(html: str) -> str:
    """A page whose policy allows scripts and styles of this server, and asking it."""
    html = html.replace("script-src 'none'", "script-src", 1)
    for kind in ("script-src", "style-src"):
        html = re.sub(rf"{kind}\b", f"{kind} 'self'", html, count=1)
    return _with_connection(html)


def _with_connection(html: str) -> str:
    if "connect-src" in html.partition("</head>")[0]:
        return html
    return html.replace(_POLICY, f"{_POLICY} connect-src 'self';", 1)


def script_of(templates: Path) -> str:
    """The script that keeps an open page up to date."""
    return (templates / "preview.js").read_text(encoding="utf-8")
