"""Record 30, an address space in an interval, from the documented layout."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from synthetic.smf.bytes_of import date, hundredths, number, stck, text
from synthetic.smf.dump import NEW_YORK, START, Sections, local, record, section


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
    sid: str = "SYSA"
    hours: float = NEW_YORK
    within: tuple[int, int, int] = (5000, 6000, 7000)  # ASR, ENC and DET: in CPT
    factor: int = 320  # of zIIP time, ÷ 256

    def processor(self, begun: dt.datetime, size: int) -> bytes:
        """Processor section; ``begun`` is local."""
        asr, enc, det = self.within
        times = {
            4: self.cpt,
            8: self.cps,
            12: self.icu,
            16: self.isb,
            44: self.iip,
            48: self.rct,
            52: self.hpt,
            68: asr,
            72: enc,
            76: det,
            88: self.zaap,
            100: self.zaap_on_cp,
            116: self.ziip,
            128: self.ziip_on_cp,
        }
        return section(
            size,
            (2, number(self.flags, 2)),
            *[(at, number(value, 4)) for at, value in times.items()],
            (36, hundredths(begun.time())),
            (40, date(begun.date())),
        )


def address_space(
    space: Space, processor: int = 188, more: Sections | None = None
) -> bytes:
    """A type 30 record; ``more`` are sections that are not decoded."""
    end = space.start + dt.timedelta(seconds=space.seconds)
    begun = local(space.start, space.hours)
    who = section(
        250,
        (0, text(space.job, 8)),
        (8, text(space.program, 8)),
        (16, text("STEP1", 8)),
        (40, number(1, 2)),
        (56, hundredths(begun.time())),
        (60, date(begun.date())),
        (148, stck(space.start)),
        (156, stck(end)),
        (184, number(77, 2)),
    )
    sections = {
        24: [bytes(40)],
        32: [who],
        56: [space.processor(begun, processor)],
        80: [section(144, (136, number(space.factor, 4)))],
        **(more or {}),
    }
    when = local(end, space.hours)
    return record(30, space.subtype, when, sections, space.sid, end=200, count=False)
