"""Which workloads a published number speaks of: names, patterns and payload classes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from analysis.declared.published import Published
from analysis.declared.workload import Workload, matches

KB = 1024
# How we read the payload classes of the sources, which give bytes for 32 kB alone.
# Bytes are those of the larger direction.
CLASSES: dict[str, Callable[[int], bool]] = {
    "small": lambda size: size <= 2 * KB,
    "medium": lambda size: 2 * KB < size < 16 * KB,
    "large": lambda size: size >= 16 * KB,
    "small and medium": lambda size: size < 16 * KB,
    "1 kB and 4 kB": lambda size: KB <= size <= 4 * KB,
    "32 kB": lambda size: size == 32 * KB,
}
# What the sources call workloads that have names of their own here.
NAMES = {
    "FTP": ("GET*", "PUT*"),
    "FTP GET": ("GET*",),
    "FTP PUT": ("PUT*",),
    "TN3270": ("TN*",),
    "web": ("WEB*",),
    "syslogd": ("LOG*",),
    "32K commarea": ("ECI*(32kB)",),
    "32K channel": ("ECI*(32kB)",),
    "4K commarea": ("ECI*(4kB)",),
    "4K channel": ("ECI*(4kB)",),
}
_BAR = re.compile(r"\bbar\b( \d+ of \d+)?")


def parts_of(row: Published) -> list[str]:
    """The workload names or patterns of a row."""
    told = row.workload.split(" + ")
    return [part for name in told for part in NAMES.get(name, (name,))]


def is_of_a_set(row: Published) -> bool:
    """Whether a row is one of several values, and nothing tells of which workload."""
    return row.qualifier == "exact" and _BAR.search(row.variant) is not None


def set_of(row: Published, rows: Iterable[Published]) -> list[Published]:
    """The rows of the same set, sorted by value: its own place in it says nothing."""
    own = _set(row)
    found = [other for other in rows if is_of_a_set(other) and _set(other) == own]
    return sorted(found, key=lambda other: (other.value, other.id))


def _set(row: Published) -> tuple[object, ...]:
    apart = {"id", "value", "line", "printed", "note"}
    said = row.model_dump(exclude=apart)
    return (*(said | {"variant": _BAR.sub("bar", row.variant)}).values(),)


def is_mix(row: Published) -> bool:
    """Whether a row is for workloads that ran at once, none of which ran alone."""
    parts = parts_of(row)
    return len(parts) > 1 and not all(part.endswith("*") for part in parts)


def speaks_of(row: Published, work: Workload) -> bool:
    """Whether a row's names, clients and payload class hold for a workload."""
    if not any(matches(work.name, part) for part in parts_of(row)):
        return False
    if not _has_clients(row, work.clients):
        return False
    fits = CLASSES.get(row.variant)
    return fits is None or fits(max(work.request_bytes, work.response_bytes))


def _has_clients(row: Published, clients: int) -> bool:
    """``1,10,50`` are three numbers and ``4000-64000`` are all between; none is any."""
    ends = [part.split("-") for part in row.clients.split(",") if part]
    return not ends or any(int(e[0]) <= clients <= int(e[-1]) for e in ends)
