"""The addresses of the desk.

``/`` lists the editions, ``/e/<edition>/`` is the page of one with what lies beside it,
``/desk/<name>`` has the desk's own scripts and styles. Every name is looked up in what
is declared; none is ever part of a path that is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from analysis.errors import UserError
from analysis.report.desk import showing
from analysis.report.desk.actions import (
    action_routes,
    declared_routes,
    suggestion_routes,
)
from analysis.report.desk.commenting import ThreadRow, thread_rows
from analysis.report.desk.desk import Desk
from analysis.report.desk.live import Live
from analysis.report.desk.log import ActionLog
from analysis.report.desk.passes import Passes
from analysis.report.desk.people import allowed
from analysis.report.desk.review_page import review_page, waiting_for
from analysis.report.desk.showing import asking
from analysis.report.desk.stage import with_own
from analysis.report.desk.suggesting import suggestion_rows
from analysis.report.pages.html_page import html_page

_SHOWS: dict[str, tuple[str, Callable[[ThreadRow, str], bool]]] = {
    "open": ("Open", lambda row, _: row.thread.state == "open"),
    "mine": ("Mine", lambda row, me: any(one.by == me for one in row.thread.said)),
    "stale": ("Place is gone", lambda row, _: row.stale),
    "all": ("All", lambda row, _: bool(row)),
    "suggested": ("Suggested", lambda *_: False),
}
_COMMITS = 200  # of a history
_NONE = ActionLog(None)
Answer = Callable[[Request], Awaitable[Response]]


def desk_routes(
    desk: Desk, log: ActionLog = _NONE, passes: Passes | None = None
) -> list[Route]:
    """All routes of a desk; what is done by them is added to a log."""
    passes = passes or Passes()
    own = _Answers(desk, passes)
    routes: dict[str, Answer] = {
        "/": own.editions,
        "/desk/{name}": own.asset,
        "/e/{edition}/": own.page,
        "/e/{edition}/index.html": own.page,
        "/e/{edition}/changes": own.changes,
    }
    costly: dict[str, Answer] = {
        "/e/{edition}/history": own.history,
        "/e/{edition}/review": own.review,
        "/e/{edition}/next": own.next,
        "/e/{edition}/comments": own.comments,
    }
    routes |= {path: own.counted(answer) for path, answer in costly.items()}
    found = [Route(path, answer) for path, answer in routes.items()]
    found.append(Route("/e/{edition}/shown", own.shown, methods=["POST"]))
    found += action_routes(desk, passes, log)
    found += suggestion_routes(desk, passes, log)
    found += declared_routes(desk, passes, log)
    return [*found, Route("/e/{edition}/{name:path}", own.beside)]


class _Answers:
    """One method an address."""

    def __init__(self, desk: Desk, passes: Passes) -> None:
        self.desk, self.passes = desk, passes

    def counted(self, answer: Answer) -> Answer:
        """The same for who does not ask too often: it takes the server long.

        Where files are such that no page can be made, a page says so.
        """

        async def counted(request: Request) -> Response:
            self.passes.count(request)
            try:
                return await answer(request)
            except UserError as error:
                return self._mistake(self._live(request).id, error)

        return counted

    def _mistake(self, id: str, error: UserError) -> Response:
        templates = self.desk.templates
        known = {"id": id, "issues": error.issues}
        page = html_page(templates, "desk/mistake.html.j2", known)
        return HTMLResponse(with_own(page), 422)

    async def editions(self, request: Request) -> Response:
        """The list of all editions."""
        desk = self.desk
        known: dict[str, Any] = {
            "editions": await asyncio.to_thread(lambda: list(desk.listed())),
            "person": asking(request),
            "notices": desk.problems(),
        }
        page = html_page(desk.templates, "desk/editions.html.j2", known)
        return HTMLResponse(with_own(page))

    async def asset(self, request: Request) -> Response:
        """A script or a style of the desk."""
        name = request.path_params["name"]
        if name not in self.desk.assets:
            raise HTTPException(404)
        type, data = self.desk.assets[name]
        return Response(data, media_type=type)

    async def page(self, request: Request) -> Response:
        """The page of an edition."""
        stage = await asyncio.to_thread(self._live(request).open)
        return showing.page(stage, request)

    async def changes(self, request: Request) -> Response:
        """What changes on it, as it comes."""
        self.passes.count_streams(request)
        answer = showing.changes(self._live(request).stage, request)
        answer.body_iterator = self.passes.heard(request, answer.body_iterator)
        return answer

    async def shown(self, request: Request) -> Response:
        """What an open page shows."""
        return showing.shown(self._live(request).stage, request)

    async def review(self, request: Request) -> Response:
        """The state of all reviews, and what changed since each approval."""
        live, person = self._live(request), asking(request)
        page = await asyncio.to_thread(review_page, self.desk, live, person)
        return HTMLResponse(page)

    async def next(self, request: Request) -> Response:
        """To the first thing that waits for somebody: for who asks, or who is named."""
        name = request.query_params.get("for", asking(request).name)
        return RedirectResponse(
            await asyncio.to_thread(waiting_for, self._live(request), name), 303
        )

    async def comments(self, request: Request) -> Response:
        """All threads, or those of a kind."""
        live, desk = self._live(request), self.desk
        show = request.query_params.get("show", "open")
        if show not in _SHOWS:
            raise HTTPException(404)
        me = asking(request).name
        checked = await asyncio.to_thread(live.maker.checked_texts)
        rows = await asyncio.to_thread(lambda: list(thread_rows(checked, live.id)))
        suggested = (
            list(suggestion_rows(checked, live.id)) if show == "suggested" else []
        )
        known: dict[str, Any] = {
            "title": live.title,
            "id": live.id,
            "rows": [row for row in rows if _SHOWS[show][1](row, me)],
            "suggested": suggested,
            "show": show,
            "shows": [(name, words) for name, (words, _) in _SHOWS.items()],
            "may": allowed(asking(request)),
        }
        page = html_page(desk.templates, "desk/comments.html.j2", known)
        return HTMLResponse(with_own(page))

    async def history(self, request: Request) -> Response:
        """What was saved, as Git has it."""
        live, desk = self._live(request), self.desk
        repository = desk.journal.repository
        commits = repository.log(live.id, _COMMITS) if repository else []
        known: dict[str, Any] = {
            "title": live.title,
            "branch": repository.branch.format(edition=live.id) if repository else "",
            "there": bool(repository),
            "notices": desk.problems(live.id),
            "commits": commits,
        }
        page = html_page(desk.templates, "desk/history.html.j2", known)
        return HTMLResponse(with_own(page))

    async def beside(self, request: Request) -> Response:
        """A file beside the page."""
        live = self._live(request)
        return showing.file_of(live.stage, request.path_params["name"])

    def _live(self, request: Request) -> Live:
        id = request.path_params["edition"]
        if id not in self.desk.lives:
            raise HTTPException(404)
        return self.desk.lives[id]
