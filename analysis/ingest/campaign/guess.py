"""What a file's path and content tell of its run: a guess for the author to correct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.declared.workload import SHAPES, Workload, parse_workload
from analysis.ingest.campaign.choose_test import together, unlike
from analysis.ingest.campaign.command import CommandLoad, load_of_command
from analysis.ingest.campaign.run_path import told_by_path
from analysis.ingest.campaign.uperf_profile import Profile, sizes_of, used_by
from analysis.ingest.reading import Reading

_BYTES = ("request_bytes", "response_bytes")
_ROLES = {
    "client": re.compile(r"(?:^|[/._-])(?:client|cli)(?=[/._-]|$)", re.IGNORECASE),
    "server": re.compile(r"(?:^|[/._-])(?:server|srv)(?=[/._-]|$)", re.IGNORECASE),
}


@dataclass(frozen=True)
class Guess:
    """Of one log; ``unknown`` names what had to be made up, ``named`` is a workload
    that the path names and the log denies."""

    configuration: str
    workload: str
    repetition: int | None
    unknown: tuple[str, ...]
    named: str = ""


def guess(
    log: str, reading: Reading, commands: str = "", profiles: Sequence[Profile] = ()
) -> Guess:
    """Configuration, workload and repetition of a log, first by its path.

    ``commands`` is a text in which its tool may be called, and ``profiles`` those that
    uperf may have run, for what the log leaves out.
    """
    unknown: list[str] = []
    path = told_by_path(log, reading.tool_name)
    workload = _by_path_and_rows(path.workload, reading.results)
    if not workload:
        workload, unknown = _by_content(reading, _said(reading, commands, profiles))
    if not path.configuration:
        unknown.append("configuration")
    configuration = path.configuration or "base"
    named = path.workload if path.workload != workload else ""
    return Guess(configuration, workload, path.repetition, tuple(unknown), named)


def _by_path_and_rows(name: str, rows: Sequence[dict[str, Any]]) -> str:
    """The workload that a path names, but for what the log itself tells otherwise."""
    if not name or not rows:
        return name
    work, row = parse_workload(name), rows[0]
    known = {column: row[column] for column in unlike(work, row)}
    clients = together([*rows])
    if clients or (clients == 0 and SHAPES[known.get("shape", work.shape)].idle):
        known["clients"] = clients
    return replace(work, **known).name


def _said(reading: Reading, commands: str, profiles: Sequence[Profile]) -> CommandLoad:
    """What the call of a tool tells, and the profile that it names."""
    profile = used_by(profiles, reading.details.get("profile"), commands)
    if profile:
        return sizes_of(profile, reading.details.get("main_transaction"), commands)
    return load_of_command(commands, reading.tool_name) if commands else {}


def _by_content(reading: Reading, said: CommandLoad) -> tuple[str, list[str]]:
    """The workload's name as the rows have it, else as the tool was called, and what
    of it is made up."""
    row: dict[str, Any] = reading.results[0] if reading.results else {}
    row = row | {"clients": together(reading.results)}
    row |= {name: value for name, value in said.items() if row.get(name) is None}
    words = {
        "shape": "shape",
        "clients": "number of clients",
        "request_bytes": "bytes sent",
        "response_bytes": "bytes received",
    }
    shape = row.get("shape") or "RR"
    sizes = [1 if (size := row.get(side)) is None else size for side in _BYTES]
    nobody = row["clients"] == 0 and SHAPES[shape].idle
    workload = Workload(
        shape,
        0 if nobody else row["clients"] or 1,
        sizes[0],
        sizes[1],
    )
    told = {name for name in words if row.get(name) is not None}
    told -= set() if row["clients"] or nobody else {"clients"}
    return workload.name, [word for name, word in words.items() if name not in told]


def role_of(file: str) -> str | None:
    """``client`` or ``server`` where a file's name, or its folder, says so."""
    roles = [role for role, pattern in _ROLES.items() if pattern.search(file)]
    return roles[0] if len(roles) == 1 else None
