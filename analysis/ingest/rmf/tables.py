"""Which tables a report fills, and from which columns: one declaration for all forms.

Of Monitor III every number goes to ``metric_interval`` under its column id; the reports
on CPCs and channels fill ``cpu_interval`` and ``channel_interval``, too. Ids are those
of genuine documents of z/OS V2R5. It counts by samples and with one decimal: its rows
carry the basis ``monitor3_cpc``, and do not mix with those of the Postprocessor.

Times of devices are milliseconds. Overview reports have one line an interval and one
column a condition, under names of the user's choice: every figure goes to
``metric_interval``, and those named as RMF's conditions for CPUs (z/OS RMF User's
Guide, conditions of record 70-1) to ``cpu_interval``, too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable

from analysis.facts.remark import remark
from analysis.ingest.rmf import figures
from analysis.ingest.rmf.collect import MOST_PERCENT, Collector
from analysis.ingest.rmf.cpu import add_cpu
from analysis.ingest.rmf.figures import (
    MDY,
    count,
    cpu_type,
    in_millions,
    millions,
    number,
    scaled,
    size,
)  # fmt: skip
from analysis.ingest.rmf.report import Fields, Report, ReportPart, Row, column
from analysis.ingest.rmf.wlm import add_classes

OVERVIEW, NO_DATA = "OVERVIEW", "*NoData*"


def add_report(report: Report, to: Collector, order: str = MDY) -> None:
    """The rows of a report of the Postprocessor; ``order`` is that of its dates."""
    to.reports[report.name] += 1
    if report.is_overview:
        _add_overview(report, order, to)
        return
    add, is_new = READERS.get(report.name), to.begin(report)
    if add is None:
        to.undecoded.add(report.name)
        to.see_system(report.system)
    elif is_new:
        add(report, to)


_CHANNEL: Fields = (
    column("channel", str, "channel path id", "CHACPIVC"),
    column("online", lambda text: text.lower() == "online", "status"),
    column("kind", str, "type", "CHACPTVC"),
    column("speed_mbps", in_millions, "speed"),
    column("partition_busy_pct", number, "util% + lpar", "CHACPUVC"),
    column("total_busy_pct", number, "util% + total", "CHACTUVC"),
    column("bus_busy_pct", number, "util% + bus", "CHACTBVC"),
    column("partition_read_bytes_per_second", millions, "read mb/sec + lpar"),
    column("total_read_bytes_per_second", millions, "read mb/sec + total"),
    column("partition_write_bytes_per_second", millions, "write mb/sec + lpar"),
    column("total_write_bytes_per_second", millions, "write mb/sec + total"),
    column("partition_read_bytes_per_second", number, "CHACPRVC"),
    column("total_read_bytes_per_second", number, "CHACTRVC"),
    column(
        "partition_write_bytes_per_second", scaled, "write b/sec + lpar", "CHACPWVC"
    ),
    column("total_write_bytes_per_second", scaled, "write b/sec + total", "CHACTWVC"),
    column("partition_messages_per_second", scaled, "message rate + lpar"),
    column("total_messages_per_second", scaled, "message rate + total"),
    column("send_failures_per_second", scaled, "send failed + lpar"),
    column("receive_failures_per_second", scaled, "receive failed + lpar"),
)
_DEVICE: Fields = (
    column("device", str, "device number", "dev num"),
    column("volume", str, "volume"),
    column("lcu", str, "lcu"),
    column("kind", str, "device type"),
    column("rate", number, "device activity rate"),
    column("response_ms", number, "average response time", "avg resp time"),
    column("iosq_ms", number, "ios queue", "avg iosq time"),
    column("pending_ms", number, "pending", "avg pend time"),
    column("disconnect_ms", number, "average + disconnect", "avg disc time"),
    # The blank tells it from the time of disconnecting.
    column("connect_ms", number, "average +  connect time", "avg conn time"),
    column("busy_pct", number, "% device utilized", "% dev util"),
    column("connect_pct", number, "% device connect", "% dev conn"),
)
_FUNCTION: Fields = (
    column("function", str, "function id"),
    column("channel", str, "chid"),
    column("device", str, "function name"),
    column("job", str, "job"),
    column("allocated_seconds", number, "alloc + time"),
    column("read", millions, "read + rate"),
    column("written", millions, "write + rate"),
    column("received", millions, "received"),
    column("sent", millions, "transmitted"),
)


def _keyed(report: Report, fields: Fields) -> Iterable[Row]:
    """One row for each value of the first field; what several rows and parts tell of
    one is put together, and the first figure counts."""
    rows: dict[str, Row] = {}
    for part in report.parts:
        for row in part.read(fields):
            if name := row.get(fields[0][0]):
                known = rows.get(name, {})
                rows[name] = row | {k: v for k, v in known.items() if v is not None}
    return rows.values()


def _add_channels(report: Report, to: Collector) -> None:
    """The rows of ``channel_interval``: channel paths, HiperSockets among them."""
    for row in _keyed(report, _CHANNEL):
        to.add("channel_interval", report, row)


def _add_devices(report: Report, to: Collector) -> None:
    """The rows of ``device_interval``; times are means over requests. A printed line
    without a rate has its figures under headings of others: it is not used."""
    for part in report.parts:
        for row in part.read(_DEVICE):
            if "position" in row and row.get("rate") is None:
                what = "a line of a device has no activity rate that is a number"
                odd = remark("odd_line_of_devices", f"{what}: it is left out")
                to.lost(odd, row["position"])
            elif "device" in row:
                to.add("device_interval", report, row)


def _add_functions(report: Report, to: Collector) -> None:
    """The rows of ``pcie_interval``: bytes are rates × allocated time."""
    for row in _keyed(report, _FUNCTION):
        rates = [
            row.pop(name, None) for name in ("read", "written", "received", "sent")
        ]
        allocated = row.get("allocated_seconds")
        time = report.seconds if allocated is None else allocated
        # Bytes by direct memory access, or of the Ethernet side.
        for counts, both in (("dma", rates[:2]), ("ethernet", rates[2:])):
            if both != [None, None]:
                moved = [None if rate is None else round(rate * time) for rate in both]
                row |= {"counts": counts, "bytes_in": moved[0], "bytes_out": moved[1]}
                break
        to.add("pcie_interval", report, row)


_XCF: Fields = (
    column("partner", str, "to system", "from system"),
    column("transport_class", str, "transport class"),
    column("xcf_group", str, "group"),
    column("member", str, "member"),
    column("status", str, "status"),
    column("requests_out", count, "req + out"),
    column("requests_in", count, "req + in"),
    column("rejected", count, "rejected"),
)
_DIRECTIONS = ("local", "outbound", "inbound")


def _add_xcf(report: Report, to: Collector) -> None:
    """The rows of ``xcf_interval``: requests by transport class, member or path."""
    for part in report.parts:
        name = part.name.lower()
        direction = next((one for one in _DIRECTIONS if name.startswith(one)), None)
        place = {"scope": part.section or None, "direction": direction}
        for row in part.read(_XCF):
            if "transport_class" in row or "member" in row:
                to.add("xcf_interval", report, place | row)


_STORAGE: dict[str | None, Fields] = {
    None: (column("mean_bytes", size, "size"),),
    **{
        place: (
            column("minimum_bytes", size, f"{place} + min"),
            column("maximum_bytes", size, f"{place} + max"),
            column("mean_bytes", size, f"{place} + avg"),
        )
        for place in ("below 16M", "above 16M")
    },
}


def _add_storage(report: Report, to: Collector) -> None:
    """The rows of ``storage_interval``: virtual storage of areas and of keys, below and
    above 16 MB where it is told apart."""
    for part in report.parts:
        for cells in [*part.rows, *part.totals]:
            area = " ".join(filter(None, (part.name, *cells[:1])))
            for place, fields in _STORAGE.items():
                for row in part.read(fields, [cells]):
                    if any(value is not None for value in row.values()):
                        row |= {"area": area, "place": place}
                        to.add("storage_interval", report, row)
    for name, value in report.values.items():
        if value[-1] in "KMG" and (mean := size(value)) is not None:
            row = {"area": name, "mean_bytes": mean}
            to.add("storage_interval", report, row)


# By type of CPU: conditions of its busy, its MVS busy and the number of CPUs.
_CONDITIONS = {
    "CP": (("CPUBSY", "CPUBUSY"), ("MVSBSY", "MVSBUSY"), ("NUMPROC", "NUMCP")),
    "zIIP": (("IIPBSY", "IIPBUSY"), ("IIPMBSY",), ("NUMIIP",)),
    "zAAP": (("AAPBSY", "CPUIBSY"), ("AAPMBSY", "MVSIBSY"), ("NUMAAP", "NUMIFA")),
}
_LENGTHS = ("int", "interval")


def overview_columns(part: ReportPart) -> tuple[int, int, int] | None:
    """The columns of date, time and length; null where the part is no overview."""
    heads = [heading.lower() for heading in part.heads]
    length = next((at for at, head in enumerate(heads) if head in _LENGTHS), None)
    if "date" not in heads or "time" not in heads or length is None:
        return None
    return heads.index("date"), heads.index("time"), length


def _add_overview(report: Report, order: str, to: Collector) -> None:
    """The rows of the lines, and what cannot be told from them."""
    uncounted = set[str]()
    for part in report.parts:
        when = overview_columns(part)
        for nth, cells in enumerate(part.rows if when else ()):
            date, time, length = (cells[at] for at in when or ())
            start = _line_start(date, time, report.window.start, order)
            named = enumerate(zip(part.heads, cells, strict=False))
            texts = {
                name: text
                for at, (name, text) in named
                if text and at not in (when or ())
            }
            line = Report(
                OVERVIEW,
                report.system,
                figures.window(start, None, figures.whole_seconds(length)),
                part.places[nth] if part.places else report.place,
                repr(sorted(texts.items())).encode(),
            )
            if to.begin(line):
                uncounted |= _add_conditions(texts, line, to)
    for kind in sorted(uncounted):
        wanted = " or ".join(_CONDITIONS[kind][2])
        what = f"CPU seconds of {kind} need the number of CPUs: ask for {wanted} too"
        to.problem(remark("number_of_cpus_needed", what))


def _line_start(
    date: str, time: str, begin: dt.datetime | None, order: str
) -> dt.datetime | None:
    """When a line begins; a date without a year is of the report's year or the next."""
    if len(date) > len("12/31") or begin is None:
        return figures.local_time(f"{date}-{time}", order)
    dates = (f"{date}{date[2:3]}{begin.year + more}-{time}" for more in (0, 1))
    starts = (figures.local_time(text, order) for text in dates)
    return next((start for start in starts if start and start >= begin), None)


