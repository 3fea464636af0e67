"""Reports of RMF Monitor III, in whichever form the Distributed Data Server sent them.

Every number goes to ``metric_interval`` under its column id; the reports on CPCs and
channels fill ``cpu_interval`` and ``channel_interval`` too. Ids are those of genuine
documents of z/OS V2R5. Monitor III counts by samples and with one decimal: its rows
carry the basis ``monitor3_cpc``, and do not mix with those of the Postprocessor.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field

from analysis.facts.remark import remark
from analysis.ingest.clock import epoch_text
from analysis.ingest.rmf.clock import ReportInterval, Window, contradicts
from analysis.ingest.rmf.collect import MOST_PERCENT, Collector, Row
from analysis.ingest.rmf.figures import cpu_type, number

NO_DATA = "*NoData*"
_BUSY, _PHYSICAL = "CPCPLTOU", "CPCPPTOU"  # of logical, of physical CPUs
NOT_COMPLETE = remark(
    "reports_without_time",
    "its reports do not say when they began and how long they were",
)


@dataclass(frozen=True)
class Times:
    """Begin and end, local and UTC, the length in seconds, and that of one interval of
    the gatherer, of which a report may cover several; null where unknown."""

    local_start: dt.datetime | None = None
    local_end: dt.datetime | None = None
    utc_start: dt.datetime | None = None
    utc_end: dt.datetime | None = None
    seconds: float | None = None
    gatherer: float | None = None


@dataclass
class MonitorReport:
    """One report: ``resource`` is the label such as ``,SYSA,MVS_IMAGE``."""

    name: str
    resource: str
    times: Times
    columns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    caption: dict[str, str] = field(default_factory=dict)

    @property
    def system(self) -> str:
        """The second part of the label of an MVS image."""
        parts = self.resource.split(",")
        is_image = len(parts) == 3 and parts[2].strip().upper() == "MVS_IMAGE"
        return parts[1].strip() if is_image else ""

    def cell(self, row: list[str], column: str) -> str:
        """The text of a row in a column; empty where there is none."""
        index = self.columns.index(column) if column in self.columns else None
        return row[index] if index is not None and index < len(row) else ""


def stamp(text: str | None) -> dt.datetime | None:
    """``20220412042320``; null where it is no time."""
    try:
        return dt.datetime.strptime((text or "").strip(), "%Y%m%d%H%M%S")
    except ValueError:
        return None


def add_monitor(
    report: MonitorReport, position: int, content: bytes, to: Collector
) -> None:
    """All rows of a report."""
    to.reports[report.name] += 1
    interval = _interval(report, position, content, to)
    if interval is None:
        return
    _add_metrics(report, interval, to)
    if reader := _READERS.get(report.name):
        reader(report, interval, to)


def _interval(
    report: MonitorReport, position: int, content: bytes, to: Collector
) -> ReportInterval | None:
    times = report.times
    start, seconds = times.utc_start, times.seconds
    for ends in (
        (times.utc_start, times.utc_end),
        (times.local_start, times.local_end),
    ):
        if seconds and (doubt := contradicts(*ends, seconds)):
            to.lost(doubt, position)
            return None
    if seconds is None and start and times.utc_end:
        seconds = (times.utc_end - start).total_seconds() or None
    seconds = seconds or times.gatherer
    if start is None and times.utc_end and seconds:
        start = times.utc_end - dt.timedelta(seconds=seconds)
    if times.local_start and seconds and start is None:
        window = Window(times.local_start, seconds)
        return to.interval(report.name, report.system, window, position, content)
    if start is None or seconds is None:
        to.problem(
            remark(
                "report_without_time",
                "it does not say when it began and how long it was",
            ),
            position,
        )
        to.untimed = NOT_COMPLETE
        return ReportInterval(report.system or None, None, seconds, position)
    utc = epoch_text(start.replace(tzinfo=dt.UTC).timestamp())
    return ReportInterval(report.system or None, utc, seconds, position)


def _add_metrics(
    report: MonitorReport, interval: ReportInterval, to: Collector
) -> None:
    place = (report.name, report.resource, interval.start_utc, interval.seconds)
    before = to.figures.setdefault(place, set()) if interval.start_utc else set()
    here: set[str] = set()
    for cells in report.rows:
        if not cells or cells[0] == NO_DATA:
            continue
        has_figure = False
        # Without headings, a row is a name and its figure.
        columns = report.columns or ["", report.name]
        for column, cell in list(zip(columns, cells, strict=False))[1:]:
            value = number(cell)
            if report.name == "CPC" and column in _SHARES:
                figure = f"{column} of {cells[0]}"
                value = to.percentage(value, figure, interval.position)
            if value is None and report.columns:
                continue
            row = {"report": report.name, "resource": cells[0] or None}
            row |= {"metric": column}
            has_figure |= value is not None
            to.add("metric_interval", interval, row | {"value": value})
        if not cells[0] or not has_figure:
            continue
        # Rows of a table may share a name: two jobs, or an LPAR by type of CPU.
        if cells[0] in before or (len(cells) < 3 and cells[0] in here):
            twice = remark(
                "figure_again",
                f"{report.name} has a row for {cells[0]!r} twice in one interval: "
                "keep one",
            )
            to.lost(twice, interval.position)
        here.add(cells[0])
    before |= here


_SHARES = ("CPCPLEFU", _BUSY, "CPCPPLMU", "CPCPPEFU", _PHYSICAL)  # of CPUs [%]


def _add_cpc(report: MonitorReport, interval: ReportInterval, to: Collector) -> None:
    """LPAR busy of the partition that the report names as its own."""
    own, kind = report.caption.get("CPCHPNAM", ""), ""
    _check_totals(report, interval, to)
    for cells in report.rows:
        name = report.cell(cells, "CPCPPNAM")
        if name.startswith("*"):
            kind = cpu_type(name[1:])
        busy = number(report.cell(cells, _BUSY))
        cpus = number(report.cell(cells, "CPCPLPNO"))
        if name != own or not own or busy is None or not cpus:
            continue
        if not 0 <= busy <= MOST_PERCENT:
            continue  # as was told of the figure in metric_interval
        used = busy / 100 * float(cpus)
        row: Row = {
            "cpu_type": kind or "CP",
            "online_cpus": cpus,
            "busy_pct": busy,
            "busy_seconds": used * interval.seconds if interval.seconds else None,
            "basis": "monitor3_cpc",
        }
        to.add("cpu_interval", interval, row)


def _check_totals(
    report: MonitorReport, interval: ReportInterval, to: Collector
) -> None:
    """Tell of a type of CPUs whose partitions do not add up to its line, but for the
    rounding of each."""
    lines: dict[str, list[float | None]] = {}
    kind = ""
    for cells in report.rows:
        if name := report.cell(cells, "CPCPPNAM"):
            kind = name if name.startswith("*") else kind
            lines.setdefault(kind, []).append(number(report.cell(cells, _PHYSICAL)))
    for kind, (total, *parts) in lines.items():
        known = [part for part in parts if part is not None]
        if total is None or not parts or len(known) < len(parts):
            continue
        if abs(sum(known) - total) > 0.05 * len(lines[kind]) + 1e-9:
            what = remark(
                "partitions_and_total",
                f"the partitions of {kind} add up to {sum(known):.1f}%, but its "
                f"line says {total:.1f}%",
            )
            to.lost(what, interval.position)


_CHANNEL = {
    "partition_busy_pct": "CHACPUVC",
    "total_busy_pct": "CHACTUVC",
    "bus_busy_pct": "CHACTBVC",
    "partition_read_bytes_per_second": "CHACPRVC",
    "total_read_bytes_per_second": "CHACTRVC",
    "partition_write_bytes_per_second": "CHACPWVC",
    "total_write_bytes_per_second": "CHACTWVC",
}


def _add_channels(
    report: MonitorReport, interval: ReportInterval, to: Collector
) -> None:
    for cells in report.rows:
        channel = report.cell(cells, "CHACPIVC")
        if channel:
            row: Row = {
                name: number(report.cell(cells, column))
                for name, column in _CHANNEL.items()
            }
            row |= {"channel": channel, "kind": report.cell(cells, "CHACPTVC") or None}
            to.add("channel_interval", interval, row)


_READERS: dict[str, Callable[[MonitorReport, ReportInterval, Collector], None]] = {
    "CPC": _add_cpc,
    "CHANNEL": _add_channels,
}
