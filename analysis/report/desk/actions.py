"""What each request of the desk does, and which role may.

``/`` lists the editions, ``/e/<edition>/`` is the page of one with what lies beside it,
``/desk/<name>`` has the desk's own scripts and styles. Pages ask by script: JSON in,
JSON out. A refusal has a status that says which: 409 that somebody was faster, 422 that
the texts or Git will not have it, 404 that nothing has that name. Every name is looked
up in what is declared; none is ever part of a path that is opened.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from analysis.errors import UserError, as_user_error
from analysis.report.desk import drafts, editing, remarks, reviews
from analysis.report.desk.claims import find_claims, weighed
from analysis.report.desk.desk import Desk, Live
from analysis.report.desk.history import Undo, fit, history, undo
from analysis.report.desk.people import Action, Person, allowed, asking, may
from analysis.report.desk.reading import PlainWords
from analysis.report.desk.releasing import ReleaseStep, release, release_names
from analysis.report.desk.server import Limits
from analysis.report.desk.stage import Stage, query_value, stage_routes, with_desk
from analysis.report.desk.values import find_values
from analysis.report.pages.html_page import html_page

_SEARCH, _SENTENCES = 200, 8000  # characters
_AT = "/e/{edition}"
# Pages are made in other threads than these: no check and no save keeps one waiting.
_CHECKING = ThreadPoolExecutor(1, "desk-check")
_WRITING = ThreadPoolExecutor(4, "desk-write")
_WAITING = 4  # requests of one person that wait for one of these
Json = dict[str, Any]
Answered = Json | str | None
_FEED = "feed.xml"
_SHOWS: dict[str, tuple[str, Callable[[remarks.ThreadRow, str], bool]]] = {
    "open": ("Open", lambda row, _: row.thread.asks),
    "mine": ("Mine", lambda row, me: not row.thread.suggests and _spoke(row, me)),
    "stale": ("Place is gone", lambda row, _: not row.thread.suggests and row.stale),
    "all": ("All", lambda row, _: not row.thread.suggests),
    "suggested": ("Suggested", lambda row, _: row.thread.waits),
    "decided": ("Decided", lambda row, _: row.thread.suggests and not row.thread.waits),
}


@dataclass(frozen=True)
class DeskAction:
    """What a page asks to be done, and who may; ``at`` names what the log has of it.

    ``says`` is what it sends, and ``do`` gives findings, or the commit if it makes one.
    What has no ``at`` changes nothing.
    """

    action: Action
    says: TypeAdapter[Any]
    do: Callable[[Live, Any, Person], Answered]
    at: str = ""


def _look(live: Live, edit: editing.Edit, by: Person) -> Json:
    """What the checks say, and who of the ``others`` edits it as well."""
    others = live.meet(by.name, by.email, edit.hash)
    return editing.look(live, edit) | {"others": others}


_EDIT, _COMMENT = TypeAdapter(editing.Edit), TypeAdapter(remarks.Comment)
_DECISION, _SEEN = TypeAdapter(remarks.Decision), TypeAdapter(reviews.SeenReview)
VERBS = {
    "look": DeskAction("suggest", _EDIT, _look),
    "save": DeskAction("edit", _EDIT, drafts.save_or_keep, "text"),
    "suggest": DeskAction("suggest", _EDIT, drafts.suggest_draft, "text"),
    "discard": DeskAction("suggest", _EDIT, drafts.discard),
    "comment": DeskAction("comment", _COMMENT, remarks.say, "about"),
    "decide": DeskAction("decide", _DECISION, remarks.decide, "about"),
    "withdraw": DeskAction("suggest", _DECISION, remarks.withdraw, "about"),
    "undo": DeskAction("comment", TypeAdapter(Undo), undo, "commit"),
    "release": DeskAction("release", TypeAdapter(ReleaseStep), release, "do"),
    "approve": DeskAction("approve", _SEEN, reviews.approve_at_desk, "id"),
}


def _part(live: Live, request: Request) -> Json:
    """A part, to edit, with the ``draft`` that who asks has of it, and who of the
    ``others`` had it open a moment ago."""
    name, number = query_value(request, "text"), int(query_value(request, "number"))
    part = editing.open_part(live, name, number, request.query_params.get("hash", ""))
    place = name, part["number"], part["hash"]
    by = asking(request)
    draft = drafts.draft_of(live, *place, by)
    others = live.meet(by.name, by.email, part["hash"]) if may(by, "suggest") else []
    return part | {"draft": draft.as_json if draft else None, "others": others}


def _values(live: Live, request: Request) -> Json:
    """Values that plain words tell of, for a text of a study or of none."""
    about, words = query_value(request, "about"), query_value(request, "words")
    material = live.checked.material
    study = about if about in material.studies else None
    values = find_values(material, study, words[:_SEARCH])
    return {"values": [vars(value) for value in values]}


def _claims(live: Live, request: Request) -> Json:
    """Claims that hold, found as values are; or what the data say of some."""
    about, given = query_value(request, "about"), request.query_params
    material = live.checked.material
    study = about if about in material.studies else None
    if claims := given.get("claims", ""):
        return {"claims": weighed(material, study, claims[:_SENTENCES])}
    words, sentence = given.get("words", ""), given.get("sentence", "")
    asked = words[:_SEARCH], sentence[:_SENTENCES]
    return {"claims": find_claims(material, study, *asked)}


def _threads(live: Live, request: Request) -> Json:
    """The threads that have a place in the page, and suggestions whose part is gone."""
    rows, by = list(remarks.thread_rows(live.checked, live.id)), asking(request)
    shown = (row for row in rows if row.spot or row.thread.suggests)
    asks = sum(row.thread.asks for row in rows)
    reading = PlainWords(live)
    return {"open": asks, "threads": [row.as_json(reading, by) for row in shown]}


ASKED: dict[str, Callable[[Live, Request], Json]] = {
    "part": _part,
    "values": _values,
    "holding": _claims,
    "threads": _threads,
    "declared": lambda live, _: {"words": editing.declared(live)},
}


def _comments(live: Live, request: Request) -> Json:
    """All threads, or those of a kind."""
    show, me = request.query_params.get("show", "open"), asking(request).name
    if show not in _SHOWS:
        raise HTTPException(404)
    rows = remarks.thread_rows(live.checked, live.id, show == "decided")
    return {
        "rows": [row for row in rows if _SHOWS[show][1](row, me)],
        "show": show,
        "reading": PlainWords(live),
        "me": asking(request),
        "drafts": list(drafts.drafts_of(live, asking(request))),
        "shows": [(name, words) for name, (words, _) in _SHOWS.items()],
    }


def _review(live: Live, request: Request) -> Json:
    """The state of all reviews, and what changed since each approval."""
    names, by = reviews.review_names(live), asking(request)
    listed = (row.review for row in names["rows"] if row.since)
    live.looks.note(by.email, {one.id: one.now.stamp for one in listed})
    return {**names, "mine": by.name}


def _feed(live: Live, request: Request) -> Json:
    """What was done, of which a feed has the last."""
    address = str(request.url.replace(path=f"/e/{live.id}/", query=""))
    return {"rows": [], **history(live, asking(request)), "address": address}


PAGES: dict[str, Callable[[Live, Request], Json]] = {
    "comments": _comments,
    "review": _review,
    "release": lambda live, request: release_names(live, asking(request)),
    "history": lambda live, request: history(live, asking(request)),
    _FEED: _feed,
}


def desk_routes(desk: Desk) -> list[Route]:
    """All routes of a desk; what is done by them is added to its log."""
    make = _Routes(desk)
    of = lambda request: make.live(request).stage  # noqa: E731
    return [
        Route("/", make.drafts),
        Route("/e/index.html", make.drafts),  # which pages call "All reports"
        Route("/desk/{name}", make.asset),
        *(make.verb(name, verb) for name, verb in VERBS.items()),
        *(make.asked(name, partial(_asked, ask)) for name, ask in ASKED.items()),
        *(make.asked(name, partial(make.page, name)) for name in PAGES),
        make.asked("next", _next),
        *stage_routes(_AT, of, make.opened, make.limits),
    ]


@dataclass(frozen=True)
class _Routes:
    """Makes routes, within what each person may ask."""

    desk: Desk
    limits: Limits = field(default_factory=Limits)
    _asked: Counter[str] = field(default_factory=Counter)

    def live(self, request: Request) -> Live:
        """The edition of an address."""
        live = self.desk.lives.get(request.path_params["edition"])
        if live is None:
            raise HTTPException(404)
        return live

    def opened(self, request: Request) -> Stage:
        """The stage of an edition with its page, which somebody looks at."""
        live = self.live(request)
        stage = live.open()
        live.look(asking(request).email)
        return stage

    def verb(self, name: str, verb: DeskAction) -> Route:
        """What is done, where a role may; the log has it either way."""

        async def done(request: Request) -> Response:
            self.limits.check(request)
            live, by = self.live(request), asking(request)
            said, may_do = await request.body(), may(by, verb.action)
            what = None
            with nullcontext() if may_do else suppress(ValidationError):
                what = verb.says.validate_json(said)
            at = getattr(what, verb.at, "") if verb.at else ""
            if may_do:
                do = partial(verb.do, live, what, by)
                answer = await self._done(live, at, do, by)
            else:
                answer = _forbidden(by, verb.action)
            if verb.at:
                line = by, verb.action, live.id, at, answer.status_code
                await asyncio.to_thread(self.desk.log.add, *line)
            return answer

        return Route(f"{_AT}/{name}", done, methods=["POST"])

    async def _done(
        self, live: Live, at: str, do: Callable[[], Answered], by: Person
    ) -> Response:
        """The answer, in its turn; a 429 of who has enough that waits."""
        if self._asked[by.email] >= _WAITING:
            raise HTTPException(429)
        self._asked[by.email] += 1
        try:
            loop, room = asyncio.get_running_loop(), _WRITING if at else _CHECKING
            return await loop.run_in_executor(room, _answer, live, at, do)
        finally:
            self._asked[by.email] -= 1

    def asked(self, name: str, ask: Callable[[Live, Request], Response]) -> Route:
        """What pages and scripts ask for, which no other request waits for."""

        async def answered(request: Request) -> Response:
            self.limits.count(request)
            return await asyncio.to_thread(ask, self.live(request), request)

        return Route(f"{_AT}/{name}", answered)

    def page(self, name: str, live: Live, request: Request) -> Response:
        """A page, or where files are such that none can be made, one that says so."""
        notices, who = self.desk.problems(live.id), asking(request)
        names: Json = {"id": live.id, "may": allowed(who), "notices": notices}
        try:
            names |= PAGES[name](live, request) | {"title": live.title}
            return _page(self.desk, name, names)
        except UserError as error:
            names = {"id": live.id, "issues": error.issues}
            return _page(self.desk, "mistake", names, 422)

    async def drafts(self, request: Request) -> Response:
        """The list of all editions."""
        names = {"person": asking(request), "notices": self.desk.problems()}

        def make() -> Response:
            editions = list(self.desk.drafts())
            return _page(self.desk, "editions", {**names, "editions": editions})

        return await asyncio.to_thread(make)

    async def asset(self, request: Request) -> Response:
        """A script or a style of the desk."""
        if (name := request.path_params["name"]) not in self.desk.assets:
            raise HTTPException(404)
        type, data = self.desk.assets[name]
        return Response(data, media_type=type)


def _next(live: Live, request: Request) -> Response:
    """To the first thing that waits for who asks, or for who is named."""
    name = request.query_params.get("for", asking(request).name)
    return RedirectResponse(reviews.first_waiting(live, name), 303)


def _page(desk: Desk, name: str, names: Json, status: int = 200) -> Response:
    if name == _FEED:
        feed = html_page(desk.templates, f"desk/{name}.j2", names, {"fit": fit})
        return Response(feed, media_type="application/atom+xml")
    page = html_page(desk.templates, f"desk/{name}.html.j2", names)
    return HTMLResponse(with_desk(page), status)


def _asked(
    ask: Callable[[Live, Request], Json], live: Live, request: Request
) -> Response:
    return _answer(live, "", partial(ask, live, request))


def _answer(live: Live, at: str, do: Callable[[], Answered]) -> Response:
    """The answer as JSON, or why it is refused; ``at`` is what it is asked of."""
    try:
        result = do()
        answer = result if isinstance(result, dict) else {"commit": result or ""}
        return JSONResponse(answer)
    except LookupError:
        return JSONResponse({"issues": []}, 404)
    except editing.ConflictError as error:
        return JSONResponse(error.as_json(live), 409)
    except reviews.AskAgainError as error:
        return JSONResponse({"asks": error.asks}, 409)
    except (UserError, OSError) as error:
        issues = [editing.in_words(issue, at) for issue in as_user_error(error).issues]
        kept = {"draft": True} if isinstance(error, drafts.KeptError) else {}
        return JSONResponse({"issues": issues, **kept}, 422)


def _forbidden(by: Person, action: Action) -> Response:
    if by.known:
        what = f"a {by.role} may not {action} here"
        mend = "ask whoever keeps the desk's list of people"
    else:
        what = "Git knows no name and address of yours here: nothing carries your name"
        mend = "git config user.name 'Your Name', git config user.email you@host"
    return JSONResponse({"issues": [{"what": what, "mend": mend}]}, 403)


def _spoke(row: remarks.ThreadRow, name: str) -> bool:
    said = row.thread.said
    return any(one.by == name or remarks.mentions(one.words, name) for one in said)
