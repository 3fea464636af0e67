"""What pages ask of declared words by script: JSON in, JSON out."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from analysis.report.desk.actions import answer, done
from analysis.report.desk.declaring import Declaring, declare, declared
from analysis.report.desk.desk import Desk
from analysis.report.desk.log import ActionLog
from analysis.report.desk.passes import Passes
from analysis.report.desk.people import Person
from analysis.report.desk.saving import Workbench
from analysis.report.desk.suggesting import propose

_DECLARING = TypeAdapter(Declaring)


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