def _add_conditions(texts: dict[str, str], report: Report, to: Collector) -> set[str]:
    """The rows of one line; the types of CPUs that lack their number."""
    values = {name: scaled(text) for name, text in texts.items()}
    for name, value in values.items():
        row: Row = {"report": OVERVIEW, "metric": name, "value": value}
        to.add("metric_interval", report, row)
    upper = {name.upper(): value for name, value in values.items()}
    uncounted = set()
    for kind, conditions in _CONDITIONS.items():
        busy, mvs, cpus = (
            next((upper[name] for name in names if upper.get(name) is not None), None)
            for names in conditions
        )
        if busy is None:
            continue
        if cpus is None:
            uncounted.add(kind)
            continue
        row = {
            "cpu_type": kind,
            "online_cpus": cpus,
            "busy_pct": busy,
            "mvs_busy_pct": mvs,
            "basis": "lpar_busy",
        }
        to.add("cpu_interval", report, row)
    return uncounted


# Each by its id in XML, and by its title in print.
READERS: dict[str, Callable[[Report, Collector], None]] = {
    "CPU": add_cpu,
    "CPU ACTIVITY": add_cpu,
    "WLMGL": add_classes,
    "WORKLOAD ACTIVITY": add_classes,
    "CHAN": _add_channels,
    "DEVICE": _add_devices,
    "DIRECT ACCESS DEVICE ACTIVITY": _add_devices,
    "PCIE": _add_functions,
    "XCF": _add_xcf,
    "VSTOR": _add_storage,
}
_BUSY, _PHYSICAL = "CPCPLTOU", "CPCPPTOU"  # of logical, of physical CPUs
_SHARES = ("CPCPLEFU", _BUSY, "CPCPPLMU", "CPCPPEFU", _PHYSICAL)  # of CPUs [%]


