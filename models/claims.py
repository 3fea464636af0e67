"""Which published changes speak of a workload: patterns, roles and payload classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from analysis.published import Published
from analysis.workload import Workload, matches

KB = 1024
# How we read the payload classes of the sources, which give bytes for 32 kB alone.
# Bytes are those of the larger direction.
_CLASSES: dict[str, Callable[[int], bool]] = {
    "small": lambda size: size <= 2 * KB,
    "medium": lambda size: 2 * KB < size < 16 * KB,
    "large": lambda size: size >= 16 * KB,
    "small and medium": lambda size: size < 16 * KB,
    "1 kB and 4 kB": lambda size: KB <= size <= 4 * KB,
    "32 kB": lambda size: size == 32 * KB,
}


@dataclass(frozen=True)
class Wanted:
    """A change that a study would like to know."""

    study: str
    baseline: str
    test: str
    workload: Workload
    metric: str
    role: str | None = None


def find_changes(rows: Iterable[Published], wanted: Wanted) -> tuple[Published, ...]:
    """Rows that state the wanted change, the most specific first.

    A row for ``both`` roles states it of each. A row for a mix of workloads that ran at
    once states nothing of one alone. Of equals, an exact one comes before an average,
    and that before a bound; ends of a range come last.
    """
    found = [row for row in rows if _states(row, wanted)]
    return tuple(sorted(found, key=lambda row: (_specific(row, wanted), row.id)))


def _states(row: Published, wanted: Wanted) -> bool:
    roles = (wanted.role, "both") if wanted.role else (None,)
    return (
        row.kind != "value"
        and (row.study, row.baseline, row.test, row.metric)
        == (wanted.study, wanted.baseline, wanted.test, wanted.metric)
        and row.role in roles
        and _speaks_of(row, wanted.workload)
    )


def _speaks_of(row: Published, work: Workload) -> bool:
    parts = row.workload.split(" + ")
    mixed = len(parts) > 1 and not all(part.endswith("*") for part in parts)
    if mixed or not any(matches(work.name, part) for part in parts):
        return False
    size = max(work.request_bytes, work.response_bytes)
    fits = _CLASSES.get(row.variant)
    return fits is None or fits(size)


def _specific(row: Published, wanted: Wanted) -> tuple[bool, bool, bool, int]:
    order = ["exact", "about", "comparable", "average", "over", "up to"]
    rank = order.index(row.qualifier) if row.qualifier in order else len(order)
    return (
        row.workload != wanted.workload.name,
        row.variant not in _CLASSES,
        row.role != wanted.role,
        rank,
    )
