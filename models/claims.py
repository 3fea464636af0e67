"""Which published changes speak of a workload: patterns, roles and payload classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.declared.published import (
    CLASSES,
    Published,
    is_mix,
    is_of_a_set,
    parts_of,
    speaks_of,
)
from analysis.declared.workload import Workload

_BOTH = ("client", "server", "sender", "receiver")  # of which "both" speaks


@dataclass(frozen=True)
class WantedClaim:
    """A change that a study would like to know.

    ``beside`` names the workloads that ran at the same time.
    """

    study: str
    baseline: str
    test: str
    workload: Workload
    metric: str
    role: str | None = None
    beside: tuple[str, ...] = ()


def find_changes(
    rows: Iterable[Published], wanted: WantedClaim
) -> tuple[Published, ...]:
    """Rows that state the wanted change, the most specific first.

    A row for ``both`` roles states it of client and server, or of sender and receiver,
    each. A row for workloads that ran at once speaks of that mix alone, and one whose
    workload nothing tells of none. Of equals, an
    exact one comes before an average, and that before a bound; ends of a range come
    last.
    """
    found = [row for row in rows if _states(row, wanted)]
    return tuple(sorted(found, key=lambda row: (_specific(row, wanted), row.id)))


def _states(row: Published, wanted: WantedClaim) -> bool:
    roles = {wanted.role, "both"} if wanted.role in _BOTH else {wanted.role}
    return (
        row.kind not in ("value", "direction")
        and not is_of_a_set(row)
        and (row.study, row.baseline, row.test, row.metric)
        == (wanted.study, wanted.baseline, wanted.test, wanted.metric)
        and row.role in roles
        and _speaks_of(row, wanted)
    )


def _speaks_of(row: Published, wanted: WantedClaim) -> bool:
    if is_mix(row):
        return set(parts_of(row)) == {wanted.workload.name, *wanted.beside}
    return speaks_of(row, wanted.workload)


def _specific(row: Published, wanted: WantedClaim) -> tuple[bool, bool, bool, int]:
    order = ["exact", "about", "comparable", "average", "over", "up to"]
    rank = order.index(row.qualifier) if row.qualifier in order else len(order)
    return (
        row.workload != wanted.workload.name,
        row.variant not in CLASSES,
        row.role != wanted.role,
        rank,
    )
