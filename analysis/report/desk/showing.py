"""The addresses of one stage: its page, what lies beside it, changes as they come.

Pages listen at ``changes`` (server-sent events) and say at ``shown`` what they show. A
change of a few sections travels as their HTML, any other as a reload. Names are looked
up among the files of the stage: no path of a request is ever opened.
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Callable
from html import escape

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from analysis.report.desk.people import Person, allowed
from analysis.report.desk.stage import Stage


def page(stage: Stage, request: Request) -> Response:
    """The page as it is now, for who asks: it says who that is, and what they may."""
    person = asking(request)
    told = {"desk-person": person.name, "desk-may": " ".join(allowed(person))}
    metas = (f'<meta name="{n}" content="{escape(v)}">' for n, v in told.items())
    data = stage.page("".join(metas))
    return Response(data, media_type="text/html; charset=utf-8")


def asking(request: Request) -> Person:
    """Who asks, as the guard found."""
    person: Person = request.scope["person"]
    return person


def file_of(stage: Stage, name: str) -> Response:
    """A file beside the page."""
    if name not in stage.files:
        raise HTTPException(404)
    type, data = stage.files[name]
    return Response(data, media_type=type)


def changes(stage: Stage, request: Request) -> StreamingResponse:
    """The changes since a version, for as long as the page is open."""
    version, still = int(query_value(request, "version")), request.scope["still"]
    told = _told(stage, version, still)
    return StreamingResponse(told, media_type="text/event-stream")


def shown(stage: Stage, request: Request) -> Response:
    """Note what a page shows."""
    version, scroll = (
        int(query_value(request, "version")),
        float(query_value(request, "at")),
    )
    if not math.isfinite(scroll):
        raise ValueError("no place in a page")
    stage.saw(version, scroll)
    return Response()


def query_value(request: Request, name: str) -> str:
    """The one value of a name in a query; else a ``ValueError``."""
    (value,) = request.query_params.getlist(name)
    return value


async def _told(
    stage: Stage, version: int, still: Callable[[], bool]
) -> AsyncIterator[str]:
    problem, remarked = "", stage.remarked
    while True:
        news = await stage.next(version, problem, remarked)
        if not still():  # a page that listens now is somebody else's
            return
        yield f"data: {json.dumps(news)}\n\n" if news else ": alive\n\n"
        if news:
            version, problem = int(str(news["version"])), str(news["problem"])
            remarked = int(str(news["remarked"]))
