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
recognise = re.compile(
    rb"EZZ8453I TCPIP STORAGE|IVT5529I PROCESSING DISPLAY CSM"
    rb"|IST350I DISPLAY TYPE = BUFFER POOL DATA|IEE174I \S{8} DISPLAY M"
).search
_DISPLAYS = {  # how a display begins and ends, and its lines that are used
    "TCPIP": ("EZZ8453I TCPIP STORAGE", "EZZ8459I", (
        r"EZZ8454I (?P<job>\S+)",
        r"EZD2018I (?P<place>\S+)",  # of the areas that follow
        r"EZZ8455I (?P<area>\S.*) (?P<current>\S+) (?P<maximum>\S+) (?P<limit>\S+)$",
    )),
    # The totals of a source, and of all; the pools of each size are in them.
    "CSM": ("IVT5529I PROCESSING DISPLAY CSM", "IVT5599I", (
        r"IVT553[56]I \S+ (?P<area>\S.*) (?P<current>\S+) \S+ (?P<allocated>\S+)$",
    )),
    "VTAM": ("IST350I DISPLAY TYPE = BUFFER POOL DATA", "IST314I", (
        r"IST449I (?P<area>\S+) ?LIMIT = (?P<limit>\S+), CURRENT = (?P<current>\S+), "
        r"MAXIMUM = (?P<maximum>\S+)$",
        r"IST981I VTAM (?P<area>PRIVATE): CURRENT = (?P<current>\S+), "
        r"MAXIMUM USED = (?P<maximum>\S+)$",
        r"IST1565I (?P<area>\S+ MODULES) = (?P<current>\S+)$",
    )),
    "REAL": ("IEE174I", "STORAGE INCREMENT SIZE", ()),
}  # fmt: skip
STAMP = re.compile(
    r"\S[\S ][\dA-F]{7} (\S{1,8}) {1,9}(\d{7}|\d{5}) (\d\d:\d\d:\d\d)\.\d\d "
)
_SIZE = re.compile(r"(\d{1,12})([KMG]?)", re.ASCII)
_RANGE = re.compile(r"(?<!\S)(\d{1,9}[KMG])-(\d{1,9}[KMG])$")


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
        if kind := next((k for k, (head, *_) in _DISPLAYS.items() if head in text), ""):
            if now:  # another one breaks it off
                out.judge("degraded", now.without_end(), now.line)
            now = _Display(kind, line, _about(text, zone, out))
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
    stamp = STAMP.match(text)
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
    """One display so far; ``about`` is what is known of the areas that follow."""

    kind: str
    line: int
    about: dict[str, Any]
    rows: list[dict[str, Any]] = field(default_factory=list)
    online: bool = False

    def without_end(self) -> Remark:
        """Why nothing of it is used."""
        words = f"the display of {self.kind} has no last message"
        return remark("display_without_end", words)

    def take(self, text: str, line: int) -> bool:
        """Take what a line says; whether it is the last of the display."""
        _, last, patterns = _DISPLAYS[self.kind]
        if self.kind == "REAL":
            self._take_real(text, line)
        words = " ".join(text.split())
        for pattern in patterns:
            if cells := re.search(pattern, words):
                self._take_cells(cells.groupdict(), line)
        return last in text

    def _take_cells(self, cells: dict[str, str], line: int) -> None:
        """What the areas that follow are of, or the sizes of an area."""
        area = cells.pop("area", None)
        if area is None:
            known = {
                name: cell.lower() if name == "place" else cell
                for name, cell in cells.items()
            }
            self.about = self.about | known
            return
        prefix = "" if self.kind == "TCPIP" else f"{self.kind} "
        sizes = {f"{name}_bytes": _size(cell, line) for name, cell in cells.items()}
        row = {**self.about, "area": f"{prefix}{area}", **sizes, "position": line}
        self.rows.append(row)

    def _take_real(self, text: str, line: int) -> None:
        """Storage online, which may have several ranges."""
        if "ONLINE-" in text or "PENDING OFFLINE" in text:
            self.online = "ONLINE-" in text
        elif self.online and (ends := _RANGE.search(text)):
            low, high = (_size(end, line) or 0 for end in ends.groups())
            if high < low:
                raise UnreadableError(remark("not_a_size", text=quoted(ends[0])), line)
            row = {"area": "REAL STORAGE", "current_bytes": high - low}
            self.rows.append({**self.about, **row, "position": line})


def _size(text: str, line: int) -> Resolved | None:
    """Bytes, in steps of the unit; null where there is no limit."""
    if text == "NOLIMIT":
        return None
    size = _SIZE.fullmatch(text)
    if not size:
        raise UnreadableError(remark("not_a_size", text=quoted(text)), line)
    return Resolved(int(size[1]), 1) * BINARY_STEPS[size[2]]
