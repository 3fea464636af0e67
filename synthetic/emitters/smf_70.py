"""SMF 70-1: CPU activity of all partitions of a machine, as one system records it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from analysis.declared.mistakes import form
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.rmf_interval import RmfInterval
from synthetic.emitters.values import Amount, Byte, Measured, Name8, refuse
from synthetic.smf.dump import unblocked
from synthetic.smf.rmf import Activity, Cpu, Lpar, cpu_activity

_NAMES = {"CP": ("CP", 0), "zAAP": ("IFA", 1), "zIIP": ("IIP", 2)}
_DEDICATED, _WEIGHT = 65_535, 100
Model = Annotated[
    str, Field(pattern=form(r"^[A-Z0-9]{1,16}$", "at most 16 capitals and digits"))
]
Family = Annotated[str, Field(pattern=form(r"^[0-9A-F]{4}$", "four hex digits"))]


class Engine(Measured):
    """A logical CPU; seconds of the interval in which it was busy, and parked.

    A dedicated one is dispatched all the time, and waits when it is not busy.
    """

    kind: Literal["CP", "zAAP", "zIIP"] = "CP"
    busy_seconds: Amount
    parked_seconds: Amount = 0.0
    dedicated: bool = False

    @property
    def used_seconds(self) -> float:
        """Seconds in which it was not waiting."""
        return self.busy_seconds + self.parked_seconds

    def layout(self, nth: int, length: int, names: Sequence[str]) -> Cpu:
        """The CPU of this number; ``length`` [µs] is that of the interval."""
        busy, parked = round(self.busy_seconds * 1e6), round(self.parked_seconds * 1e6)
        used = length if self.dedicated else busy
        return Cpu(
            nth,
            used,
            used,
            length,
            length - parked - busy,
            parked,
            names.index(self.kind) + 1,
            _DEDICATED if self.dedicated else _WEIGHT,
            kind=_NAMES[self.kind][1],
        )


class Partition(Measured):
    """A partition with its logical CPUs."""

    name: Name8
    number: Byte
    engines: tuple[Engine, ...] = ()


class CpuActivity(RmfInterval):
    """All partitions of a machine in an interval."""

    partitions: tuple[Partition, ...]
    family: Family = "9175"
    model: Model = "704"
    hiperdispatch: bool = True

    @model_validator(mode="after")
    def _fits(self) -> Self:
        numbers = [partition.number for partition in self.partitions]
        refuse(len(set(numbers)) < len(numbers), "number", "a partition has it twice")
        gone = self.partition not in numbers
        refuse(gone, "partition", f"no partition has the number {self.partition}")
        for each in self.partitions:
            most = max((cpu.used_seconds for cpu in each.engines), default=0.0)
            over = f"{most:g} s are more than the interval of {self.seconds:g} s"
            refuse(most > self.seconds + 1e-9, f"busy_seconds of {each.name}", over)
        return self


def write(of: CpuActivity) -> bytes:
    """The record."""
    used = {engine.kind for each in of.partitions for engine in each.engines}
    names = [kind for kind in _NAMES if kind in used]
    length = of.millis * 1000
    lpars = [
        Lpar(
            each.name,
            each.number,
            [cpu.layout(nth, length, names) for nth, cpu in enumerate(each.engines)],
        )
        for each in of.partitions
    ]
    activity = Activity(
        lpars,
        hiperdispatch=of.hiperdispatch,
        names=[_NAMES[kind][0] for kind in names],
        family=int(of.family, 16),
        model=of.model,
    )
    return unblocked([cpu_activity(of.layout(), activity)])


EMITTER = Emitter("smf_70", "SMF 70-1, CPU activity", "smf", CpuActivity, write)
