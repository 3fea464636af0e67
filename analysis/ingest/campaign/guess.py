"""What a file's path and content tell of its run: a guess for the author to correct."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from analysis.declared.shapes import ANY_SHAPE, SHAPES
from analysis.declared.workload import Workload, parse_workload
from analysis.ingest.campaign.choose_test import together
from analysis.ingest.campaign.command import told_by
from analysis.ingest.reading import Reading

_SIZE = r"~?\d+(?:\.\d+)?(?:B|kB|KB|MB|GB)"
_WORKLOAD = re.compile(
    rf"(?<![A-Za-z])\[?(?:{ANY_SHAPE})\]?(?:\[\d+\]|\(\d+\)|\d+)"
    rf"\({_SIZE}(?:[/_]{_SIZE})?\)"
)
_REPETITION = re.compile(
    r"(?:^|[/._-])(?:repetition|rep|run|iter|iteration|try|r)[._-]?(\d{1,6})(?=[/._-]|$)"
    r"|/(\d{1,6})(?=/)|(?:^|[/._-])(\d{1,6})(?=(?:\.[A-Za-z]\w*)*$)",
    re.IGNORECASE,
)
_NO_ID = re.compile(r"[^A-Za-z0-9_-]+")
_ROLES = {
    "client": re.compile(r"(?:^|[/._-])(?:client|cli)(?=[/._-]|$)", re.IGNORECASE),
    "server": re.compile(r"(?:^|[/._-])(?:server|srv)(?=[/._-]|$)", re.IGNORECASE),
}


@dataclass(frozen=True)
class Guess:
    """Of one log; ``unknown`` names what had to be made up."""

    configuration: str
    workload: str
    repetition: int | None
    unknown: tuple[str, ...]


def guess(log: str, reading: Reading, commands: str = "") -> Guess:
    """Configuration, workload and repetition of a log, first by its path.

    ``commands`` is a text in which its tool may be called, for what the log leaves out.
    """
    unknown: list[str] = []
    found = _WORKLOAD.search(log)
    rest = log
    if found:
        rest = log[: found.start()] + log[found.end() :]
        workload = parse_workload(found[0].replace("_", "/")).name
    else:
        workload, unknown = _by_content(reading, commands)
    numbers = _REPETITION.search(rest)
    told = next(filter(None, numbers.groups()), "") if numbers else ""
    repetition = int(told) if told else None
    before = log[: found.start()] if found else _stem(log, numbers)
    configuration = as_id(before.strip("/"))
    if not configuration:
        unknown.append("configuration")
    return Guess(configuration or "base", workload, repetition or None, tuple(unknown))


def _stem(log: str, numbers: re.Match[str] | None) -> str:
    """The first folder, or else what a file's name has before its number."""
    path = PurePosixPath(log)
    if len(path.parts) > 1 and not _REPETITION.fullmatch("/" + path.parts[0]):
        return path.parts[0]
    return path.name[: numbers.start()] if numbers and len(path.parts) == 1 else ""


def as_id(text: str) -> str:
    """The text with a dash for all that an id cannot have."""
    return _NO_ID.sub("-", text).strip("-_")


def _by_content(reading: Reading, commands: str) -> tuple[str, list[str]]:
    """The workload's name as the rows have it, else as the tool was called, and what
    of it is made up."""
    row: dict[str, Any] = reading.results[0] if reading.results else {}
    row = row | {"clients": together(reading.results)}
    said = told_by(commands, reading.tool_name) if commands else {}
    row |= {name: value for name, value in said.items() if row.get(name) is None}
    words = {
        "shape": "shape",
        "clients": "number of clients",
        "request_bytes": "bytes sent",
        "response_bytes": "bytes received",
    }
    shape = row.get("shape") or "RR"
    nobody = row["clients"] == 0 and SHAPES[shape].idle
    workload = Workload(
        shape,
        0 if nobody else row["clients"] or 1,
        row.get("request_bytes") or 1,
        row.get("response_bytes") or 1,
    )
    told = {name for name in words if row.get(name) or (nobody and name == "clients")}
    return workload.name, [word for name, word in words.items() if name not in told]


def role_of(file: str) -> str | None:
    """``client`` or ``server`` where a file's name, or its folder, says so."""
    roles = [role for role, pattern in _ROLES.items() if pattern.search(file)]
    return roles[0] if len(roles) == 1 else None
