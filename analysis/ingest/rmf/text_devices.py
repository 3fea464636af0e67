"""DIRECT ACCESS DEVICE ACTIVITY in text.

Headings stand above each other in two or three lines, and releases have other ones and
other places. The words of a column are read from above: ``AVG``, ``RESP`` and ``TIME``
are *AVG RESP TIME*. Times are milliseconds. Lines without the number of a device, such
as those of a storage group or of a logical control unit, are sums.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from analysis.facts.remark import remark
from analysis.ingest.rmf.clock import ReportInterval
from analysis.ingest.rmf.collect import Collector, Row
from analysis.ingest.rmf.figures import number
from analysis.ingest.rmf.text_columns import TextColumns, stacked
from analysis.ingest.rmf.text_pages import Line, ReportPage

DEVICES = "DIRECT ACCESS DEVICE ACTIVITY"
_DEVICE = "DEV NUM"
_TEXTS = {"volume": "VOLUME SERIAL", "lcu": "LCU", "kind": "DEVICE TYPE"}
_FIGURES = {
    "rate": "DEVICE ACTIVITY RATE",
    "response_ms": "AVG RESP TIME",
    "iosq_ms": "AVG IOSQ TIME",
    "pending_ms": "AVG PEND TIME",
    "disconnect_ms": "AVG DISC TIME",
    "connect_ms": "AVG CONN TIME",
    "connect_pct": "% DEV CONN",
    "busy_pct": "% DEV UTIL",
}
_IS_NUMBER = re.compile(r"[0-9A-F]{4,5}")
_HEADING = re.compile(r"[A-Z%\s]+")
_COMMA = re.compile(r"\d,\d")


@dataclass
class TextDevices:
    """The pages of one report of devices, read so far: cells by line."""

    found: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    def read(self, page: ReportPage) -> None:
        """Add what a page says."""
        self.found += _rows(page.lines)

    def repeats(self, page: ReportPage) -> bool:
        """Whether the page has a device that another page had: a report anew."""
        known = {cells[_DEVICE] for _, cells in self.found}
        return any(cells[_DEVICE] in known for _, cells in _rows(page.lines))

    def add(self, interval: ReportInterval, to: Collector) -> None:
        """The rows of ``device_interval``; one with a figure that may be wrong is not
        used."""
        for at, cells in self.found:
            if odd := next(filter(_COMMA.search, cells.values()), None):
                to.lost_to_comma(odd, at)
            elif number(cells.get(_FIGURES["rate"])) is None:
                to.lost(
                    remark(
                        "odd_line_of_devices",
                        "a line of a device has no activity rate that is a number: it "
                        "is left out",
                    ),
                    at,
                )
            else:
                to.add("device_interval", replace(interval, position=at), _row(cells))


def _rows(lines: list[Line]) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each device, below the headings that stand above it."""
    heads: TextColumns | None = None
    above: list[str] = []
    for at, text in lines:
        if text.strip() and _HEADING.fullmatch(text):
            above.append(text)
            continue
        if above:
            made, above = stacked(above), []
            heads = made if made.has(_DEVICE) else None
        if heads and text.strip():
            cells = heads.cells(text)
            if _IS_NUMBER.fullmatch(cells.get(_DEVICE, "")):
                yield at, cells


def _row(cells: dict[str, str]) -> Row:
    texts = {name: cells.get(head) for name, head in _TEXTS.items()}
    figures = {name: number(cells.get(head)) for name, head in _FIGURES.items()}
    return {"device": cells[_DEVICE], **texts, **figures}