def system_of(resource: str) -> str:
    """The system of a label such as ``,SYSA,MVS_IMAGE``; empty for other resources."""
    match resource.split(","):
        case [_, system, kind] if kind.strip().upper() == "MVS_IMAGE":
            return system.strip()
    return ""


def add_monitor(report: Report, to: Collector) -> None:
    """All rows of a report, which has one part."""
    to.reports[report.name] += 1
    when = report.window
    if not to.begin(report):
        if when.doubt or (when.start and when.seconds):
            return
        what = "it does not say when it began and how long it was"
        to.problem(remark("report_without_time", what), report.place)
        what = "its reports do not say when they began and how long they were"
        to.untimed = remark("reports_without_time", what)
    (part,) = report.parts
    _add_metrics(report, part, to)
    if report.name == "CPC":
        _add_cpc(report, part, to)
    elif report.name == "CHANNEL":
        _add_channels(report, to)


def _add_metrics(report: Report, part: ReportPart, to: Collector) -> None:
    place = (report.name, report.resource, report.start_utc, report.seconds)
    before = to.resources[place] if report.start_utc else set()
    here: set[str] = set()
    # Without headings, a row is a name and its figure.
    columns = part.heads or ("", report.name)
    for cells in part.rows:
        if not cells or cells[0] == NO_DATA:
            continue
        has_figure = False
        for name, cell in list(zip(columns, cells, strict=False))[1:]:
            value = number(cell)
            if report.name == "CPC" and name in _SHARES:
                figure = f"{name} of {cells[0]}"
                value = to.percentage(value, figure, report.place)
            if value is None and part.heads:
                continue
            has_figure |= value is not None
            row: Row = {"report": report.name, "resource": cells[0] or None}
            row |= {"metric": name, "value": value}
            to.add("metric_interval", report, row)
        if not cells[0] or not has_figure:
            continue
        # Rows of a table may share a name: two jobs, or an LPAR by type of CPU.
        if cells[0] in before or (len(columns) < 3 and cells[0] in here):
            what = f"{report.name} has a row for {cells[0]!r} twice in one interval"
            to.lost(remark("figure_again", f"{what}: keep one"), report.place)
        here.add(cells[0])
    before |= here


