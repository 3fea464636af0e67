"""What pages ask of suggestions by script: JSON in, JSON out."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from analysis.report.desk.actions import EDIT, answer, done
from analysis.report.desk.desk import Desk
from analysis.report.desk.log import ActionLog
from analysis.report.desk.passes import Passes
from analysis.report.desk.people import Person
from analysis.report.desk.saving import Workbench
from analysis.report.desk.suggesting import Decision, decide, suggest, suggestion_rows

_DECISION = TypeAdapter(Decision)


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
            rows = suggestion_rows(live.maker.begun(), live.id)
            return {"suggestions": [row.told for row in rows]}

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
