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
    out = Result(records={"display": 0})
    rows: list[dict[str, Any]] = []
    now: _Display | None = None
    for line, text in enumerate(log.lines, 1):
        if head := next((head for head in _HEADS if head in text), None):
            if now:  # another one breaks it off
                out.judge("degraded", now.without_end(), now.line)
            now = _Display(_HEADS[head], line, _about(text, zone, out))
        elif now and now.take(text, line):
            rows += now.rows
            out.records["display"] += 1
            now = None
    if now:
        out.judge("truncated", now.without_end(), now.line)
    elif not rows:
        out.judge("failed", remark("no_storage_display"))
    out.tables["storage_snapshot"] = rows
    return [out]


def _about(text: str, zone: str | None, out: Result) -> dict[str, Any]:
    """System and time of a line of the hardcopy log; nothing of other lines."""
    stamp = _STAMP.match(text)
    if not stamp:
        return {}
    system, day, time = stamp.groups()
    try:
        when = dt.datetime.strptime(f"{day[-5:]} {time}", "%y%j %H:%M:%S")
    except ValueError:
        return {"system": system}
    if zone is None and out.cause != NO_ZONE:
        out.judge("degraded", NO_ZONE)
    start = local_text(when, zone_info(zone) if zone else None)
    return {"system": system, "start_utc": start}


@dataclass
class _Display:
    """One display so far; ``place`` is that of the areas that follow."""

    kind: str
    line: int
    about: dict[str, Any]
    rows: list[dict[str, Any]] = field(default_factory=list)
    place: str | None = None
    online: bool = False

    def without_end(self) -> Remark:
        """Why nothing of it is used."""
        words = f"the display of {self.kind} has no last message"
        return remark("display_without_end", words)

    def take(self, text: str, line: int) -> bool:
        """Take what a line says; whether it is the last of the display."""
        if self.kind == "REAL":
            return self._real(text, line)
        begin = _MESSAGE.search(text)
        if not begin:
            return False
        if _ENDS.get(begin[0]) == self.kind:
            return True
        read = {"TCPIP": self._tcpip, "CSM": self._csm, "VTAM": self._vtam}[self.kind]
        read(text[begin.start() :], line)
        return False

    def _add(self, line: int, area: str, **values: Any) -> None:
        self.rows.append({**self.about, "area": area, **values, "position": line})

    def _tcpip(self, text: str, line: int) -> None:
        message, *words = text.split()
        if message == "EZZ8454I" and words:
            self.about = self.about | {"job": words[0]}
        elif message == "EZD2018I" and words:
            self.place = words[0].lower()
        elif message == "EZZ8455I" and len(words) > 3:
            current, most, limit = (_size(word, line) for word in words[-3:])
            self._add(
                line,
                " ".join(words[:-3]),
                place=self.place,
                current_bytes=current,
                maximum_bytes=most,
                limit_bytes=limit,
            )

    def _csm(self, text: str, line: int) -> None:
        """The totals of a source, and of all; the pools of each size are in them."""
        message, *words = text.split()
        if message in ("IVT5535I", "IVT5536I") and len(words) > 4:
            used, _, whole = (_size(word, line) for word in words[-3:])
            area = f"CSM {' '.join(words[1:-3])}"
            self._add(line, area, current_bytes=used, allocated_bytes=whole)

    def _vtam(self, text: str, line: int) -> None:
        if pool := _VTAM.match(text):
            self._add(
                line,
                f"VTAM {pool[1] or pool[3]}",
                current_bytes=_size(pool[4], line),
                maximum_bytes=_size(pool[5], line),
                limit_bytes=_size(pool[2], line) if pool[2] else None,
            )
        elif modules := _MODULES.match(text):
            current = _size(modules[2], line)
            self._add(line, f"VTAM {modules[1]}", current_bytes=current)

    def _real(self, text: str, line: int) -> bool:
        """Storage online, which may have several ranges."""
        if "ONLINE-" in text or "PENDING OFFLINE" in text:
            self.online = "ONLINE-" in text
        elif self.online and (ends := _RANGE.search(text)):
            low, high = (_size(end, line) or 0 for end in ends.groups())
            if high < low:
                raise UnreadableError(remark("not_a_size", text=quoted(ends[0])), line)
            self._add(line, "REAL STORAGE", current_bytes=high - low)
        return _INCREMENT in text


def _size(text: str, line: int) -> Resolved | None:
    """Bytes, in steps of the unit; null where there is no limit."""
    if text == "NOLIMIT":
        return None
    size = _SIZE.fullmatch(text)
    if not size:
        raise UnreadableError(remark("not_a_size", text=quoted(text)), line)
    return Resolved(int(size[1]), 1) * BINARY_STEPS[size[2]]
