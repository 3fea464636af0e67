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
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from lxml import etree

from analysis.facts.remark import Remark, quote, remark
from analysis.ingest.raw_file import Raw, mapped
from analysis.ingest.rmf.collect import Collector
from analysis.ingest.rmf.xml_condensed import condensed

Element = Any  # an lxml element; lxml has no types
_OPEN = re.compile(
    rb"<(server|postprocessor|report|message|rmf-mfpmsg|performance-data)(?=[\s/>])"
)
_BLOCK = 1 << 20
_LARGEST = 1 << 28
_CODES = expat.errors.codes
_NEXT_DOCUMENT = {
    _CODES[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT],
    _CODES[expat.errors.XML_ERROR_MISPLACED_XML_PI],
}


@dataclass(frozen=True)
class XmlPart:
    """One child of the document: its element, byte offset and bytes."""

    element: Element
    offset: int
    content: bytes


class _RefusedError(ValueError):
    """The document declares an entity, which no RMF report does."""

    def __init__(self, remark: Remark) -> None:
        super().__init__(remark.words)
        self.remark = remark


@dataclass
class XmlParts:
    """Iterate over it for the parts; ``root`` is then the name of the document."""

    raw: Raw
    to: Collector
    root: str = ""
    _skeleton: Any = None
    _depth: int = 0
    _fed: list[tuple[int, int]] = field(default_factory=list)  # skeleton, file
    _sound: bool = True
    _parser: Any = None
    _is_utf8: bool = True

    def __iter__(self) -> Iterator[XmlPart]:
        with self.raw.open("rb") as file, mapped(file) as data:
            if not data:
                return
            self._begin()
            try:
                yield from self._parts(data)
            except _RefusedError as error:
                self.to.lost(error.remark, self._place())

    def _parts(self, data: mmap.mmap | bytes) -> Iterator[XmlPart]:
        at = 0
        while found := _OPEN.search(data, at):
            self._feed(data, at, found.start())
            tag = found[1]
            end = self._end(data, found)
            if end is None:
                self._cut(tag, found.start())
                return
            self._stand_in(tag, end)
            content = data[found.start() : end]
            element = self._parse(content, found.start(), tag)
            at = end
            if element is not None:
                yield XmlPart(element, found.start(), content)
            else:
                # Where its end tag was damaged, the next part lies in these bytes.
                following = data.find(b"<" + tag, found.end(), end)
                at = following if following >= 0 else end
        self._feed(data, at, len(data))
        self._close(len(data))

    def _end(self, data: mmap.mmap | bytes, found: re.Match[bytes]) -> int | None:
        """Where the part ends, null where the file ends first."""
        shut = find(data, b">", found.end())
        if shut < 0:
            return None
        if data[shut - 1] == ord("/"):
            return shut + 1
        last = find(data, b"</" + found[1], shut)
        stop = find(data, b">", last) if last >= 0 else -1
        return stop + 1 if stop >= 0 else None

    def _parse(self, content: bytes, offset: int, tag: bytes) -> Element | None:
        """The element of a part, null where it is damaged."""
        if len(content) > _LARGEST:
            self.to.lost(
                remark(
                    "too_large_part",
                    f"a {tag.decode()} of more than 256 MiB is not read",
                ),
                offset,
            )
            return None
        if tag == b"postprocessor" and self._is_utf8:
            with suppress(etree.XMLSyntaxError):  # told below, with its place in all
                return etree.fromstring(condensed(content), self._parser)
        try:
            return etree.fromstring(content, self._parser)
        except etree.XMLSyntaxError as error:
            said = remark(
                "damaged_part",
                f"a {tag.decode()} is damaged and was left out: {error.msg}",
            )
            self.to.lost(said, offset)
            return None

    def _cut(self, tag: bytes, offset: int) -> None:
        said = remark(
            "xml_breaks_off_within", f"the XML breaks off within a {tag.decode()}"
        )
        self.to.truncated = self.to.problem(said, offset)

    def _begin(self) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._stop
        parser.EntityDeclHandler = self._entity
        parser.XmlDeclHandler = self._declaration
        self._skeleton, self._depth, self._fed = parser, 0, [(0, 0)]
        self._parser, self._is_utf8 = _part_parser(None), True

    def _feed(self, data: mmap.mmap | bytes, start: int, end: int) -> None:
        """Parse what stands between two parts."""
        for at in range(start, end, _BLOCK):
            if self._sound:
                self._feed_block(data[at : min(at + _BLOCK, end)], at)

    def _feed_block(self, block: bytes, at: int) -> None:
        while block:
            fed = self._fed[-1][0]
            self._fed[-1] = (fed, at)
            try:
                self._skeleton.Parse(block, False)
            except expat.ExpatError as error:
                good = self._skeleton.ErrorByteIndex - fed
                following = error.code in _NEXT_DOCUMENT and self._depth == 0
                if not following or not (good > 0 or fed > 0):
                    self._broken(error, at + max(good, 0))
                    return
                self._begin()
                block, at = block[max(good, 0) :], at + max(good, 0)
            except LookupError as error:
                self._sound = False
                self.to.lost(quote(str(error)), at)
                return
            else:
                self._fed[-1] = (fed + len(block), at + len(block))
                return

    def _stand_in(self, tag: bytes, end: int) -> None:
        """Put an empty element in the place of a part."""
        if self._sound:
            self._feed_block(b"<" + tag + b"/>", end)

    def _close(self, end: int) -> None:
        if not self._sound:
            return
        try:
            self._skeleton.Parse(b"", True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code) or "damaged"
            self.to.truncated = self.to.problem(
                remark("xml_breaks_off", f"the XML breaks off: {what}"), end
            )

    def _broken(self, error: expat.ExpatError, offset: int) -> None:
        self._sound = False
        what = expat.ErrorString(error.code) or "damaged"
        self.to.lost(remark("xml_damaged", f"the XML is damaged: {what}"), offset)

    def _place(self) -> int:
        return self._fed[-1][1]

    def _start(self, tag: str, _: dict[str, str]) -> None:
        if self._depth == 0:
            self.root = self.root or tag
        self._depth += 1

    def _stop(self, _: str) -> None:
        self._depth -= 1

    def _entity(self, name: str, *_: Any) -> None:
        raise _RefusedError(
            remark("entity", f"the document declares an entity ({name}); it is refused")
        )

    def _declaration(self, _: str, encoding: str | None, *__: Any) -> None:
        self._parser = _part_parser(encoding)
        self._is_utf8 = encoding is None or encoding.lower() == "utf-8"


def find(data: mmap.mmap | bytes, what: bytes, start: int, block: int = 1 << 14) -> int:
    """Where ``what`` begins, from ``start`` on; -1 where it is not.

    Searching copied blocks is many times quicker than the search of a mapped file.
    """
    while start < len(data):
        found = data[start : start + block + len(what) - 1].find(what)
        if found >= 0:
            return start + found
        start += block
    return -1


def _part_parser(encoding: str | None) -> Any:
    return etree.XMLParser(
        encoding=encoding,
        resolve_entities=False,
        no_network=True,
        remove_blank_text=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
