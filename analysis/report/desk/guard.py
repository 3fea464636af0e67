"""Who may ask at all: a server on the machine of its readers trusts nobody.

Other pages in a browser, other programs and other users can reach it as well. It
answers to its own names and to its own pages alone, waits for no one for long, and
takes no more than it has to.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from analysis.files.limits import KIB, REQUEST_BYTES, REQUEST_SECONDS
from analysis.report.desk.people import Person

# Any port, as a tunnel may have another one at its end.
_LOCAL = re.compile(r"(?:127\.0\.0\.1|localhost)(?::\d{1,5})?", re.ASCII)
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_POLICY, _FRAMES = "Content-Security-Policy", "frame-ancestors 'none'"
_PIECE = 64 * KIB  # of an answer, each of which has its time
_BODY = "http.response.body"


def is_local(host: str) -> bool:
    """Whether a host is this machine, by a name that no page elsewhere can have."""
    return bool(_LOCAL.fullmatch(host))


def somebody(_: Scope) -> Person | None:
    """Whoever asks, without a name: they read."""
    return Person()


@dataclass(frozen=True)
class Guard:
    """Refuses what is large, slow, meant for another name or sent by another page.

    ``who`` tells who asks, None for whom nothing is answered; the application finds
    them in the scope, as ``person``, and in ``still`` whether that is so still.
    """

    app: ASGIApp
    who: Callable[[Scope], Person | None] = somebody
    knows: Callable[[str], bool] = is_local
    scheme: str = "http"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say that it is refused."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer, app, person = _Answer(send), self.app, self.who(scope)
        scope = {**scope, "person": person, "still": lambda: self.who(scope) == person}
        if person is None:
            app = PlainTextResponse("Nobody who is known here.", 403)
        elif not self._is_ours(scope):
            app = PlainTextResponse("Not for this page.", 403)
        elif _length(scope) > REQUEST_BYTES:
            app = PlainTextResponse("This is too long (REQUEST_BYTES).", 413)
        await app(scope, _timely(receive), answer)

    def _is_ours(self, scope: Scope) -> bool:
        """A page elsewhere may give its own name our address, or send to ours."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.knows(hosts[0]):
            return False
        if set(headers.getlist("origin")) - {f"{self.scheme}://{hosts[0]}"}:
            return False
        asks = scope["method"] == "GET"
        opened = asks and headers.get("sec-fetch-dest") == "document"
        site = headers.get("sec-fetch-site", "none")
        return opened or site in ("none", "same-origin")


def _length(scope: Scope) -> int:
    """What a request says of its length; one that says nothing is cut by its reader."""
    told = Headers(scope=scope).get("content-length", "0")
    return int(told) if told.isascii() and told.isdecimal() else 0


def _timely(receive: Receive) -> Receive:
    """The same messages; all of a body within its time and size, or it is gone."""
    end, size = asyncio.get_running_loop().time() + REQUEST_SECONDS, 0

    async def next() -> Message:
        nonlocal size
        try:
            async with asyncio.timeout_at(end if size >= 0 else None):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        size += len(message.get("body", b""))
        if size > REQUEST_BYTES:
            return {"type": "http.disconnect"}
        if not message.get("more_body"):
            size = -REQUEST_BYTES  # whole: what follows is the end of the connection
        return message

    return next


@dataclass(frozen=True)
class _Answer:
    """Sends with what keeps other pages from reading or framing it; nobody who takes
    none of it for ``REQUEST_SECONDS`` is waited for."""

    send: Send

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            headers.update(_HEADERS)
            own = headers.get(_POLICY)
            headers[_POLICY] = f"{own}; {_FRAMES}" if own else _FRAMES
        body = message.get("body", b"")
        if message["type"] != _BODY or len(body) <= _PIECE:
            await self._sent(message)
            return
        starts = range(0, len(body), _PIECE)
        for start in starts:
            more = start != starts[-1] or message.get("more_body", False)
            piece = body[start : start + _PIECE]
            await self._sent({"type": _BODY, "body": piece, "more_body": more})

    async def _sent(self, message: Message) -> None:
        async with asyncio.timeout(REQUEST_SECONDS):
            await self.send(message)
