"""What a report tells of CPU activity in one interval, before it is averaged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

_NOTHING = ("", "NONE", "N/A")


class CpuLine(NamedTuple):
    """One line of the report, in percent; null where nothing is printed.

    With multithreading it is a thread: the LPAR busy of a core stands on one of
    its threads.
    """

    kind: str
    online: float
    lpar_busy: float | None
    mvs_busy: float | None
    parked: float


class Partition(NamedTuple):
    """Time of the CPUs of one type in one partition, in seconds."""

    name: str
    kind: str
    dedicated: bool
    logical_cpus: float | None
    effective: float | None
    total: float | None


@dataclass
class CpuReport:
    """What a CPU report says.

    ``totals`` are the printed averages (LPAR busy, MVS busy) by CPU type; ``own``
    is the partition that reports. ``waits`` is whether dispatch time may hold waits,
    which it does with wait completion. ``said`` describes the machine.
    """

    cpus: list[CpuLine] = field(default_factory=list)
    twice: tuple[str, str] | None = None  # number and type of a CPU
    totals: dict[str, tuple[float | None, float | None]] = field(default_factory=dict)
    partitions: list[Partition] = field(default_factory=list)
    own: str = ""
    waits: bool = True
    said: dict[str, str] = field(default_factory=dict)

    def dispatched(self, kind: str) -> Partition | None:
        """The reporting partition's time; null where it is not time used.

        With wait completion, and on dedicated processors, a waiting processor
        stays dispatched.
        """
        for each in self.partitions:
            if (each.name, each.kind) == (self.own, kind) and not each.dedicated:
                return None if self.waits else each
        return None

    def state(self) -> dict[str, str | None]:
        """What machine and system were like: the boosts that were active, such as
        ``Boost Type SPEED``, and why the capacity was changed; the type of the CPC and
        the release of z/OS. Null where nothing is told."""
        boost, of_class = self._told("Boost Type"), self._told("Boost Class")
        return {
            "boost": boost and f"Boost Type {boost}",
            "boost_class": of_class and f"Boost Class {of_class}",
            "capacity_change": self._told("Change Reason"),
            "machine_type": self._told("CPU"),
            "release": self._told("Release"),
        }

    def _told(self, name: str) -> str | None:
        value = self.said.get(name, "").strip()
        return None if value.upper() in _NOTHING else value