def _add_cpc(report: Report, part: ReportPart, to: Collector) -> None:
    """LPAR busy of the partition that the report names as its own; and which type of
    CPUs has partitions that do not add up to its line, but for the rounding of each."""
    kind, mine = "", part.values.get("CPCHPNAM", "")
    lines: dict[str, list[float | None]] = {}
    for cells in part.rows:
        name = part.cell(cells, "CPCPPNAM")
        if not name:
            continue
        kind = name if name.startswith("*") else kind
        lines.setdefault(kind, []).append(number(part.cell(cells, _PHYSICAL)))
        busy = number(part.cell(cells, _BUSY))
        cpus = number(part.cell(cells, "CPCPLPNO"))
        # A share that cannot be was told of as a figure in metric_interval.
        if name == mine and busy is not None and cpus and 0 <= busy <= MOST_PERCENT:
            row: Row = {
                "cpu_type": cpu_type(kind[1:]) or "CP",
                "online_cpus": cpus,
                "busy_pct": busy,
                "basis": "monitor3_cpc",
            }
            to.add("cpu_interval", report, row)
    for kind, (total, *shares) in lines.items():
        known = [share for share in shares if share is not None]
        if total is None or not shares or len(known) < len(shares):
            continue
        if abs(sum(known) - total) > 0.05 * len(lines[kind]) + 1e-9:
            what = (
                f"the partitions of {kind} add up to {sum(known):.1f}%, but its line "
                f"says {total:.1f}%"
            )
            to.lost(remark("partitions_and_total", what), report.place)
