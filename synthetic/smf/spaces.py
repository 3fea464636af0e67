"""Record 30, an address space in an interval."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from analysis.ingest.smf.types.type30 import CPU_USED, IO, JOB, PERFORMANCE
from synthetic.smf.bytes_of import hundredths, number
from synthetic.smf.dump import NEW_YORK, START, Sections, local, packed, record


@dataclass(frozen=True)
class Space:
    """An address space in an interval; times in hundredths of a second."""

    job: str = "TCPIP"
    subtype: int = 2
    start: dt.datetime = START
    seconds: float = 900
    program: str = "EZBTCPIP"
    cpt: int = 0
    cps: int = 0
    icu: int = 0
    isb: int = 0
    iip: int = 0
    rct: int = 0
    hpt: int = 0
    ziip: int = 0
    ziip_on_cp: int = 0
    zaap: int = 0
    zaap_on_cp: int = 0
    flags: int = 0
    boost: int = 0
    sid: str = "SYSA"
    hours: float = NEW_YORK
    within: tuple[int, int, int] = (5000, 6000, 7000)  # ASR, ENC and DET: in CPT
    factor: int = 320  # of zIIP time, ÷ 256
    classes: tuple[str, ...] = ()  # service and report class
    blocks: int | None = None

    def processor(self, begun: dt.datetime, size: int) -> bytes:
        """Processor section; ``begun`` is local."""
        asr, enc, det = self.within
        others = ((68, asr), (72, enc), (76, det))
        places = [(at, number(value, 4)) for at, value in others]
        return packed(
            CPU_USED, size, *places, BI=self.boost, TFL=self.flags,
            CPT=self.cpt, CPS=self.cps, ICU=self.icu,
            ISB=self.isb, IIP=self.iip, RCT=self.rct, HPT=self.hpt,
            zaap_seconds=self.zaap, zaap_on_cp_seconds=self.zaap_on_cp,
            ziip_seconds=self.ziip, ziip_on_cp_seconds=self.ziip_on_cp,
            IST=hundredths(begun.time()), IDT=begun.date(),
        )  # fmt: skip


def address_space(
    space: Space, processor: int = 188, more: Sections | None = None
) -> bytes:
    """A type 30 record; ``more`` are sections that are not decoded."""
    end = space.start + dt.timedelta(seconds=space.seconds)
    begun = local(space.start, space.hours)
    who = packed(
        JOB, 250, job=space.job, program=space.program, step="STEP1", STN=1,
        SIT=hundredths(begun.time()), STD=begun.date(), ISS=space.start, IET=end,
        asid=77,
    )  # fmt: skip
    classes = dict(zip(("service_class", "report_class"), space.classes, strict=False))
    sections = {
        24: [bytes(40)],
        JOB.at: [who],
        CPU_USED.at: [space.processor(begun, processor)],
        PERFORMANCE.at: [
            packed(PERFORMANCE, 144, normalisation=space.factor, **classes)
        ],
        **(more or {}),
    }
    if space.blocks is not None:
        sections[IO.at] = [packed(IO, 72, TEP=space.blocks % 2**32, TEX=space.blocks)]
    when = local(end, space.hours)
    return record(30, space.subtype, when, sections, space.sid, end=200, count=False)
