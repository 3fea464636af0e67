"""CPU ACTIVITY and PARTITION DATA REPORT in text.

CPU numbers are hexadecimal. ``-----`` is not applicable. With multithreading the lines
of the further threads of a core have neither number nor type. Totals close each type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from analysis.ingest.rmf.cpu_report import CpuLine, CpuReport, Partition
from analysis.ingest.rmf.figures import clock_seconds, cpu_type, number
from analysis.ingest.rmf.text_columns import TextColumns, columns
from analysis.ingest.rmf.text_pages import ReportPage

_CPU_HEADS = (
    "NUM|TYPE|ONLINE|LPAR BUSY|MVS BUSY|PARKED|PROD|UTIL|SHARE %|RATE|% VIA TPI"
)
_PARTITION_HEADS = (
    "NAME|S|BT|WGT|DEF|ACT|DEF|WLM%|NUM|TYPE|EFFECTIVE|TOTAL|EFFECTIVE|TOTAL|LPAR MGMT"
)
_IS_CPU_HEAD = re.compile(r"\s*NUM\s+TYPE\s.*LPAR\s+BUSY", re.IGNORECASE)
_IS_PARTITION_HEAD = re.compile(r"\s*NAME\s+S\s.*TYPE\s+EFFECTIVE", re.IGNORECASE)
_TOTAL = re.compile(r"\s*TOTAL\s*/\s*AVERAGE:?", re.IGNORECASE)
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,4}")
_RULE = re.compile(r"[\s\-]*")
_END = re.compile(r"SYSTEM ADDRESS SPACE|ADDRESS SPACE ANALYSIS", re.IGNORECASE)
_MACHINE = {
    "CPU": re.compile(r"^\s*CPU\s+([0-9A-F]{4})\s", re.IGNORECASE),
    "Release": re.compile(r"^\s*z/OS\s+(V\d+R\d+)\s", re.IGNORECASE),
    "Model": re.compile(r"^\s*MODEL\s+(\S+)", re.IGNORECASE),
    "Sequence Code": re.compile(r"SEQUENCE CODE\s+(\S+)", re.IGNORECASE),
    "HiperDispatch": re.compile(r"HIPERDISPATCH\s*=\s*(\S+)", re.IGNORECASE),
    "Change Reason": re.compile(r"CHANGE REASON\s*=\s*(\S+)", re.IGNORECASE),
    "Boost Type": re.compile(r"BOOST TYPE\s*=\s*(\S+)", re.IGNORECASE),
    "Boost Class": re.compile(r"BOOST CLASS\s*=\s*(\S+)", re.IGNORECASE),
    "MVS Partition Name": re.compile(r"MVS PARTITION NAME\s+(\S+)", re.IGNORECASE),
    "Wait Completion": re.compile(r"WAIT COMPLETION\s+(YES|NO)", re.IGNORECASE),
}


@dataclass
class TextCpu:
    """The pages of one CPU report, read so far."""

    report: CpuReport = field(default_factory=CpuReport)
    numbers: set[tuple[str, str]] = field(default_factory=set)
    open_line: int | None = None  # a table of CPUs that has no total yet
    odd_line: int | None = None  # a line among the CPUs that is not understood

    def read(self, page: ReportPage) -> None:
        """Add what a page says."""
        heads: TextColumns | None = None
        for at, text in page.lines:
            self._describe(text)
            if _IS_CPU_HEAD.match(text):
                heads = columns(text, _CPU_HEADS.split("|"))
            elif _END.search(text):
                heads = None
            elif heads and not _RULE.fullmatch(text):
                self._read_line(heads, at, text)

    def repeats(self, page: ReportPage) -> bool:
        """Whether the page has a CPU that another page had: a report anew."""
        other = TextCpu()
        for _, text in page.lines:
            if found := re.match(r"\s*([0-9A-F]{1,4})\s+(CP|IIP|AAP)\s", text):
                other.numbers.add((found[1], cpu_type(found[2])))
        return bool(other.numbers & self.numbers)

    def _describe(self, text: str) -> None:
        for name, pattern in _MACHINE.items():
            if name not in self.report.said and (found := pattern.search(text)):
                self.report.said[name] = found[1]

    def _read_line(self, heads: TextColumns, at: int, text: str) -> None:
        if total := _TOTAL.match(text):
            cells = heads.cells(" " * total.end() + text[total.end() :])
            if self.report.cpus:
                busy, mvs = (
                    number(cells.get("LPAR BUSY")),
                    number(cells.get("MVS BUSY")),
                )
                self.report.totals.setdefault(self.report.cpus[-1].kind, (busy, mvs))
            self.open_line = None
            return
        cells = heads.cells(text)
        cpu = self._cpu(cells) or self._thread(cells)
        if cpu:
            self.report.cpus.append(cpu)
            self.open_line = at
        elif self.open_line is not None:
            self.odd_line = self.odd_line or at

    def _cpu(self, cells: dict[str, str]) -> CpuLine | None:
        number_, kind = cells.get("NUM", ""), cells.get("TYPE", "")
        if not _HEXADECIMAL.fullmatch(number_) or not kind.isalpha():
            return None
        cpu = (number_.upper(), cpu_type(kind))
        self.report.twice = cpu if cpu in self.numbers else self.report.twice
        self.numbers.add(cpu)
        online = number(cells.get("ONLINE", "100.00")) or 0.0
        busy = number(cells.get("LPAR BUSY")), number(cells.get("MVS BUSY"))
        return CpuLine(
            cpu_type(kind), online, *busy, number(cells.get("PARKED")) or 0.0
        )

    def _thread(self, cells: dict[str, str]) -> CpuLine | None:
        """A further thread of the core in the line above."""
        if not self.report.cpus or not {"MVS BUSY", "PARKED"} <= set(cells):
            return None
        if set(cells) - {"MVS BUSY", "PARKED", "ONLINE", "RATE", "% VIA TPI"}:
            return None
        core = self.report.cpus[-1]
        mvs, parked = number(cells["MVS BUSY"]), number(cells["PARKED"])
        online = number(cells.get("ONLINE")) if "ONLINE" in cells else core.online
        return CpuLine(core.kind, online or 0.0, None, mvs, parked or 0.0)

    def read_partitions(self, page: ReportPage) -> None:
        """Add what a page of the PARTITION DATA REPORT says."""
        heads: TextColumns | None = None
        kind = ""
        for _, text in page.lines:
            self._describe(text)
            if _IS_PARTITION_HEAD.match(text):
                heads = columns(text, _PARTITION_HEADS.split("|"))
            elif heads:
                cells = heads.cells(text)
                kind = cpu_type(cells.get("TYPE", "")) or kind
                self._add_partition(cells, kind)
        said = self.report.said
        self.report.own = said.get("MVS Partition Name", "")
        self.report.waits = said.get("Wait Completion", "").upper() != "NO"

    def _add_partition(self, cells: dict[str, str], kind: str) -> None:
        name = cells.get("NAME", "").split(" ")[0]
        total = clock_seconds(cells.get("TOTAL"))
        if not kind or not name or total is None or name.upper() == "TOTAL":
            return
        self.report.partitions.append(
            Partition(
                name,
                kind,
                cells.get("WGT", "").upper().startswith("DED"),
                number(cells.get("NUM")),
                clock_seconds(cells.get("EFFECTIVE")),
                total,
            )
        )
