"""Campaigns of a transaction gateway on z/OS: clients that call CICS through it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from synthetic.gateway.declaration import GatewayDeclaration, Making
from synthetic.gateway.evidence import driver_log, dump, report, statistics
from synthetic.gateway.levels import levels
from synthetic.gateway.runs import Run, sessions
from synthetic.generator import Generator, Part


def parts(of: GatewayDeclaration) -> Iterator[Part]:
    """The files and runs of every study."""
    for runs in sessions(of, levels(of)):
        yield Part(_files(of, runs), tuple(_row(of, run) for run in runs))


def _files(of: GatewayDeclaration, runs: Sequence[Run]) -> dict[str, bytes]:
    made = {_log(run): driver_log(run) for run in runs}
    made |= {_statistics(run): statistics(run) for run in runs}
    made[_dump(runs[0])] = dump(of, runs)
    if of.zaaps(runs[0].point.system):
        made[_report(runs[0])] = report(of, runs)
    return made


def _row(of: GatewayDeclaration, run: Run) -> dict[str, str]:
    system, begin = run.point.system, run.start + run.late
    files = [_dump(run), *([_report(run)] if of.zaaps(system) else [])]
    return {
        "run": run.id,
        "configuration": run.point.configuration,
        "workload": run.point.load.name,
        "repetition": str(run.repetition),
        "start": _time(begin),
        "end": _time(begin + run.length),
        "server": system,
        "log": _log(run),
        "cpu": ";".join([*files, f"{system}={_statistics(run)}"]),
    }


def _log(run: Run) -> str:
    return f"driver/{run.point.study}/synthetic_{run.id}.csv"


def _statistics(run: Run) -> str:
    return f"gateway/{run.point.study}/synthetic_{run.id}.csv"


def _dump(run: Run) -> str:
    return f"smf/{run.point.study}/synthetic_{run.point.system}.smf"


def _report(run: Run) -> str:
    return f"rmf/{run.point.study}/synthetic_{run.point.system}.xml"


def _time(moment: dt.datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


GENERATOR = Generator(
    "gateway",
    "clients that think, and a transaction gateway",
    Making,
    GatewayDeclaration,
    frozenset({"rate", "offload", "response_time"}),
    parts,
)
