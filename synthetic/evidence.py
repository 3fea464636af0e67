"""What one system records over a session: its dump of SMF, and RMF's reports in XML.

A user record says that all of the dump is synthetic; so do the names of sysplex and
jobs.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from synthetic.declaration import Machine
from synthetic.emitters import LABEL, rmf_xml
from synthetic.emitters.smf import ClassTime, Engine, class_record, cpu_record
from synthetic.smf.bytes_of import text
from synthetic.smf.dump import dump_header, header, local, sealed, unblocked
from synthetic.smf.rmf import Interval

OFFSET = -5  # hours: Eastern Standard Time
_PLEX = "SYNPLEX"
_DUMPER = "SYND"
_USER_RECORD = 240


def level_of(release: str) -> str:
    """The level that records of a release such as V2R5 or 3.1 tell."""
    version, _, part = release.removeprefix("V").replace("R", ".").partition(".")
    return f"ZV{version:>02}{part:>02}00"


@dataclass(frozen=True, kw_only=True)
class Minute:
    """An interval of RMF of one system, nominally a minute: the engines of all LPARs of
    its machine, its service classes, and its other records, those of TCP/IP and devices
    ``before`` and of address spaces ``after`` those of RMF."""

    system: str
    start: dt.datetime
    millis: int
    machine: Machine
    level: str
    engines: Mapping[str, Sequence[Engine]]
    hiperdispatch: bool = False
    classes: Sequence[ClassTime] = ()
    before: Sequence[bytes] = ()
    after: Sequence[bytes] = ()

    @cached_property
    def interval(self) -> Interval:
        """As the product section has it."""
        return interval(self.system, self.start, self.millis, self.machine, self.level)

    def records(self) -> list[bytes]:
        """All records, in their order."""
        machine, interval = self.machine, self.interval
        return [
            *self.before,
            cpu_record(
                interval, self.engines, machine.type, machine.model, self.hiperdispatch
            ),
            *(class_record(interval, each) for each in self.classes),
            *self.after,
        ]

    @property
    def release(self) -> str:
        """As reports print it: ``V3R2``."""
        return f"V{int(self.level[2:4])}R{int(self.level[4:6])}"

    def reports(self, classes: bool) -> list[str]:
        """The report of CPUs, and of ``classes`` if asked."""
        begin, end = (
            f"{local(moment, OFFSET):%m/%d/%Y-%H.%M.%S}"
            for moment in (self.start, self.interval.end)
        )
        seconds = self.millis / 1000
        cpus = rmf_xml.Interval(
            tuple(rmf_xml.cpu(each, seconds) for each in self.engines[self.system]),
            begin,
            end,
            seconds,
            self.system,
            self.system,
            machine=(self.machine.type, self.machine.model),
            level=f"z/OS {self.release}",
            dedicated=True,
        ).xml()
        if not classes:
            return [cpus]
        times = begin, end
        return [
            cpus,
            rmf_xml.class_report(self.classes, self.system, _PLEX, times, seconds),
        ]


def dump_file(study: str, system: str) -> str:
    """The name of a system's dump of a study."""
    return f"smf/{study}/synthetic_{system}.smf"


def report_file(study: str, system: str) -> str:
    """The name of RMF's reports of a system in a study."""
    return f"rmf/{study}/synthetic_{system}.xml"


def interval(
    system: str, start: dt.datetime, millis: int, machine: Machine, level: str
) -> Interval:
    """An interval of RMF; partitions have the numbers of their order."""
    number = machine.systems.index(system) + 1
    return Interval(start, millis, system, OFFSET, number, level=level, plex=_PLEX)


def dump(session: Sequence[Minute], end: dt.datetime) -> bytes:
    """The records of a session between those of the dump program, five minutes after
    the ``end``."""
    system, first = session[0].system, local(session[0].start, OFFSET)
    label = header(_USER_RECORD, None, first, system) + text(LABEL, len(LABEL))
    return unblocked(
        [
            dump_header(first, 2, _DUMPER),
            sealed(label),
            *(record for minute in session for record in minute.records()),
            dump_header(local(end, OFFSET) + dt.timedelta(minutes=5), 3, _DUMPER),
        ]
    )


def report(session: Sequence[Minute], classes: bool = True) -> bytes:
    """RMF's reports of a session in XML."""
    parts = [text for minute in session for text in minute.reports(classes)]
    server = f"ZOS{session[0].release}"
    return rmf_xml.document(*parts, server=server, comment=LABEL).encode()
