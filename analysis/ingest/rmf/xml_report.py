"""XML of RMF: reports of the Postprocessor, of Monitor III, and replies without data.

Of the Postprocessor, the reports of ``READERS`` are decoded and others are counted;
times are local and name no zone. Structure: z/OS RMF Reporter Programmer's Guide,
chapter 1, and genuine documents of z/OS V2R5. The old dialect of Monitor III is that of
z/OS V1: one ``<metric>`` each, with its figures in attributes.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis.facts.remark import remark
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.collect import Collector, collector
from analysis.ingest.rmf.figures import (
    DMY,
    MDY,
    figure_with_comma,
    length_seconds,
    local_time,
    monitor_window,
    window,
)
from analysis.ingest.rmf.report import Report, ReportPart
from analysis.ingest.rmf.tables import (
    READERS,
    add_monitor,
    add_report,
    overview_columns,
    system_of,
)
from analysis.ingest.rmf.xml_parts import Element, XmlPart, xml_parts

FORMAT = "rmf_xml"
TITLE = "RMF report (XML)"
TESTED = "reports of z/OS V2R5"
SIGNS = ("ddsml", "perf")
_OPTION_ECHO = "ERB103I"
_AMERICAN = ("en-us", "en_us", "")
_STAMPS = ["local-start", "local-end", "utc-start", "utc-end"]
_LENGTHS = ["data-range", "gatherer-interval"]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is XML of RMF, in the new or the old dialect."""
    return b"<ddsml" in head or b"<perf-config" in head


def read(raw: Raw, zone: str | None = None) -> Reading:
    """The rows of all reports that are decoded; ``position`` is a byte offset.

    Without ``zone`` rows of the Postprocessor have no ``start_utc``.
    """
    to = collector(Reading(FORMAT, tool="RMF Postprocessor"), zone)
    for part in xml_parts(raw, to):
        _read_part(part, to)
    return to.finish(remark("empty_reply"))


def _read_part(part: XmlPart, to: Collector) -> None:
    element = part.element
    if b"," in part.content:
        text = part.content.decode("latin-1")  # a character a byte
        if comma := figure_with_comma(text, ">", "<"):
            to.lost_to_comma(comma[0], part.offset + comma[1])
    if element.tag == "server":
        version = _text(element, "version") or element.get("version", "")
        to.reading.details["server"] = version
        return
    _read_messages(element, to)
    if element.tag == "postprocessor":
        _read_postprocessor(part, to)
    elif element.tag in ("report", "performance-data"):
        to.reading.tool = "RMF Monitor III"
        for report in _monitor_reports(part):
            add_monitor(report, to)


def _read_messages(element: Element, to: Collector) -> None:
    messages = [element] if element.tag == "message" else element.iterfind("message")
    for message in messages:
        to.messages.append((message.get("id", ""), _text(message, "description")))
    for line in element.iterfind("mfpmsg"):
        if line.get("id") != _OPTION_ECHO:
            text = _clean(line.text).removeprefix("PPS:").strip()
            to.messages.append((line.get("id", ""), text))


def _read_postprocessor(part: XmlPart, to: Collector) -> None:
    element = part.element
    metric, time = element.find("metric"), element.find("time-data")
    if metric is None:
        return
    start = None if time is None else time.find("display-start")
    locale = "" if start is None else start.get("locale", "").lower()
    order = MDY if locale in _AMERICAN else DMY
    report = Report(
        metric.get("id", "?"),
        _text(element.find("resource"), "resname"),
        window(
            local_time(_text(time, "display-start"), order),
            local_time(_text(time, "display-end"), order),
            length_seconds(_text(time, "report-interval")),
        ),
        part.offset,
        part.content,
        [],
    )
    named = f"{report.name} {_text(metric, 'description')}".lower()
    may_be_overview = "overview" in named or named.startswith("ov")
    if report.name in READERS or may_be_overview:
        level = _text(element.find("version"), "smf-data").split()
        report.parts = [ReportPart(values={"Release": level[-1]} if level else {})]
        for number, segment in enumerate(element.iterchildren("segment"), 1):
            report.parts += _parts(segment, number)
    report.is_overview = may_be_overview and any(map(overview_columns, report.parts))
    add_report(report, to, order)


def _parts(segment: Element, number: int) -> Iterator[ReportPart]:
    """The parts of a segment, one for each table; its messages are parts that have but
    a name."""
    section = _text(segment, "name")
    for element in segment.iterchildren("part", "message"):
        part = ReportPart(section, number)
        for child in element:
            if child.tag in ("name", "description"):
                part.name = _clean(child.text)
            elif child.tag == "var-list":
                part.values |= _values(child)
            elif child.tag == "table":
                if part.heads:
                    yield part
                    part = ReportPart(section, number, part.name)
                _read_table(child, part)
        yield part


def _read_table(table: Element, part: ReportPart) -> None:
    """The headings and rows of a table."""
    heads = table.find("column-headers")
    texts = () if heads is None else [column.text or "" for column in heads]
    part.heads = tuple(map(_clean, texts))
    is_indented = any("\n" in text for text in texts)
    for row in table.iterchildren("row"):
        cells = [text.strip() if (text := cell.text) else "" for cell in row]
        if is_indented:
            cells = [" ".join(cell.split()) for cell in cells]
        cells += [""] * (len(part.heads) - len(cells))
        (part.totals if row.get("type") == "SUM" else part.rows).append(cells)


def _monitor_reports(xml: XmlPart) -> Iterator[Report]:
    """The reports of a ``<report>``, or of a ``<performance-data>`` of z/OS V1; one
    with a message alone is none."""
    for metric in xml.element.iterchildren("metric"):
        stamps, lengths, part = _STAMPS, ["", ""], ReportPart()
        if xml.element.tag == "report":
            time = xml.element.find("time-data")
            name = metric.get("id") or _text(metric, "description")
            resource = _text(xml.element.find("resource"), "reslabel")
            stamps = [_text(time, stamp) for stamp in _STAMPS]
            lengths = [_text(time, each) for each in _LENGTHS]
            caption = xml.element.find("caption")
            part.values = {} if caption is None else _values(caption)
            _read_table(xml.element, part)
        else:
            time, length = metric.find("timerange"), metric.find("data-range")
            name = metric.get("description") or metric.get("id", "")
            resource = metric.get("resource", "")
            if time is not None:
                stamps = [time.get(stamp.replace("-", ""), "") for stamp in _STAMPS]
                lengths[0] = "" if length is None else length.get("seconds", "")
            for row in metric.iterchildren("row"):
                part.rows.append([row.get("label", ""), row.get("value", "")])
        yield Report(
            name or "?",
            system_of(resource),
            monitor_window(*stamps, *lengths),
            xml.offset,
            xml.content,
            [part],
            resource,
        )


def _clean(text: str | None) -> str:
    """Text with its white space collapsed: an editor's line breaks and tabs, too."""
    return " ".join(text.split()) if text else ""


def _text(element: Element | None, child: str) -> str:
    """Text of the first child of that name; else empty."""
    return "" if element is None else _clean(element.findtext(child))


def _values(element: Element) -> dict[str, str]:
    """The names and values of the ``var`` entries of the element."""
    pairs = (var for var in element if len(var) == 2)
    return {_clean(name.text): _clean(value.text) for name, value in pairs}
