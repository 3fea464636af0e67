"""XML of RMF: reports of the Postprocessor, of Monitor III, and replies without data.

Of the Postprocessor, the reports of ``READERS`` are decoded and others are counted;
times are local and name no zone. Structure: z/OS RMF Reporter Programmer's Guide,
chapter 1, and genuine documents of z/OS V2R5. The old dialect of Monitor III is that of
z/OS V1: one ``<metric>`` each, with its figures in attributes.

A file is cut into reports and replies by their tags; each of these pieces is parsed
alone and quickly, and what stands between them as the skeleton of the document. So one
damaged report costs no other, and only one is in memory. A file may hold several
documents, and may end anywhere. Entities are refused and nothing is ever fetched.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from xml.parsers import expat

from lxml import etree

from analysis.facts.remark import quote, remark
from analysis.ingest.raw_file import Raw, mapped
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

FORMAT = "rmf_xml"
TITLE = "RMF report (XML)"
TESTED = "reports of z/OS V2R5"
_OPTION_ECHO = "ERB103I"
_AMERICAN = ("en-us", "en_us", "")
_STAMPS = ["local-start", "local-end", "utc-start", "utc-end"]
_LENGTHS = ["data-range", "gatherer-interval"]
Element = Any  # an lxml element; lxml has no types
_OPEN = re.compile(
    rb"<(server|postprocessor|report|message|rmf-mfpmsg|performance-data)(?=[\s/>])"
)
_BLOCK, _LARGEST = 1 << 20, 1 << 28
_CODES = expat.errors.codes
_NEXT_DOCUMENT = {
    _CODES[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT],
    _CODES[expat.errors.XML_ERROR_MISPLACED_XML_PI],
}


def recognise(head: bytes) -> bool:
    """Whether a file that begins so is XML of RMF, in the new or the old dialect."""
    return b"<ddsml" in head or b"<perf-config" in head


def read(raw: Raw, zone: str | None = None) -> Reading:
    """The rows of all reports that are decoded; ``position`` is a byte offset.

    Without ``zone`` rows of the Postprocessor have no ``start_utc``.
    """
    to = collector(Reading(FORMAT, tool="RMF Postprocessor"), zone)
    for piece in _pieces(raw, to):
        _read_piece(piece, to)
    return to.finish(remark("empty_reply"))


class _Piece(NamedTuple):
    """One child of the document: its element, byte offset and bytes."""

    element: Element
    offset: int
    content: bytes


class _EntityError(ValueError):
    """The document declares an entity of this name, which no RMF report does."""


def _pieces(raw: Raw, to: Collector) -> Iterator[_Piece]:
    """The pieces of a file; what is wrong with it is told to the collector."""
    skeleton = _Skeleton(to)
    with raw.open("rb") as file, mapped(file) as data:
        try:
            if data:
                yield from _cut(data, skeleton, to)
        except _EntityError as error:
            what = f"the document declares an entity ({error}); it is refused"
            to.lost(remark("entity", what), skeleton.at)


def _cut(
    data: mmap.mmap | bytes, skeleton: _Skeleton, to: Collector
) -> Iterator[_Piece]:
    at = 0
    while opened := _OPEN.search(data, at):
        start, tag = opened.start(), opened[1].decode()
        skeleton.feed(data, at, start)
        at = _end(data, opened)
        if not at:
            what = f"the XML breaks off within a {tag}"
            to.broken_off(remark("xml_breaks_off_within", what), start)
            return
        skeleton.feed_block(f"<{tag}/>".encode(), at)
        content, element = data[start:at], None
        if len(content) > _LARGEST:
            what = f"a {tag} of more than 256 MiB is not read"
            to.lost(remark("too_large_part", what), start)
        else:
            try:
                element = etree.fromstring(content, skeleton.parser_of_pieces)
            except etree.XMLSyntaxError as error:
                what = f"a {tag} is damaged and was left out: {error.msg}"
                to.lost(remark("damaged_part", what), start)
        if element is not None:
            yield _Piece(element, start, content)
        else:
            # Where its end tag was damaged, the next one lies in these bytes.
            following = data.find(b"<" + opened[1], opened.end(), at)
            at = following if following >= 0 else at
    skeleton.feed(data, at, len(data))
    skeleton.close(len(data))


def _end(data: mmap.mmap | bytes, opened: re.Match[bytes]) -> int:
    """Where the piece ends that begins so, 0 where the file ends first."""
    shut = data.find(b">", opened.end())
    if shut < 0 or data[shut - 1] == ord("/"):
        return shut + 1
    last = data.find(b"</" + opened[1], shut)
    return data.find(b">", last) + 1 if last >= 0 else 0


class _Skeleton:
    """What stands between the pieces, with an empty element in the place of each;
    ``at`` is where in the file the bytes begin that it has last."""

    def __init__(self, to: Collector) -> None:
        self.to, self.is_sound = to, True
        self._begin()

    def _begin(self) -> None:
        """Begin a document."""
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._stop
        self.parser.EntityDeclHandler = _refuse
        self.parser.XmlDeclHandler = self._declaration
        self.at = self.fed = self.depth = 0
        self.parser_of_pieces = _parser_of_pieces(None)

    def feed(self, data: mmap.mmap | bytes, start: int, end: int) -> None:
        """Parse what stands between two pieces."""
        for at in range(start, end, _BLOCK):
            self.feed_block(data[at : min(at + _BLOCK, end)], at)

    def feed_block(self, data: bytes, at: int) -> None:
        """Parse the next bytes, which stand there in the file."""
        while data and self.is_sound:
            self.at = at
            try:
                self.parser.Parse(data, False)
            except expat.ExpatError as error:
                good = max(self.parser.ErrorByteIndex - self.fed, 0)
                if error.code in _NEXT_DOCUMENT and not self.depth and good + self.fed:
                    self._begin()
                    data, at = data[good:], at + good
                    continue
                what = f"the XML is damaged: {expat.ErrorString(error.code)}"
                self.to.lost(remark("xml_damaged", what), at + good)
                self.is_sound = False
            except LookupError as error:  # an encoding that is not known
                self.to.lost(quote(str(error)), at)
                self.is_sound = False
            self.fed += len(data)
            return

    def close(self, end: int) -> None:
        """The file ends here."""
        if self.is_sound:
            try:
                self.parser.Parse(b"", True)
            except expat.ExpatError as error:
                what = f"the XML breaks off: {expat.ErrorString(error.code)}"
                self.to.broken_off(remark("xml_breaks_off", what), end)

    def _start(self, *_: Any) -> None:
        self.depth += 1

    def _stop(self, _: str) -> None:
        self.depth -= 1

    def _declaration(self, _: str, encoding: str | None, *__: Any) -> None:
        self.parser_of_pieces = _parser_of_pieces(encoding)


def _refuse(name: str, *_: Any) -> None:
    raise _EntityError(name)


def _parser_of_pieces(encoding: str | None) -> Any:
    return etree.XMLParser(
        encoding=encoding,
        resolve_entities=False,
        no_network=True,
        remove_blank_text=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )


def _read_piece(piece: _Piece, to: Collector) -> None:
    element = piece.element
    if b"," in piece.content:
        text = piece.content.decode("latin-1")  # a character a byte
        if comma := figure_with_comma(text, ">", "<"):
            to.lost_to_comma(comma[0], piece.offset + comma[1])
    if element.tag == "server":
        version = _text(element, "version") or element.get("version", "")
        to.reading.details["server"] = version
        return
    _read_messages(element, to)
    if element.tag == "postprocessor":
        _read_postprocessor(piece, to)
    elif element.tag in ("report", "performance-data"):
        to.reading.tool = "RMF Monitor III"
        for report in _monitor_reports(piece):
            add_monitor(report, to)


def _read_messages(element: Element, to: Collector) -> None:
    messages = [element] if element.tag == "message" else element.iterfind("message")
    for message in messages:
        to.messages.append((message.get("id", ""), _text(message, "description")))
    for line in element.iterfind("mfpmsg"):
        if line.get("id") != _OPTION_ECHO:
            text = _clean(line.text).removeprefix("PPS:").strip()
            to.messages.append((line.get("id", ""), text))


def _read_postprocessor(piece: _Piece, to: Collector) -> None:
    element = piece.element
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
        piece.offset,
        piece.content,
        [],
    )
    named = f"{report.name} {_text(metric, 'description')}".lower()
    may_be_overview = "overview" in named or named.startswith("ov")
    if report.name in READERS or may_be_overview:
        level = _text(element.find("version"), "smf-data").split()
        report.parts = [ReportPart(values={"Release": level[-1]} if level else {})]
        for number, segment in enumerate(element.iterchildren("segment"), 1):
            report.parts += _segment(segment, number)
    report.is_overview = may_be_overview and any(map(overview_columns, report.parts))
    add_report(report, to, order)


def _segment(segment: Element, number: int) -> Iterator[ReportPart]:
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
    texts = () if heads is None else tuple(column.text or "" for column in heads)
    part.heads, is_indented = _heads(texts)
    for row in table.iterchildren("row"):
        cells = [text.strip() if (text := cell.text) else "" for cell in row]
        if is_indented:
            cells = [" ".join(cell.split()) for cell in cells]
        cells += [""] * (len(part.heads) - len(cells))
        (part.totals if row.get("type") == "SUM" else part.rows).append(cells)


@lru_cache(maxsize=1024)  # tables of one kind share their headings
def _heads(texts: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """The headings, and whether an editor put line breaks into the document."""
    return tuple(map(_clean, texts)), any("\n" in text for text in texts)


def _monitor_reports(piece: _Piece) -> Iterator[Report]:
    """The reports of a ``<report>``, or of a ``<performance-data>`` of z/OS V1; one
    with a message alone is none."""
    for metric in piece.element.iterchildren("metric"):
        stamps, lengths, part = _STAMPS, ["", ""], ReportPart()
        if piece.element.tag == "report":
            time = piece.element.find("time-data")
            name = metric.get("id") or _text(metric, "description")
            resource = _text(piece.element.find("resource"), "reslabel")
            stamps = [_text(time, stamp) for stamp in _STAMPS]
            lengths = [_text(time, each) for each in _LENGTHS]
            caption = piece.element.find("caption")
            part.values = {} if caption is None else _values(caption)
            _read_table(piece.element, part)
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
            piece.offset,
            piece.content,
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
