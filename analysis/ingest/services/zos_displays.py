"""Console displays of storage of z/OS: of TCP/IP, of CSM and VTAM, and real storage.

``D TCPIP,,STOR`` (EZZ8453I), ``D NET,CSM`` (IVT5529I), ``D NET,BFRUSE`` (IST350I) and
``D M=STOR`` (IEE174I), as a console shows them or as lines of the hardcopy log, whose
system and local time are taken. K, M and G are powers of 1024. Each display has its
last message; of one that lacks it nothing is used. Layouts: z/OS Communications Server
IP System Administrator's Commands, "DISPLAY TCPIP,,STOR"; SNA Messages, IVT5529I and
IST449I; MVS System Messages, IEE174I.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import NO_ZONE, local_text, zone_info
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import BINARY_STEPS, LogText, UnreadableError, quoted
from analysis.ingest.printed import Resolved
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

FORMAT = "zos_displays"
TITLE = "Console displays of storage (z/OS)"
TESTED = "examples in IBM's books"
SIGNS = ("ezz storage", "ivt csm", "ist buffer", "iee display m")
_HEADS = {
    "EZZ8453I TCPIP STORAGE": "TCPIP",
    "IVT5529I PROCESSING DISPLAY CSM": "CSM",
    "IST350I DISPLAY TYPE = BUFFER POOL DATA": "VTAM",
    "IEE174I": "REAL",
}
_MARK = re.compile(
    rb"EZZ8453I TCPIP STORAGE|IVT5529I PROCESSING DISPLAY CSM"
    rb"|IST350I DISPLAY TYPE = BUFFER POOL DATA|IEE174I \S{8} DISPLAY M"
)
_ENDS = {"EZZ8459I": "TCPIP", "IVT5599I": "CSM", "IST314I": "VTAM"}
_INCREMENT = "STORAGE INCREMENT SIZE"  # ends D M=STOR
_MESSAGE = re.compile(r"\b(EZZ|EZD|IVT|IST|IEE)\d{3,4}I\b")
_STAMP = re.compile(
    r"\S[\S ][\dA-F]{7} (\S{1,8}) {1,9}(\d{7}|\d{5}) (\d\d:\d\d:\d\d)\.\d\d "
)
_SIZE = re.compile(r"(\d{1,12})([KMG]?)", re.ASCII)
_RANGE = re.compile(r"(?<!\S)(\d{1,9}[KMG])-(\d{1,9}[KMG])$")
_VTAM = re.compile(
    r"(?:IST449I (\S{1,16}) ?LIMIT = (\S{1,16}), |IST981I VTAM (PRIVATE): )"
    r"CURRENT = (\S{1,16}), MAXIMUM(?: USED)? = (\S{1,16})$"
)
_MODULES = re.compile(r"IST1565I (\S{1,16} MODULES) = (\S{1,16})$")


@dataclass
class _Display:
    """One display so far; ``place`` is that of the areas that follow."""

    kind: str
    line: int
    about: dict[str, Any]
    rows: list[dict[str, Any]] = field(default_factory=list)
    place: str | None = None
    online: bool = False

    def add(self, line: int, **values: Any) -> None:
        """A row, with what all rows of the display share."""
        self.rows.append({**self.about, **values, "position": line})


def recognise(head: bytes) -> bool:
    """Whether a file that begins so holds displays of storage."""
    return _MARK.search(head) is not None


def read(raw: Raw, zone: str | None = None) -> Reading:
    """``storage_snapshot`` rows; ``zone`` is that of the times of a hardcopy log."""
    reading = read_log(raw, FORMAT, "z/OS console", partial(_parse, zone=zone))
    table = reading.tables.get("storage_snapshot")
    if table is not None:
        reading.systems = table["system"].drop_nulls().unique().sort().to_list()
    return reading


def _parse(log: LogText, zone: str | None) -> list[Result]:
    out, whole = Result(), list[_Display]()
    now: _Display | None = None
    for line, text in enumerate(log.lines, 1):
        if head := next((head for head in _HEADS if head in text), None):
            _lose(now, out)
            now = _Display(_HEADS[head], line, _about(text, zone, out))
        elif now and _read(now, text, line):
            whole.append(now)
            now = None
    rows = [row for display in whole for row in display.rows]
    out.tables["storage_snapshot"] = rows
    out.records = {"display": len(whole)}
    if now:
        out.judge("truncated", _without_end(now), now.line)
    if not rows and not now:
        out.judge("failed", remark("no_storage_display"))
    return [out]


def _without_end(display: _Display) -> Remark:
    return remark(
        "display_without_end", f"the display of {display.kind} has no last message"
    )


def _lose(display: _Display | None, out: Result) -> None:
    """A display that another one breaks off."""
    if display:
        out.judge("degraded", _without_end(display), display.line)


def _about(text: str, zone: str | None, out: Result) -> dict[str, Any]:
    """System and time of a line of the hardcopy log; nothing of other lines."""
    found = _STAMP.match(text)
    if not found:
        return {}
    system, day, time = found.groups()
    try:
        when = dt.datetime.strptime(f"{day[-5:]} {time}", "%y%j %H:%M:%S")
    except ValueError:
        return {"system": system}
    if zone is None and out.cause != NO_ZONE:
        out.judge("degraded", NO_ZONE)
    return {
        "system": system,
        "start_utc": local_text(when, zone_info(zone) if zone else None),
    }


def _read(display: _Display, text: str, line: int) -> bool:
    """Take what a line says; whether it is the last of the display."""
    if display.kind == "REAL":
        return _real(display, text, line)
    found = _MESSAGE.search(text)
    if not found:
        return False
    message, rest = found[0], text[found.start() :]
    if _ENDS.get(message) == display.kind:
        return True
    {"TCPIP": _tcpip, "CSM": _csm, "VTAM": _vtam}[display.kind](display, rest, line)
    return False


def _tcpip(display: _Display, text: str, line: int) -> None:
    message, *words = text.split()
    if message == "EZZ8454I" and words:
        display.about = display.about | {"job": words[0]}
    elif message == "EZD2018I" and words:
        display.place = words[0].lower()
    elif message == "EZZ8455I" and len(words) > 3:
        current, most, limit = (_size(word, line) for word in words[-3:])
        area, place = " ".join(words[:-3]), display.place
        figures = {"current_bytes": current, "maximum_bytes": most}
        display.add(line, area=area, place=place, limit_bytes=limit, **figures)


def _csm(display: _Display, text: str, line: int) -> None:
    """The totals of a source, and of all; the pools of each size are in them."""
    message, *words = text.split()
    if message in ("IVT5535I", "IVT5536I") and len(words) > 4:
        used, _, whole = (_size(word, line) for word in words[-3:])
        area = f"CSM {' '.join(words[1:-3])}"
        display.add(line, area=area, current_bytes=used, allocated_bytes=whole)


def _vtam(display: _Display, text: str, line: int) -> None:
    if found := _VTAM.match(text):
        limit = _size(found[2], line) if found[2] else None
        current, most = _size(found[4], line), _size(found[5], line)
        area = f"VTAM {found[1] or found[3]}"
        figures = {"current_bytes": current, "maximum_bytes": most}
        display.add(line, area=area, limit_bytes=limit, **figures)
    elif found := _MODULES.match(text):
        current = _size(found[2], line)
        display.add(line, area=f"VTAM {found[1]}", current_bytes=current)


def _real(display: _Display, text: str, line: int) -> bool:
    """Storage online, which may have several ranges."""
    if _INCREMENT in text:
        return True
    if "ONLINE-" in text or "PENDING OFFLINE" in text:
        display.online = "ONLINE-" in text
    elif display.online and (found := _RANGE.search(text)):
        low, high = (_size(end, line) or 0 for end in found.groups())
        if high < low:
            raise UnreadableError(remark("not_a_size", text=quoted(found[0])), line)
        display.add(line, area="REAL STORAGE", current_bytes=high - low)
    return False


def _size(text: str, line: int) -> Resolved | None:
    """Bytes, in steps of the unit; null where there is no limit."""
    if text == "NOLIMIT":
        return None
    found = _SIZE.fullmatch(text)
    if not found:
        raise UnreadableError(remark("not_a_size", text=quoted(text)), line)
    return Resolved(int(found[1]), 1) * BINARY_STEPS[found[2]]
