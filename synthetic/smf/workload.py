"""Record 72-3, workload activity, from the documented layout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from synthetic.smf.bytes_of import hfp, number, text
from synthetic.smf.dump import record, section
from synthetic.smf.rmf import Interval

Write = Callable[[float], bytes]


@dataclass(frozen=True)
class Period:
    """A class period; service units and microseconds."""

    number: int = 1
    cpu: float = 0.0
    srb: float = 0.0
    ioc: float = 0.0
    mso: float = 0.0
    rct: float = 0.0
    iit: float = 0.0
    hst: float = 0.0
    ziip: float = 0.0
    ziip_on_cp: float = 0.0
    zaap: float = 0.0
    zaap_on_cp: float = 0.0
    ended: int = 0
    importance: int = 1

    def data(self, size: int = 576, write: Write = hfp) -> bytes:
        """Period section."""
        total = self.cpu + self.srb + self.ioc + self.mso
        floats = {
            24: total,
            32: self.cpu,
            40: self.ioc,
            48: self.mso,
            56: self.srb,
            152: self.rct,
            160: self.iit,
            168: self.hst,
            544: self.ziip,
            552: self.ziip_on_cp,
            560: self.zaap,
            568: self.zaap_on_cp,
        }
        places = [(at, write(value)) for at, value in floats.items()]
        return section(
            size,
            (8, number(self.number, 1)),
            (18, number(self.importance, 2)),
            (184, number(self.ended, 4)),
            *places,
        )


def class_activity(
    interval: Interval,
    name: str,
    periods: Sequence[Period],
    report: bool = False,
    adjust: int = 188,
    cpu: int = 10_000,
    srb: int = 10_000,
    ziip: int = 256,
    size: int = 576,
    write: Write = hfp,
    responses: int = 0,
    zaap: int = 0,
    workload: str = "WORK",
) -> bytes:
    """A 72-3 record; ``responses`` is the size of its response time section."""
    control = section(
        280,
        (0, number(0x80 if report else 0, 1)),
        (52, number(cpu, 4)),
        (64, number(srb, 4)),
        (80, text(workload, 8)),
        (120, text(name, 8)),
        (172, number(adjust, 4)),
        (240, number(zaap, 4) + number(ziip, 4)),
    )
    sections = {
        28: [interval.product()],
        36: [control],
        60: [period.data(size, write) for period in periods],
        68: [bytes(responses)] if responses else [],
    }
    when = interval.local(interval.end)
    return record(72, 3, when, sections, interval.sid, end=92)
