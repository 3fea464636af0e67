"""Campaigns of services: clients that load one server, a study a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from synthetic.generator import Generator, Part
from synthetic.services.declaration import REQUESTS, Making, ServiceDeclaration
from synthetic.services.dumps import dump
from synthetic.services.levels import RESPONSE, Levels
from synthetic.services.logs import log
from synthetic.services.runs import Run, sessions


def parts(of: ServiceDeclaration) -> Iterator[Part]:
    """The files and runs of every study."""
    for runs in sessions(of, Levels(of)):
        files = {_log(run): log(run) for run in runs}
        for system in _recorded(runs):
            own = [run for run in runs if system in run.systems.values()]
            files[_dump(own[0], system)] = dump(of, own, system)
        yield Part(files, tuple(map(_row, runs)))


def _recorded(runs: list[Run]) -> list[str]:
    """The systems of a study whose CPU time is known."""
    return list(
        dict.fromkeys(s for run in runs if run.costs for s in run.systems.values())
    )


def _row(run: Run) -> dict[str, str]:
    """The line of runs.csv."""
    return {
        "run": run.id,
        "configuration": run.key[1],
        "workload": run.load.name,
        "repetition": str(run.repetition),
        "start": _time(run.start),
        "end": _time(run.end),
        **run.systems,
        "log": _log(run),
        "cpu": ";".join(_dump(run, s) for s in _recorded([run])),
    }


def _time(moment: dt.datetime) -> str:
    """A moment in UTC, with its milliseconds where it has some."""
    unit = "milliseconds" if moment.microsecond else "seconds"
    return moment.replace(tzinfo=None).isoformat(timespec=unit) + "Z"


def _log(run: Run) -> str:
    suffix = "txt" if run.bench.tool == "h2load" else "csv"
    return f"{run.bench.tool}/{run.key[0]}/synthetic_{run.id}.{suffix}"


def _dump(run: Run, system: str) -> str:
    return f"smf/{run.key[0]}/synthetic_{system}.smf"


GENERATOR = Generator(
    "services",
    "clients of file transfer, terminals, web pages, and the storage that they take",
    Making,
    ServiceDeclaration,
    frozenset({"rate", "throughput", RESPONSE, "cpu_cost", "storage", REQUESTS}),
    parts,
)
