"""What the path of a log tells of its run: configuration, workload and repetition.

Folders that only number, date or collect runs name no configuration, wherever they are:
``results/2026-01-12/rep1/osd/client.txt`` is the first repetition of ``osd``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from analysis.declared.workload import ANY_SHAPE, parse_workload

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
_NO_NAME = re.compile(
    rf"#?\d{{1,6}}|r[._-]?\d{{1,6}}|{_DATE}|results?|logs?|data|out(?:put)?s?|runs?"
    r"|measure(?:d|ments?)|bench(?:marks?)?|client|server|stdout",
    re.IGNORECASE,
)
_NO_ID = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True)
class RunPath:
    """What a path tells; empty, or null, where it does not."""

    configuration: str
    workload: str
    repetition: int | None


def told_by_path(log: str, tool: str = "") -> RunPath:
    """What the path of a log tells; ``tool`` is no name of a configuration."""
    found = _WORKLOAD.search(log)
    start, end = found.span() if found else (len(log), len(log))
    numbers = _REPETITION.search(log[:start] + log[end:])
    number = int(next(filter(None, numbers.groups()), 0)) if numbers else 0
    if found:
        names = _names(log[:start].split("/")) or _names(_folders(log[end:]))[:1]
    else:
        names = _names(_folders(log))[:1] or _of_name(log, numbers, tool)
    workload = parse_workload(found[0].replace("_", "/")).name if found else ""
    return RunPath(as_id("-".join(names)), workload, number or None)


def _folders(path: str) -> tuple[str, ...]:
    return PurePosixPath(path.strip("/")).parent.parts


def _names(parts: Iterable[str]) -> list[str]:
    """What parts of a path call a configuration, in their order."""
    names = (_OF_RUN.sub("", part).strip("._ -") for part in parts)
    return [name for name in names if name and not _NO_NAME.fullmatch(name)]


def _of_name(log: str, numbers: re.Match[str] | None, tool: str) -> list[str]:
    """Of a file in no folder what stands before its number; else its name, which
    differs where the folder has the number."""
    path = PurePosixPath(log)
    if len(path.parts) == 1:
        return [path.name[: numbers.start()]] if numbers else []
    return [name for name in _names([path.name.split(".")[0]]) if name != tool]


def as_id(text: str) -> str:
    """The text with a dash for all that an id cannot have."""
    return _NO_ID.sub("-", text).strip("-_")
