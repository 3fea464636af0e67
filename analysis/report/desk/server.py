"""The server, and who may ask it: on the machine of its readers it trusts nobody.

Other pages in a browser, other programs and other users can reach it as well. It
answers to its own names and to its own pages alone, waits for no one for long, and
takes no more than it has to. What changes something comes from a page, whose browser
says so: no other page can name ours as its origin.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import AsyncIterable, AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from analysis.errors import UserError, user_error
from analysis.files.limits import (
    KIB,
    REQUEST_BYTES,
    REQUEST_CONNECTIONS,
    REQUEST_SECONDS,
    REQUEST_STREAMS,
    REQUESTS_PER_MINUTE,
)
from analysis.report.desk.people import Person, asking

LOOPBACK = "127.0.0.1"
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
_HEAD_BYTES = 32 * KIB
_PIECE = 64 * KIB  # of an answer, each of which has its time
_BODY = "http.response.body"
_MINUTE = 60.0
_REFUSALS: dict[type[Exception], tuple[str, int]] = {
    # The guard ends what is too long or too slow: it looks as if they had gone.
    ClientDisconnect: ("This is too long, or took too long.", 413),
    UserError: ("error: {}", 422),
    ValueError: ("This request makes no sense.", 400),
}


@dataclass(frozen=True)
class Guard:
    """Refuses what is large, slow, meant for another name or sent by another page.

    ``who`` tells who asks, None for whom nothing is answered; the application finds
    them in the scope, as ``person``, and in ``still`` whether that is so still.
    """

    app: ASGIApp
    who: Callable[[Scope], Person | None] = lambda _: Person()
    knows: Callable[[str], bool] = lambda host: bool(_LOCAL.fullmatch(host))
    scheme: str = "http"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say that it is refused."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        app, person = self.app, self.who(scope)
        scope = {**scope, "person": person, "still": lambda: self.who(scope) == person}
        # A request that says nothing of its length is cut where it is read.
        length = Headers(scope=scope).get("content-length", "")
        if person is None:
            app = PlainTextResponse("Nobody who is known here.", 403)
        elif not self._is_ours(scope):
            app = PlainTextResponse("Not for this page.", 403)
        elif re.fullmatch("[0-9]{1,20}", length) and int(length) > REQUEST_BYTES:
            app = PlainTextResponse("This is too long (REQUEST_BYTES).", 413)
        await app(scope, _timely(receive), _sealed(send))

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


def _sealed(send: Send) -> Send:
    """Sends with what keeps other pages from reading or framing an answer; nobody who
    takes none of it for ``REQUEST_SECONDS`` is waited for."""

    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            headers.update(_HEADERS)
            policy = headers.get(_POLICY)
            headers[_POLICY] = f"{policy}; {_FRAMES}" if policy else _FRAMES
        body, pieces = message.get("body", b""), [message]
        if message["type"] == _BODY and len(body) > _PIECE:
            starts, more = range(0, len(body), _PIECE), message.get("more_body", False)
            pieces = [
                {"type": _BODY, "body": body[start : start + _PIECE],
                 "more_body": more or start != starts[-1]}
                for start in starts
            ]  # fmt: skip
        for piece in pieces:
            async with asyncio.timeout(REQUEST_SECONDS):
                await send(piece)

    return sealed


@dataclass
class Limits:
    """What each person may ask: not too often, and with so many pages open."""

    _asked: dict[str, deque[float]] = field(default_factory=dict)
    _open: Counter[str] = field(default_factory=Counter)

    def check(self, request: Request) -> None:
        """A 403 of what no page sent that would change something, or as :meth:`count`.

        Browsers say from which page they send, and the guard has no other one than
        ours; who says nothing is no page.
        """
        if not request.headers.get("origin"):
            raise HTTPException(403)
        self.count(request)

    def count(self, request: Request) -> None:
        """A 429 of who asks too often."""
        now = time.monotonic()
        asked = self._asked.setdefault(asking(request).email, deque())
        while asked and asked[0] < now - _MINUTE:
            asked.popleft()
        if len(asked) >= REQUESTS_PER_MINUTE:
            raise HTTPException(429)
        asked.append(now)

    def listen(self, request: Request, news: AsyncIterable[Any]) -> AsyncIterator[Any]:
        """The same news, counted for as long as somebody hears them.

        A 429 of who has too many pages open; all without a name are one.
        """
        email = asking(request).email
        most = REQUEST_STREAMS if email else REQUEST_CONNECTIONS // 2
        if self._open[email] >= most:
            raise HTTPException(429)

        async def counted() -> AsyncIterator[Any]:
            self._open[email] += 1
            try:
                async for one in news:
                    yield one
            finally:
                self._open[email] -= 1

        return counted()


def application(routes: list[Route], **guarded: Any) -> Guard:
    """Routes behind a :class:`Guard`, which ``guarded`` says more to.

    A ``ValueError`` in a route means that a request makes no sense.
    """

    async def refuse(_: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return PlainTextResponse(str(error.status_code), error.status_code)
        for kind, (words, status) in _REFUSALS.items():
            if isinstance(error, kind):
                return PlainTextResponse(words.format(error), status)
        traceback.print_exception(error)
        return PlainTextResponse("The server made a mistake.", 500)

    kinds = (*_REFUSALS, HTTPException, Exception)
    handlers: Any = dict.fromkeys(kinds, refuse)
    return Guard(Starlette(routes=routes, exception_handlers=handlers), **guarded)


class Served:
    """A server that runs until :meth:`shutdown`; it listens when this returns."""

    def __init__(self, app: Any, port: int, host: str = LOOPBACK) -> None:
        self._socket = _listening(host, port)
        self.address = f"http://{host}:{self._socket.getsockname()[1]}/"
        config = uvicorn.Config(
            app,
            http=_Timely,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            limit_concurrency=REQUEST_CONNECTIONS,
            h11_max_incomplete_event_size=_HEAD_BYTES,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), daemon=True
        )
        self._thread.start()

    def shutdown(self) -> None:
        """End it; open connections are left."""
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), backlog=128)
    except OSError as error:
        what = f"nothing can listen on port {port}: {(error.strerror or '').lower()}"
        raise user_error(what, mend="give another one: PORT=0 is any free") from None


class _Timely(H11Protocol):
    """Leaves who does not finish the head of a request in ``REQUEST_SECONDS``.

    Where three of four places are taken, who has asked nothing for longest leaves, so
    that idle connections keep no one from asking.
    """

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(REQUEST_SECONDS, self._begun)
        self.since = self.loop.time()
        if len(self.connections) > REQUEST_CONNECTIONS * 3 // 4:
            every: Any = self.connections - {self}
            if idle := [one for one in every if one.is_idle]:
                min(idle, key=lambda one: one.since).transport.abort()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is asked that is not answered."""
        asks = self.cycle is not None and not self.cycle.response_complete
        return not asks and not self.transport.is_closing()

    def _begun(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()
