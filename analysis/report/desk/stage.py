"""What a page shows now, who waits for the next, and the addresses of both.

Whatever renders calls ``show``, ``settle`` or ``fail`` from any thread. Open pages wait
in the server's loop: they listen at ``changes`` (server-sent events). A change of a few
sections travels as their HTML, any other as a reload. No path of a request is ever
opened: names are looked up among the files.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from analysis.files.templates import template_file
from analysis.report.desk.people import allowed, asking
from analysis.report.desk.server import Limits, Served, application
from analysis.report.pages.html_page import page_policy, with_script

_POLICY = "default-src 'none';"
_ALIVE_SECONDS = 15.0
_FROM_BUILD = frozenset({".docx", ".pdf", ".pptx", ".xlsx"})
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
    styles of this server. ``files`` lie beside the page: type and bytes, by name.
    ``remarked`` counts the changes of what people said of it. ``built`` is the folder
    of the last build, whose PDF and workbook the page leads to.
    """

    script: str
    head: str = ""
    built: Path | None = None
    version: int = 0
    problem: str = ""
    remarked: int = 0
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    _html: str = _EMPTY
    _sections: Mapping[str, str] = field(default_factory=dict)
    _sent: tuple[str, int, bytes, bytes] = ("", -1, b"", b"")
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _waiting: set[_Waiting] = field(default_factory=set)

    def show(self, html: str, sections: Mapping[str, str] | None = None) -> int:
        """Show a page and return its version; ``sections`` are all that changed."""
        with self._news():
            self._html, self._sections = html, sections or {}
            self.version, self.problem = self.version + 1, ""
            return self.version

    def settle(self, html: str) -> None:
        """The same page to the reader, with another build id."""
        with self._lock:
            self._html = html

    def fail(self, problem: str) -> None:
        """Keep the page and show what is wrong; an empty text takes it away."""
        with self._news():
            self.problem = problem

    def remark(self) -> None:
        """Somebody said something of it: whoever shows it asks what."""
        with self._news():
            self.remarked += 1

    async def next(
        self, version: int, problem: str, remarked: int
    ) -> dict[str, object] | None:
        """The news for a page that shows these; None if there were none for a while."""
        known = version, problem, remarked
        waiting = asyncio.get_running_loop(), asyncio.Event()
        with self._lock:
            self._waiting.add(waiting)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(_ALIVE_SECONDS):
                    while self._state == known:
                        await waiting[1].wait()
                        waiting[1].clear()
            with self._lock:
                if self._state == known:
                    return None
                names = "version", "problem", "remarked"
                news: dict[str, object] = dict(zip(names, self._state, strict=True))
                if self.version == version + 1 and self._sections:
                    news["sections"] = self._sections
                return news
        finally:
            with self._lock:
                self._waiting.discard(waiting)

    def page(self, metas: str = "") -> bytes:
        """The page with its script for changes, which its policy then allows.

        ``metas`` stand in its head besides.
        """
        with self._lock:
            if self._sent[:2] != (self._html, self.version):
                self._sent = self._html, self.version, *self._dressed()
            _, _, head, body = self._sent
        return b"".join((head, metas.encode() if self.head else b"", body))

    def _dressed(self) -> tuple[bytes, bytes]:
        """The page as it is sent, before and behind what its head has besides."""
        html = with_script(_with_connection(self._html), self.script)
        if self.head:
            html = with_desk(html).replace("</head>", f"{self.head}</head>", 1)
        script = f'<script data-version="{self.version}">{self.script}</script>\n'
        before, end, after = html.rpartition("</body>")
        head, mark, body = before.partition(self.head or "</head>")
        return head.encode(), f"{mark}{body}{script}{end}{after}".encode()

    @property
    def _state(self) -> tuple[int, str, int]:
        return self.version, self.problem, self.remarked

    @contextmanager
    def _news(self) -> Iterator[None]:
        with self._lock:
            yield
            for loop, event in self._waiting:
                with suppress(RuntimeError):  # that server has ended
                    loop.call_soon_threadsafe(event.set)


def with_desk(html: str) -> str:
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
    return template_file(templates, "preview.js").read_text(encoding="utf-8")


def serve(stage: Stage, port: int) -> Served:
    """Serve one stage alone on loopback; port 0 is any that is free."""
    return Served(application(stage_routes("", lambda _: stage)), port)


def stage_routes(
    at: str,
    stage: Callable[[Request], Stage],
    opened: Callable[[Request], Stage] | None = None,
    limits: Limits | None = None,
) -> list[Route]:
    """The routes of a stage below ``at``; ``opened`` puts a page on it."""

    async def page(request: Request) -> Response:
        """The page as it is now: it says who asks, and what they may."""
        person = asking(request)
        if opened:
            await asyncio.to_thread(opened, request)
        names = {"desk-person": person.name, "desk-may": " ".join(allowed(person))}
        metas = (f'<meta name="{n}" content="{escape(v)}">' for n, v in names.items())
        data = stage(request).page("".join(metas))
        return Response(data, media_type="text/html; charset=utf-8")

    async def changes(request: Request) -> Response:
        """The changes since a version, for as long as the page is open."""
        news = _changes(stage(request), int(query_value(request, "version")), request)
        heard = limits.listen(request, news) if limits else news
        return StreamingResponse(heard, media_type="text/event-stream")

    async def beside(request: Request) -> Response:
        """A file beside the page, or else of the last build."""
        shown, name = stage(request), request.path_params["name"]
        if name in shown.files:
            kind, data = shown.files[name]
            return Response(data, media_type=kind)
        built = shown.built.iterdir() if shown.built and shown.built.is_dir() else ()
        for path in built:
            if path.name == name and path.suffix in _FROM_BUILD and path.is_file():
                return FileResponse(path)
        raise HTTPException(404)

    return [
        Route(f"{at}/", page),
        Route(f"{at}/index.html", page),
        Route(f"{at}/changes", changes),
        Route(f"{at}/{{name:path}}", beside),
    ]


def query_value(request: Request, name: str) -> str:
    """The one value of a name in a query; else a ``ValueError``."""
    (value,) = request.query_params.getlist(name)
    return value


async def _changes(stage: Stage, version: int, request: Request) -> AsyncIterator[str]:
    problem, remarked = "", stage.remarked
    while True:
        news = await stage.next(version, problem, remarked)
        if not request.scope["still"]():  # a page that listens now is somebody else's
            return
        yield f"data: {json.dumps(news)}\n\n" if news else ": alive\n\n"
        if news:
            version, problem = int(str(news["version"])), str(news["problem"])
            remarked = int(str(news["remarked"]))
