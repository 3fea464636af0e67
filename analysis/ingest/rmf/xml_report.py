"""XML of RMF: reports of the Postprocessor, of Monitor III, and replies without data.

Of the Postprocessor, the reports of ``READERS`` are decoded and others are counted;
times are local and name no zone. Structure: z/OS RMF Reporter Programmer's Guide,
chapter 1, and genuine documents of z/OS V2R5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from analysis.facts.remark import remark
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.clock import (
    DMY,
    MDY,
    ReportInterval,
    Window,
    local_time,
    window,
)
from analysis.ingest.rmf.collect import Collector, collector
from analysis.ingest.rmf.cpu import add_cpu, tell_boosts
from analysis.ingest.rmf.figures import length_seconds, whole_seconds
from analysis.ingest.rmf.overview import OverviewLine, add_overview
from analysis.ingest.rmf.xml_cpu import cpu_report
from analysis.ingest.rmf.xml_io import add_channels, add_devices, add_functions
from analysis.ingest.rmf.xml_monitor3 import add_metrics, add_report
from analysis.ingest.rmf.xml_more import add_storage, add_xcf
from analysis.ingest.rmf.xml_parts import XmlPart, XmlParts
from analysis.ingest.rmf.xml_tables import Element, Table, tables, text_of
from analysis.ingest.rmf.xml_wlm import add_classes

_INTERVAL = ("int", "interval")

FORMAT = "rmf_xml"
TITLE = "RMF report (XML)"
TESTED = "reports of z/OS V2R5"
SIGNS = ("ddsml", "perf")
_OPTION_ECHO = "ERB103I"
_COMMA = re.compile(rb">\s*(-?\d{1,15},\d{1,15})\s*<")
_AMERICAN = ("en-us", "en_us", "")


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is XML of RMF, in the new or the old dialect."""
    return b"<ddsml" in head or b"<perf-config" in head


def read(raw: Raw, zone: str | None = None) -> Reading:
    """The rows of all reports that are decoded; ``position`` is a byte offset.

    In ``cpu_interval``, ``busy_pct`` is LPAR busy and ``busy_seconds`` are the
    partition's dispatch seconds (``basis`` ``dispatch``, 1 ms), or LPAR busy × online
    CPUs × seconds (``lpar_busy``) where dispatch time is missing or contains waits.
    Without ``zone`` rows of the Postprocessor have no ``start_utc``.
    """
    found = collector(Reading(FORMAT, tool="RMF Postprocessor"), raw, zone)
    parts = XmlParts(raw, found)
    for part in parts:
        _read_part(part, found)
    tell_boosts(found)
    return found.finish(remark("empty_reply"))


def _read_part(part: XmlPart, to: Collector) -> None:
    element = part.element
    if comma := _figure_with_comma(part.content):
        to.lost_to_comma(comma[1].decode(), part.offset + comma.start(1))
    if element.tag == "server":
        version = text_of(element, "version") or element.get("version", "")
        to.reading.details["server"] = version
    elif element.tag == "report":
        to.reading.tool = "RMF Monitor III"
        _read_messages(element, to)
        add_report(element, part.offset, to)
    elif element.tag == "performance-data":
        to.reading.tool = "RMF Monitor III"
        add_metrics(element, part.offset, to)
    elif element.tag == "postprocessor":
        _read_report(part, to)
    else:
        _read_messages(element, to)


def _figure_with_comma(content: bytes) -> re.Match[bytes] | None:
    """The first figure with a comma. Most parts have no comma, or none that digits
    are around, which is found a hundred times as quickly."""
    at = content.find(b",")
    while at >= 0 and not content[at - 1 : at + 2 : 2].isdigit():
        at = content.find(b",", at + 1)
    return _COMMA.search(content) if at >= 0 else None


def _read_messages(element: Element, to: Collector) -> None:
    found = [element] if element.tag == "message" else element.findall("message")
    for message in found:
        said = text_of(message, "description")
        to.messages.append((message.get("id", ""), said))
    for line in element.iterfind("mfpmsg"):
        if line.get("id") != _OPTION_ECHO:
            said = text_of(line).removeprefix("PPS:").strip()
            to.messages.append((line.get("id", ""), said))


def _read_report(part: XmlPart, to: Collector) -> None:
    children = {child.tag: child for child in part.element}
    metric = children.get("metric")
    if "message" in children:
        _read_messages(part.element, to)
    if metric is None:
        return
    name = metric.get("id", "?")
    to.reports[name] += 1
    system = text_of(children.get("resource"), "resname")
    begin, order, window = _times(children.get("time-data"))
    if found := overview_tables(part.element):
        add_overview(overview_lines(found, begin, order, part.offset), system, to)
        return
    reader = READERS.get(name)
    interval = to.interval(name, system, window, part.offset, part.content)
    if reader is None:
        to.undecoded.add(name)
        to.see_system(system)
    elif interval is not None:
        reader(part.element, interval, to)


def _times(element: Element | None) -> tuple[str, str, Window]:
    """The printed start of a report, its order of dates, and its interval."""
    said = {} if element is None else {child.tag: child for child in element}
    start = said.get("display-start")
    locale = "" if start is None else start.get("locale", "").lower()
    order = MDY if locale in _AMERICAN else DMY
    begin, end = text_of(start), text_of(said.get("display-end"))
    seconds = length_seconds(text_of(said.get("report-interval")))
    return (
        begin,
        order,
        window(local_time(begin, order), local_time(end, order), seconds),
    )


def _read_cpu(report: Element, interval: ReportInterval, to: Collector) -> None:
    found = cpu_report(report)
    to.reading.details["machine"] = found.said
    add_cpu(found, interval, to)


READERS: dict[str, Callable[[Element, ReportInterval, Collector], None]] = {
    "CPU": _read_cpu,
    "WLMGL": add_classes,
    "CHAN": add_channels,
    "DEVICE": add_devices,
    "PCIE": add_functions,
    "XCF": add_xcf,
    "VSTOR": add_storage,
}


def overview_tables(report: Element) -> list[Table]:
    """The tables with a date, a time and a length in every row."""
    return [t for t in tables(report) if _when(t) is not None] if _may(report) else []


def _may(report: Element) -> bool:
    metric = report.find("metric")
    said = f"{metric.get('id', '')} {text_of(metric, 'description')}".lower()
    return "overview" in said or said.startswith("ov")


def _when(table: Table) -> tuple[int, int, int] | None:
    """Columns of date, time and length."""
    heads = [heading.lower() for heading in table.heads.names]
    length = next((i for i, h in enumerate(heads) if h in _INTERVAL), None)
    if "date" not in heads or "time" not in heads or length is None:
        return None
    return heads.index("date"), heads.index("time"), length


def overview_lines(
    found: list[Table], begin: str, order: str, position: int
) -> Iterator[OverviewLine]:
    """The rows of the tables; ``begin`` is the start of the report, for its year."""
    for table in found:
        when = _when(table)
        for cells in table.rows if when else []:
            date, time, length = (cells[i] for i in when or ())
            if date.count("/") == 1:
                date = f"{date}/{year_of(begin)}"
            figures = {
                name: cell
                for i, (name, cell) in enumerate(
                    zip(table.heads.names, cells, strict=False)
                )
                if i not in (when or ())
            }
            start = local_time(f"{date}-{time}", order)
            yield OverviewLine(start, whole_seconds(length), figures, position)


def year_of(date: str) -> str:
    """The four digits of a year in a date."""
    groups = date.replace("-", "/").replace(".", "/").split("/")
    return next((group for group in groups if len(group) == 4), "")
