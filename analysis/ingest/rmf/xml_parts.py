"""The parts of XML documents of RMF, one after the other, with byte offsets.

A part is one report, or one reply: a child of ``<ddsml>`` or ``<perf-config>``. The
file is cut into parts by their tags; each part is parsed alone and quickly, and what
stands between them is parsed as the skeleton of the document. So one damaged report
costs no other, and only one part is in memory. A file may hold several documents,
and may end anywhere. Entities are refused and nothing is ever fetched.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.parsers import expat

from lxml import etree

from analysis.facts.remark import quote, remark
from analysis.ingest.raw_file import Raw, mapped
from analysis.ingest.rmf.collect import Collector

Element = Any  # an lxml element; lxml has no types
_OPEN = re.compile(
    rb"<(server|postprocessor|report|message|rmf-mfpmsg|performance-data)(?=[\s/>])"
)
_LARGEST = 1 << 28
_CODES = expat.errors.codes
_NEXT_DOCUMENT = {
    _CODES[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT],
    _CODES[expat.errors.XML_ERROR_MISPLACED_XML_PI],
}


class XmlPart(NamedTuple):
    """One child of the document: its element, byte offset and bytes."""

    element: Element
    offset: int
    content: bytes


class _EntityError(ValueError):
    """The document declares an entity of this name, which no RMF report does."""


def xml_parts(raw: Raw, to: Collector) -> Iterator[XmlPart]:
    """The parts of a file; what is wrong with it is told to the collector."""
    skeleton = _Skeleton(to)
    with raw.open("rb") as file, mapped(file) as data:
        try:
            if data:
                yield from _parts(data, skeleton, to)
        except _EntityError as error:
            what = f"the document declares an entity ({error}); it is refused"
            to.lost(remark("entity", what), skeleton.at)


def _parts(
    data: mmap.mmap | bytes, skeleton: _Skeleton, to: Collector
) -> Iterator[XmlPart]:
    at = 0
    while opened := _OPEN.search(data, at):
        start, tag = opened.start(), opened[1].decode()
        skeleton.feed(data[at:start], at)
        at = _end(data, opened)
        if not at:
            what = f"the XML breaks off within a {tag}"
            to.broken_off(remark("xml_breaks_off_within", what), start)
            return
        skeleton.feed(f"<{tag}/>".encode(), at)
        content = data[start:at]
        if len(content) > _LARGEST:
            what = f"a {tag} of more than 256 MiB is not read"
            to.lost(remark("too_large_part", what), start)
            continue
        try:
            element = etree.fromstring(content, skeleton.parser_of_parts)
        except etree.XMLSyntaxError as error:
            what = f"a {tag} is damaged and was left out: {error.msg}"
            to.lost(remark("damaged_part", what), start)
            # Where its end tag was damaged, the next part lies in these bytes.
            following = data.find(b"<" + opened[1], opened.end(), at)
            at = following if following >= 0 else at
        else:
            yield XmlPart(element, start, content)
    skeleton.feed(data[at:], at)
    skeleton.close(len(data))


def _end(data: mmap.mmap | bytes, opened: re.Match[bytes]) -> int:
    """Where the part ends that begins so, 0 where the file ends first."""
    shut = data.find(b">", opened.end())
    if shut < 0 or data[shut - 1] == ord("/"):
        return shut + 1
    last = data.find(b"</" + opened[1], shut)
    return data.find(b">", last) + 1 if last >= 0 else 0


class _Skeleton:
    """What stands between the parts, with an empty element in the place of each; ``at``
    is where in the file the bytes begin that it has last."""

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
        self.parser_of_parts = _parser_of_parts(None)

    def feed(self, data: bytes, at: int) -> None:
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
        self.parser_of_parts = _parser_of_parts(encoding)


def _refuse(name: str, *_: Any) -> None:
    raise _EntityError(name)


def _parser_of_parts(encoding: str | None) -> Any:
    return etree.XMLParser(
        encoding=encoding,
        resolve_entities=False,
        no_network=True,
        remove_blank_text=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
