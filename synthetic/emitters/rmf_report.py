"""Values of RMF's Postprocessor reports, which the emitters of XML and text share."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from analysis.declared.mistakes import form
from synthetic.ddsml import Processor
from synthetic.emitters.rmf_interval import Millis
from synthetic.emitters.smf_70 import Family, Model
from synthetic.emitters.smf_72 import Factor
from synthetic.emitters.smf_74_1 import DeviceValues
from synthetic.emitters.values import (
    LABEL,
    Amount,
    Count,
    Hours,
    Line,
    Measured,
    Name4,
    Name8,
    Share,
    Utc,
    refuse,
)
from synthetic.smf.dump import local

KINDS = {"CP": "CP", "zAAP": "AAP", "zIIP": "IIP"}
Release = Annotated[str, Field(pattern=form(r"^V[0-9]R[0-9]{1,2}$", "such as V3R2"))]
Area = Annotated[
    str, Field(pattern=form(r"^[A-Z0-9/]+( [A-Z0-9/]+)*$", "words of capitals"))
]
Importance = Annotated[int, Field(strict=True, ge=1, le=5)]


class Cpu(Measured):
    """A logical CPU: seconds of the interval in which LPAR and MVS were busy."""

    kind: Literal["CP", "zAAP", "zIIP"] = "CP"
    busy_seconds: Amount
    mvs_busy_seconds: Amount | None = None  # as busy_seconds
    parked_seconds: Amount = 0.0

    def layout(self, seconds: float) -> Processor:
        """The CPU in an interval of that length."""
        mvs = self.mvs_busy_seconds
        busy = self.busy_seconds
        mvs = busy if mvs is None else mvs
        return Processor(KINDS[self.kind], seconds, self.parked_seconds, busy, mvs)


class ClassReport(Measured):
    """A class with one period; ``cp_seconds`` has what was eligible and ran on CPs.

    Times of zIIPs and zAAPs are real; null where a system has none.
    """

    name: Name8
    kind: Literal["service", "report"] = "service"
    workload: Name8 = "WORK"
    importance: Importance = 1
    cp_seconds: Amount
    tcb_share: Share = 0.6
    ziip_seconds: Amount | None = None
    ziip_on_cp_seconds: Amount = 0.0
    zaap_seconds: Amount | None = None
    zaap_on_cp_seconds: Amount = 0.0
    ended: Count = 0
    response_ms: Amount | None = None


class StorageArea(Measured):
    """An area of virtual storage, of a job's private area where one is named; means
    of the interval below and above 16 MB. RMF prints three or four digits of them."""

    area: Area
    job: Name8 | None = None
    below_bytes: Count | None = None
    above_bytes: Count | None = None


class RmfReport(Measured):
    """Reports of a system in one interval: of CPUs, classes, devices and virtual
    storage, where given.

    ``hours`` is local time minus UTC.
    """

    system: Name4
    start: Utc
    millis: Millis
    hours: Hours = -5.0
    plex: Name8 = "SYNPLEX"
    release: Release = "V3R2"
    family: Family = "9175"
    model: Model = "704"
    dedicated: bool = False
    cpus: tuple[Cpu, ...] = ()
    classes: tuple[ClassReport, ...] = ()
    ziip_factor: Factor = 1.0
    zaap_factor: Factor = 1.0
    devices: tuple[DeviceValues, ...] = ()
    storage: tuple[StorageArea, ...] = ()

    @property
    def seconds(self) -> float:
        """Its length."""
        return self.millis / 1000

    @property
    def times(self) -> tuple[dt.datetime, dt.datetime]:
        """Local times of its begin and end."""
        end = self.start + dt.timedelta(milliseconds=self.millis)
        return local(self.start, self.hours), local(end, self.hours)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for cpu in self.cpus:
            for name in ("busy_seconds", "mvs_busy_seconds"):
                used = (getattr(cpu, name) or 0) + cpu.parked_seconds
                over = f"{used:g} s are more than the interval of {self.seconds:g} s"
                refuse(used > self.seconds + 1e-9, name, over)
        for it in self.devices:
            it.check(self.seconds)
        for each in self.classes:
            for name in ("ziip_on_cp_seconds", "zaap_on_cp_seconds"):
                more = getattr(each, name) > each.cp_seconds
                refuse(more, name, "these are more than cp_seconds")
        return self


class RmfReports(Measured):
    """Reports of one interval after another."""

    intervals: tuple[RmfReport, ...]
    label: Line = LABEL

    @model_validator(mode="after")
    def _is_comment(self) -> Self:
        ends = "--" in self.label or self.label.endswith("-")
        refuse(ends, "label", "two dashes would end the comment that it is in XML")
        return self
