"""What a log's path and content tell of its run: a guess for the author to correct.

Folders that only number, date or collect runs name no configuration, wherever they are,
nor do those of sessions: those that are called a session, a boot, an IPL or a day, and
those of one date.
``results/2026-01-12/rep1/osd/client.txt`` is the first repetition of ``osd``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from analysis.declared.workload import ANY_SHAPE, SHAPES, Workload, parse_workload
from analysis.ingest.campaign.calls import CommandLoad, Profile, load_of_call
from analysis.ingest.campaign.choose_test import together, unlike
from analysis.ingest.reading import Reading

_SIZE = r"~?\d+(?:\.\d+)?(?:B|kB|KB|MB|GB)"
_WORKLOAD = re.compile(
    rf"(?<![A-Za-z])\[?(?:{ANY_SHAPE})\]?(?:\[\d+\]|\(\d+\)|\d+)"
    rf"\({_SIZE}(?:[/_]{_SIZE})?\)"
)
_NUMBERED = (
    "(?:repetition|repeat|rep|run|iteration|iter|round|sample|pass|attempt|trial|try)"
    r"[._ #-]?"
)
_REPETITION = re.compile(
    rf"(?:^|[/._ -])(?:{_NUMBERED}|r[._-]?)(\d{{1,6}})(?=[/._ -]|$)"
    r"|(?:^|/)#?(\d{1,6})(?=/)|(?:^|[/._-])(\d{1,6})(?=(?:\.[A-Za-z]\w*)*$)",
    re.IGNORECASE,
)
_OF_RUN = re.compile(
    rf"(?:^|(?<![._ -])[._ -]+){_NUMBERED}\d{{1,6}}(?=[._ -]|$)", re.IGNORECASE
)
_DATE = r"\d{4}-?\d\d-?\d\d(?:[T_ -]?\d\d[:.-]?\d\d(?:[:.-]?\d\d)?Z?)?"
_DATED = re.compile(rf"(?<!\d){_DATE}(?!\d)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d|20\d{6}")
_SESSION = re.compile(
    r"(?:^|(?<=[._ -]))(?:session|reboot|boot|ipl|day)[._ #-]?\d{1,6}(?=[._ -]|$)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    rf"#?\d{{1,6}}|r[._-]?\d{{1,6}}|{_DATE}|results?|logs?|data|out(?:put)?s?|runs?"
    r"|measure(?:d|ments?)|bench(?:marks?)?|client|server|stdout",
    re.IGNORECASE,
)
_NO_ID = re.compile(r"[^A-Za-z0-9_-]+")
_ROLES = {
    "client": re.compile(r"(?:^|[/._-])(?:client|cli)(?=[/._-]|$)", re.IGNORECASE),
    "server": re.compile(r"(?:^|[/._-])(?:server|srv)(?=[/._-]|$)", re.IGNORECASE),
}
_BYTES = ("request_bytes", "response_bytes")
_MADE_UP = {  # what it is called where nothing tells it
    "shape": "shape",
    "clients": "number of clients",
    "request_bytes": "bytes sent",
    "response_bytes": "bytes received",
}


@dataclass(frozen=True)
class Guess:
    """Of one log; ``unknown`` names what had to be made up, ``named`` is a workload
    that the path names and the log denies."""

    configuration: str
    workload: str
    repetition: int | None
    unknown: tuple[str, ...] = ()
    named: str = ""
    session: str = ""


def guess(
    log: str, reading: Reading, commands: str = "", profiles: Sequence[Profile] = ()
) -> Guess:
    """Configuration, workload and repetition of a log, first by its path.

    ``commands`` is a text in which its tool may be called, and ``profiles`` those that
    uperf may have run, for what the log leaves out.
    """
    path = _by_path(log, reading.tool_name)
    workload, unknown = _as_logged(path.workload, reading.results), list[str]()
    if not workload:
        load = load_of_call(reading, commands, profiles)
        workload, unknown = _by_content(reading.results, load)
    if not path.configuration:
        unknown.append("configuration")
    return Guess(
        path.configuration or "base",
        workload,
        path.repetition,
        tuple(unknown),
        path.workload if path.workload != workload else "",
        path.session,
    )


def _by_path(log: str, tool: str) -> Guess:
    """What the path of a log tells, empty where it does not; ``tool`` is no name of a
    configuration."""
    match = _WORKLOAD.search(log)
    start, end = match.span() if match else (len(log), len(log))
    numbers = _REPETITION.search(log[:start] + log[end:])
    number = int(next(filter(None, numbers.groups()), 0)) if numbers else 0
    path = PurePosixPath(log)
    if match:
        below = PurePosixPath(log[end:].strip("/")).parent.parts
        names = _names(log[:start].split("/")) or _names(below)[:1]
    elif len(path.parts) > 1:  # a file's name differs where the folder has the number
        name = _names([path.name.split(".")[0]])
        names = _names(path.parent.parts)[:1] or [one for one in name if one != tool]
    else:
        names = [path.name[: numbers.start()]] if numbers else []
    workload = parse_workload(match[0].replace("_", "/")).name if match else ""
    configuration, session = as_id("-".join(names)), _session(path)
    return Guess(configuration, workload, number or None, session=session)


def _session(path: PurePosixPath) -> str:
    """What a path calls the session: a folder or a part of a name, or folders of
    dates."""
    parts = [match[0] for part in path.parts for match in _SESSION.finditer(part)]
    days = [part for part in path.parent.parts if _DAY.fullmatch(part)]
    return as_id("-".join(parts or days))


def _names(parts: Iterable[str]) -> list[str]:
    """What parts of a path call a configuration, in their order."""
    without = (_SESSION.sub("", _OF_RUN.sub("", part)) for part in parts)
    names = (name.strip("._ -") for name in without)
    return [name for name in names if name and not _NO_NAME.fullmatch(name)]


def without_counts(path: str) -> str:
    """A path without what counts its repetitions, sessions and days by a word or a
    date: of two runs, what else tells them apart."""
    parts = (_SESSION.sub("", _OF_RUN.sub("", part)) for part in path.split("/"))
    return "/".join(_DATED.sub("", part) for part in parts)


def as_id(text: str) -> str:
    """The text with a dash for all that an id cannot have."""
    return _NO_ID.sub("-", text).strip("-_")


def _as_logged(name: str, rows: Sequence[dict[str, Any]]) -> str:
    """The workload that a path names, but for what the log itself tells otherwise."""
    if not name or not rows:
        return name
    work, row = parse_workload(name), rows[0]
    known = {column: row[column] for column in unlike(work, row)}
    clients = together([*rows])
    if clients or (clients == 0 and SHAPES[known.get("shape", work.shape)].idle):
        known["clients"] = clients
    return replace(work, **known).name


def _by_content(
    rows: Sequence[dict[str, Any]], load: CommandLoad
) -> tuple[str, list[str]]:
    """The workload's name as the rows have it, else as the tool was called, and what
    of it is made up."""
    row = (dict(rows[0]) if rows else {}) | {"clients": together([*rows])}
    row |= {name: value for name, value in load.items() if row.get(name) is None}
    shape = row.get("shape") or "RR"
    nobody = row["clients"] == 0 and SHAPES[shape].idle
    clients = 0 if nobody else row["clients"] or 1
    sizes = [1 if row.get(name) is None else row[name] for name in _BYTES]
    workload = Workload(shape, clients, sizes[0], sizes[1])
    entries = {name for name in _MADE_UP if row.get(name) is not None}
    entries -= set() if row["clients"] or nobody else {"clients"}
    return workload.name, [
        word for name, word in _MADE_UP.items() if name not in entries
    ]


def role_of(file: str) -> str | None:
    """``client`` or ``server`` where a file's name, or its folder, says so."""
    roles = [role for role, pattern in _ROLES.items() if pattern.search(file)]
    return roles[0] if len(roles) == 1 else None
