"""What pages ask of the desk by script: JSON in, JSON out.

A refusal has a status that says which: 409 that somebody was faster, 422 that the
texts or Git will not have it, 404 that nothing has that name. Declared words and
suggestions are asked for here as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from pydantic.dataclasses import dataclass
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from analysis.errors import UserError, as_user_error
from analysis.report.desk.approving import approve_at_desk
from analysis.report.desk.commenting import Comment, add_comment, thread_rows
from analysis.report.desk.declaring import Declaring, declare, declared
from analysis.report.desk.desk import Desk
from analysis.report.desk.edit import ConflictError, Edit
from analysis.report.desk.log import ActionLog
from analysis.report.desk.passes import Passes
from analysis.report.desk.people import Action, Person, may
from analysis.report.desk.saving import Workbench, in_words
from analysis.report.desk.showing import asking, query_value
from analysis.report.desk.suggesting import (
    Decision,
    decide,
    propose,
    suggest,
    suggestion_rows,
)
from analysis.report.desk.tokens import with_expressions
from analysis.report.desk.values import find_values

_MANY = 500  # values of one part
_DECLARING = TypeAdapter(Declaring)
_DECISION = TypeAdapter(Decision)


@dataclass(frozen=True)
class EditSaid:
    """An edit as a page sends it: ``tokens`` are the expressions by their tokens."""

    text: str
    number: int
    hash: str
    words: str
    tokens: Annotated[dict[str, str], Field(max_length=_MANY)]

    @property
    def edit(self) -> Edit:
        """The edit, with expressions."""
        words = with_expressions(self.words, self.tokens)
        return Edit(self.text, self.number, self.hash, words)


@dataclass(frozen=True)
class SeenSaid:
    """What somebody approves: a study, or the edition, and the stamp that was shown."""

    id: str
    stamp: str


_WORDS = 200  # characters of a search
EDIT, _SEEN = TypeAdapter(EditSaid), TypeAdapter(SeenSaid)
_COMMENT = TypeAdapter(Comment)


def action_routes(desk: Desk, passes: Passes, log: ActionLog) -> list[Route]:
    """The routes of all actions."""
    own = _Actions(desk, passes, log)
    return [
        Route("/token", own.token),
        Route("/e/{edition}/part", own.part),
        Route("/e/{edition}/values", own.values),
        Route("/e/{edition}/look", own.look, methods=["POST"]),
        Route("/e/{edition}/save", own.save, methods=["POST"]),
        Route("/e/{edition}/comment", own.comment, methods=["POST"]),
        Route("/e/{edition}/threads", own.threads),
        Route("/e/{edition}/approve", own.approve, methods=["POST"]),
    ]


class _Actions:
    """One method an address."""

    def __init__(self, desk: Desk, passes: Passes, log: ActionLog) -> None:
        self.desk, self.passes, self.log = desk, passes, log

    async def token(self, request: Request) -> Response:
        """A pass for the page that asks."""
        return self.passes.give(request)

    async def part(self, request: Request) -> Response:
        """A part of a text, to edit."""
        self.passes.count(request)
        name, number = query_value(request, "text"), int(query_value(request, "number"))
        hash = request.query_params.get("hash", "")
        return await answer(lambda: self._bench(request).open(name, number, hash))

    async def values(self, request: Request) -> Response:
        """Values that plain words tell of, for a text of a study or of none."""
        self.passes.count(request)
        about, words = query_value(request, "about"), query_value(request, "words")

        def found() -> dict[str, Any]:
            material = self._bench(request).live.maker.checked_texts().material
            study = about if about in material.studies else None
            values = find_values(material, study, words[:_WORDS])
            return {"values": [vars(value) for value in values]}

        return await answer(found)

    async def look(self, request: Request) -> Response:
        """What the checks say of words that nobody saved."""
        self.passes.check(request)
        told = EDIT.validate_json(await request.body())
        return await answer(lambda: {"found": self._bench(request).look(told.edit)})

    async def save(self, request: Request) -> Response:
        """Save a part."""
        self.passes.check(request)
        told = EDIT.validate_json(await request.body())

        def save(by: Person) -> dict[str, Any]:
            bench, edit = self._bench(request), told.edit
            try:
                return {"commit": bench.save(edit, by)}
            except ConflictError as error:
                now = bench.now(edit.text, error.now)
                raise _Refused(409, {"now": now}) from None

        return await done(self.log, request, "edit", told.text, save)

    async def comment(self, request: Request) -> Response:
        """Say something of a part, of a study, or in a thread."""
        self.passes.check(request)
        comment = _COMMENT.validate_json(await request.body())

        def add(by: Person) -> dict[str, Any]:
            bench = self._bench(request)
            add_comment(bench.live, bench.journal, comment, by)
            return {}

        return await done(self.log, request, "comment", comment.about, add)

    async def threads(self, request: Request) -> Response:
        """The threads of all parts of the page."""
        self.passes.count(request)

        def told() -> dict[str, Any]:
            live = self._bench(request).live
            rows = list(thread_rows(live.maker.checked_texts(), live.id))
            open_ones = sum(row.thread.state == "open" for row in rows)
            return {"open": open_ones, "threads": [r.as_json for r in rows if r.place]}

        return await answer(told)

    async def approve(self, request: Request) -> Response:
        """Approve what somebody saw, by its stamp."""
        self.passes.check(request)
        told = _SEEN.validate_json(await request.body())

        def approve(by: Person) -> dict[str, Any]:
            bench = self._bench(request)
            if approve_at_desk(bench.live, bench.journal, told.id, told.stamp, by):
                return {}
            raise _Refused(409, {})

        return await done(self.log, request, "approve", told.id, approve)

    def _bench(self, request: Request) -> Workbench:
        return self.desk.benches[request.path_params["edition"]]


class _Refused(Exception):  # noqa: N818 - an answer, not a mistake
    def __init__(self, status: int, said: dict[str, Any]) -> None:
        self.status, self.said = status, said


async def done(
    log: ActionLog,
    request: Request,
    action: Action,
    at: str,
    do: Callable[[Person], Any],
) -> Response:
    """What was done by who asks, if they may; the log has it either way."""
    by = asking(request)
    allows = may(by, action)
    found = await answer(lambda: do(by), at) if allows else _forbidden(by, action)
    edition = request.path_params["edition"]
    await asyncio.to_thread(log.add, by, action, edition, at, found.status_code)
    return found


def _forbidden(by: Person, action: Action) -> Response:
    if by.known:
        what = f"a {by.role} may not {action} here"
        mend = "ask whoever keeps the desk's list of people"
    else:
        what = "Git knows no name and address of yours here: nothing carries your name"
        mend = "git config user.name 'Your Name', git config user.email you@host"
    return JSONResponse({"issues": [{"what": what, "mend": mend}]}, 403)


async def answer(ask: Callable[[], dict[str, Any]], at: str = "") -> Response:
    """What is said, or why it is refused, as JSON; ``at`` is what it is asked of."""
    try:
        return JSONResponse(await asyncio.to_thread(ask))
    except _Refused as refused:
        return JSONResponse(refused.said, refused.status)
    except LookupError:
        return JSONResponse({"issues": []}, 404)
    except ConflictError:
        return JSONResponse({"now": None}, 409)
    except (UserError, OSError) as error:
        issues = [in_words(issue, at) for issue in as_user_error(error).issues]
        return JSONResponse({"issues": issues}, 422)


def declared_routes(desk: Desk, passes: Passes, log: ActionLog) -> list[Route]:
    """The routes of all that is done with declared words."""
    own = _Declared(desk, passes, log)
    return [
        Route("/e/{edition}/declared", own.declared),
        Route("/e/{edition}/declare", own.declare, methods=["POST"]),
        Route("/e/{edition}/propose", own.propose, methods=["POST"]),
    ]


class _Declared:
    """One method an address."""

    def __init__(self, desk: Desk, passes: Passes, log: ActionLog) -> None:
        self.desk, self.passes, self.log = desk, passes, log

    async def declared(self, request: Request) -> Response:
        """Titles, questions and captions, and where a page has them."""
        self.passes.count(request)
        return await answer(lambda: {"words": declared(self._bench(request))})

    async def declare(self, request: Request) -> Response:
        """Save other words."""
        self.passes.check(request)
        told = _DECLARING.validate_json(await request.body())

        def save(by: Person) -> dict[str, Any]:
            return {"commit": declare(self._bench(request), told, by)}

        return await done(self.log, request, "edit", told.file, save)

    async def propose(self, request: Request) -> Response:
        """Keep other words for an author to accept."""
        self.passes.check(request)
        told = _DECLARING.validate_json(await request.body())

        def keep(by: Person) -> dict[str, Any]:
            propose(self._bench(request), told, by)
            return {}

        return await done(self.log, request, "suggest", told.file, keep)

    def _bench(self, request: Request) -> Workbench:
        return self.desk.benches[request.path_params["edition"]]


def suggestion_routes(desk: Desk, passes: Passes, log: ActionLog) -> list[Route]:
    """The routes of all that is done with suggestions."""
    own = _Suggestions(desk, passes, log)
    return [
        Route("/e/{edition}/suggested", own.suggested),
        Route("/e/{edition}/suggest", own.suggest, methods=["POST"]),
        Route("/e/{edition}/decide", own.decide, methods=["POST"]),
    ]


class _Suggestions:
    """One method an address."""

    def __init__(self, desk: Desk, passes: Passes, log: ActionLog) -> None:
        self.desk, self.passes, self.log = desk, passes, log

    async def suggested(self, request: Request) -> Response:
        """The open suggestions, those that are stale without a part."""

        def told() -> dict[str, Any]:
            live = self._bench(request).live
            rows = suggestion_rows(live.maker.checked_texts(), live.id)
            return {"suggestions": [row.as_json for row in rows]}

        return await answer(told)

    async def suggest(self, request: Request) -> Response:
        """Keep other words for a part, for an author to accept."""
        self.passes.check(request)
        told = EDIT.validate_json(await request.body())

        def keep(by: Person) -> dict[str, Any]:
            suggest(self._bench(request), told.edit, by)
            return {}

        return await done(self.log, request, "suggest", told.text, keep)

    async def decide(self, request: Request) -> Response:
        """Accept or decline a suggestion."""
        self.passes.check(request)
        told = _DECISION.validate_json(await request.body())

        def decided(by: Person) -> dict[str, Any]:
            return {"commit": decide(self._bench(request), told, by)}

        return await done(self.log, request, "decide", told.about, decided)

    def _bench(self, request: Request) -> Workbench:
        return self.desk.benches[request.path_params["edition"]]
