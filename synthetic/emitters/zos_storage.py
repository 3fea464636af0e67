"""Displays of storage in z/OS's hardcopy log: of TCP/IP, of CSM and VTAM, and real.

Layouts: z/OS Communications Server IP System Administrator's Commands, "DISPLAY
TCPIP,,STOR"; SNA Messages, IVT5529I and IST449I; MVS System Messages, IEE174I.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from analysis.declared.mistakes import form
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import (
    LABEL,
    Hours,
    Line,
    Measured,
    Name4,
    Name8,
    Utc,
    refuse,
)

_RULE = "IVT5532I " + "-" * 54
Size = Annotated[int, Field(strict=True, ge=0, lt=10**9)]
Area = Annotated[
    str, Field(pattern=form(r"^[A-Z][A-Z0-9-]*( [A-Z0-9-]+)*$", "words of capitals"))
]


class StackArea(Measured):
    """An area of a stack's storage: in use, the most since the start, and the limit."""

    area: Area
    place: Literal["31-BIT", "64-BIT"] = "31-BIT"
    unit: Literal["K", "M"] = "K"
    current: Size
    maximum: Size
    limit: Size | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        refuse(self.maximum < self.current, "maximum", "this is less than current")
        over = self.limit is not None and self.limit < self.maximum
        refuse(over, "limit", "this is less than maximum")
        return self

    def line(self) -> str:
        """As it is displayed."""
        limit = "NOLIMIT" if self.limit is None else f"{self.limit}{self.unit}"
        cells = (f"{self.current}{self.unit}", f"{self.maximum}{self.unit}", limit)
        return f"EZZ8455I {self.area:<24}" + "".join(f"{cell:>11}" for cell in cells)


class Pool(Measured):
    """Buffers of one size in one source of CSM; K of storage in use and free."""

    source: Literal["ECSA", "DATA SPACE 31", "DATA SPACE 64"]
    buffer: Literal[4, 16, 32, 60, 180] = 4
    in_use: Size
    free: Size = 0


class VtamStorage(Measured):
    """K of VTAM's storage: in use, and the most since the start."""

    csa: Size
    csa_maximum: Size
    private: Size
    private_maximum: Size

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name in ("csa", "private"):
            less = getattr(self, f"{name}_maximum") < getattr(self, name)
            refuse(less, f"{name}_maximum", f"this is less than {name}")
        return self


class StorageDisplays(Measured):
    """What was displayed at one moment; ``hours`` is local time minus UTC, ``real_mb``
    the real storage that is online."""

    system: Name4
    start: Utc
    hours: Hours = -5.0
    stack: Name8 = "TCPIP"
    areas: tuple[StackArea, ...] = ()
    pools: tuple[Pool, ...] = ()
    vtam: VtamStorage | None = None
    real_mb: Size | None = None
    label: Line = LABEL


def write(of: StorageDisplays) -> bytes:
    """All lines: the command, and the messages that answer it, for each display."""
    lines = [f"{_stamp(of)} SYNTHET  00000290  IEE115I {of.label}"]
    made = (_areas(of), _pools(of), _vtam(of), _real(of))
    for number, (command, *messages) in enumerate(map(list, made), 118):
        if messages:
            lines += _display(of, command, messages, number)
    return ("\n".join(lines) + "\n").encode()


def _stamp(of: StorageDisplays, kind: str = "N") -> str:
    when = of.start + dt.timedelta(hours=of.hours)
    return f"{kind} 4000000 {of.system:<8} {when:%y%j %H:%M:%S}.00"


def _display(
    of: StorageDisplays, command: str, messages: list[str], number: int
) -> Iterator[str]:
    first, *rest = messages
    yield f"{_stamp(of)} SYNTHET  00000290  {command}"
    yield f"{_stamp(of, 'M')} SYNTHET  00000090  {first} {number}"
    for nth, message in enumerate(rest, 1):
        kind = "E" if nth == len(rest) else "D"
        yield f"{kind}{number:>44} 00000090  {message}"


def _areas(of: StorageDisplays) -> Iterator[str]:
    yield f"D TCPIP,{of.stack},STOR"
    if not of.areas:
        return
    yield "EZZ8453I TCPIP STORAGE"
    yield f"EZZ8454I {of.stack:<8} STORAGE          CURRENT    MAXIMUM      LIMIT"
    for place in ("31-BIT", "64-BIT"):
        yield f"EZD2018I {place}"
        yield from (area.line() for area in of.areas if area.place == place)
    yield "EZZ8459I DISPLAY TCPIP STOR COMPLETED SUCCESSFULLY"


def _pools(of: StorageDisplays) -> Iterator[str]:
    yield "D NET,CSM"
    if not of.pools:
        return
    yield "IVT5529I PROCESSING DISPLAY CSM COMMAND - OWNERID NOT SPECIFIED"
    yield "IVT5530I BUFFER BUFFER"
    yield "IVT5531I SIZE   SOURCE               INUSE        FREE       TOTAL"
    for source in dict.fromkeys(pool.source for pool in of.pools):
        mine = [pool for pool in of.pools if pool.source == source]
        yield _RULE
        yield from (_pool(f"IVT5533I {p.buffer:>3}K   {source}", [p]) for p in mine)
        yield _pool(f"IVT5535I TOTAL  {source}", mine)
    yield _RULE
    yield _pool("IVT5536I TOTAL  ALL SOURCES", list(of.pools))
    yield "IVT5599I END"


def _pool(name: str, pools: list[Pool]) -> str:
    used, free = sum(pool.in_use for pool in pools), sum(pool.free for pool in pools)
    return f"{name:<30}" + "".join(f"{f'{n}K':>12}" for n in (used, free, used + free))


def _vtam(of: StorageDisplays) -> Iterator[str]:
    yield "D NET,BFRUSE"
    if (it := of.vtam) is None:
        return
    yield "IST350I DISPLAY TYPE = BUFFER POOL DATA"
    most = f"{it.csa_maximum}K"
    yield f"IST449I CSA LIMIT = NOLIMIT, CURRENT = {it.csa}K, MAXIMUM = {most}"
    yield f"IST790I MAXIMUM CSA USED = {most}"
    most = f"{it.private_maximum}K"
    yield f"IST981I VTAM PRIVATE: CURRENT = {it.private}K, MAXIMUM USED = {most}"
    yield "IST314I END"


def _real(of: StorageDisplays) -> Iterator[str]:
    yield "D M=STOR"
    if of.real_mb is None:
        return
    when = of.start + dt.timedelta(hours=of.hours)
    yield f"IEE174I {when:%H.%M.%S} DISPLAY M"
    yield from ["REAL STORAGE STATUS", "ONLINE-NOT RECONFIGURABLE"]
    yield f"  0M-{of.real_mb}M"
    yield from ["ONLINE-RECONFIGURABLE", "  NONE", "PENDING OFFLINE", "  NONE"]
    yield "STORAGE INCREMENT SIZE IS 64M"


EMITTER = Emitter(
    "zos_storage", "displays of storage", "zos_displays", StorageDisplays, write
)
