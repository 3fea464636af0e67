"""The record types that are read, with their tables: a file a family of types.

Each file declares its types in ``RECORDS``, and in ``COUNTED`` why others of the family
are only counted. Nobody else lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from analysis.ingest.smf.columns import RecordType
from analysis.programs.registry import Registry

FAMILIES: Registry[ModuleType] = Registry(
    "analysis.ingest.smf.types", "RECORDS", lambda module: (module.__name__, module)
)
RECORD_TYPES: tuple[RecordType, ...] = tuple(
    one for family in FAMILIES.values() for one in family.RECORDS
)
TABLES = tuple(dict.fromkeys(one.table for one in RECORD_TYPES))
READ = {kind for one in RECORD_TYPES for kind in one.kinds}
REAL = {115, 116}  # types of which the tests have seen dumps of real systems
COUNTED: dict[tuple[int, int | None], str] = {
    (42, 6): "response time of I/O by data set and job; 74-1 has it by device",
    (50, None): "tuning statistics of VTAM: no public source that could be had tells "
    "where the packets and interrupts of an OSA's queues are; NETSTAT DEVLINKS has its "
    "bytes and packets",
    (71, 1): "paging and frames in use: no public source that could be had tells where "
    "its counts are",
    (74, 2): "XCF: no public source that could be had tells where its counts are",
    (74, 5): "cache of storage: no public source that could be had tells where its "
    "counts are",
    (88, None): "log streams of the System Logger: writes, offloads and bytes",
    (98, None): "locks, dispatching and CPU time every few seconds",
    (99, None): "what WLM gave to which class period every ten seconds; 72-3 has what "
    "came of it",
    (100, None): "statistics of Db2: log, locks and buffer pools of a subsystem",
    (101, None): "accounting of Db2: CPU, elapsed and waiting time of each thread",
    (102, None): "traces of Db2, as far as they were started",
    (111, None): "CICS Transaction Gateway: its layout is not in the public "
    "documentation; its statistics are read from text or CSV",
    (118, None): "TCP/IP in its old form; 119 has the same and more",
    (120, None): "requests to WebSphere and Liberty with their response and CPU time",
}
"""By type and subtype, or by type for all its others."""
NAMES: dict[tuple[int, int], str] = {}
"""What records are, of families of which that is listed."""
for _family in FAMILIES.values():
    COUNTED |= getattr(_family, "COUNTED", {})
    NAMES |= getattr(_family, "NAMES", {})


def readers() -> tuple[RecordType, ...]:
    """One type for each function that reads records: of those that are read together,
    the one that has it."""
    together = {kind for one in RECORD_TYPES if one.read for kind in one.kinds}
    return tuple(
        one for one in RECORD_TYPES if one.read or one.kinds[0] not in together
    )


def check_times(types: Iterable[RecordType]) -> None:
    """A ``ValueError`` where rows would have a time that nothing tells."""
    for one in types:
        if one.read is None and one.untold:
            what = f"{one.records}: nothing tells {' and '.join(one.untold)}"
            raise ValueError(f"{what} of {one.table.name}; give it in times")


check_times(readers())


def why_not(kind: int, subtype: int) -> str:
    """Why records that one may look for are counted only; empty for all others."""
    if (kind, subtype) in READ:
        return ""
    return COUNTED.get((kind, subtype)) or COUNTED.get((kind, None), "")


def described(kind: int, subtype: int) -> str:
    """What records are and what becomes of them; empty where no names are listed."""
    if kind not in {of for of, _ in NAMES}:
        return ""
    name = NAMES.get((kind, subtype), "not documented")
    reason = why_not(kind, subtype)
    return f"{name} – counted: {reason}" if reason else f"{name} – read"
