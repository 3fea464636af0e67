"""A server of an application on loopback, in a thread of its own."""

from __future__ import annotations

import socket
import threading
import traceback
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from analysis.errors import UserError, user_error
from analysis.files.limits import KIB, REQUEST_CONNECTIONS, REQUEST_SECONDS
from analysis.report.desk import showing
from analysis.report.desk.guard import Guard
from analysis.report.desk.stage import Stage

LOOPBACK = "127.0.0.1"
_HEAD_BYTES = 32 * KIB


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
        told = {"sockets": [self._socket]}
        self._thread = threading.Thread(
            target=self._server.run, kwargs=told, daemon=True
        )
        self._thread.start()

    def shutdown(self) -> None:
        """End it; open connections are left."""
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    def wait(self) -> None:
        """Until it ends, or somebody interrupts."""
        self._thread.join()


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), backlog=128)
    except OSError as error:
        what = f"nothing can listen on port {port}: {(error.strerror or '').lower()}"
        raise user_error(what, mend="give another one: PORT=0 is any free") from None


class _Timely(H11Protocol):
    """Leaves who does not finish the head of a request in ``REQUEST_SECONDS``."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(REQUEST_SECONDS, self._begun)

    def _begun(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def serve(stage: Stage, port: int) -> Served:
    """Serve one stage alone on loopback; port 0 is any that is free."""

    async def page(request: Request) -> Response:
        return showing.page(stage, request)

    async def changes(request: Request) -> Response:
        return showing.changes(stage, request)

    async def shown(request: Request) -> Response:
        return showing.shown(stage, request)

    async def beside(request: Request) -> Response:
        return showing.file_of(stage, request.path_params["name"])

    routes = [
        Route("/", page),
        Route("/index.html", page),
        Route("/changes", changes),
        Route("/shown", shown, methods=["POST"]),
        Route("/{name:path}", beside),
    ]
    return Served(application(routes), port)


def application(routes: list[Any], **guarded: Any) -> Guard:
    """Routes behind a :class:`Guard`, which ``guarded`` says more to.

    A ``ValueError`` in a route means that a request makes no sense.
    """
    handlers: Any = {
        ValueError: _senseless,
        ClientDisconnect: _endless,
        HTTPException: _refused,
        UserError: _mistaken,
        Exception: _broken,
    }
    return Guard(Starlette(routes=routes, exception_handlers=handlers), **guarded)


async def _senseless(_: Request, __: Exception) -> Response:
    return PlainTextResponse("This request makes no sense.", 400)


async def _endless(_: Request, __: Exception) -> Response:
    """The guard ends what is too long or too slow, which looks as if they had gone."""
    return PlainTextResponse("This is too long, or took too long.", 413)


async def _refused(_: Request, error: Exception) -> Response:
    code = error.status_code if isinstance(error, HTTPException) else 500
    return PlainTextResponse(f"{code}", code)


async def _mistaken(_: Request, error: Exception) -> Response:
    return PlainTextResponse(f"error: {error}", 422)


async def _broken(_: Request, error: Exception) -> Response:
    traceback.print_exception(error)
    return PlainTextResponse("The server made a mistake.", 500)
