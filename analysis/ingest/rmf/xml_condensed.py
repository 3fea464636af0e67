"""Rows of a table as one text, before its XML is parsed.

A parser makes objects of each cell, which takes most of its time. Rows that are nothing
but cells are proved so by one pattern, and a text takes their place: a line a row, with
tabs between its attributes and its cells. All else is left as it is and parsed as ever:
other attributes, markup and references within a cell, and what is damaged. The text is
that of the cells, as deep in the document as they were, so the parser refuses what it
would have refused.
"""

from __future__ import annotations

import re
import secrets
from typing import Any

Element = Any  # an lxml element; lxml has no types
TOTALS = 'type="SUM"'  # how the attributes of a row of totals end
_TEXT = rb"[ !-%'-;=?-~\x80-\xff]*+"  # no markup, reference, tab or line break
_GAP = rb"(?:\n *+)?+"
_CELL = rb"(?:<col>%b</col>|<col/>)%b" % (_TEXT, _GAP)
_BEGIN = rb'<row(?: refno="\d{1,9}")?+(?: percent="\d{1,9}")?+(?: type="SUM")?+>'
_ROW = rb"%b%b(?:%b)++</row>%b" % (_BEGIN, _GAP, _CELL, _GAP)
_TABLE = re.compile(rb"</column-headers>%b((?:%b)++)(?=</table>)" % (_GAP, _ROW))
_NAME = f"rows-{secrets.token_hex(8)}"  # of an element that no document can have
_STAND_IN = b"<%b><col>%%b</col></%b>" % (_NAME.encode(), _NAME.encode())
_BETWEEN = re.compile(rb">\n *+<")


def condensed(content: bytes) -> bytes:
    """A report's bytes, in UTF-8, with a text for the rows of each table that has
    nothing but cells. As they are, where a comment or character data may hold what
    only looks like a table."""
    if b"!" in content and b"<!" in content:  # a byte is quickly found
        return content
    return _TABLE.sub(_text_of, content)


def lines_of(table: Element) -> list[str]:
    """The rows of a table that are a text: the attributes of each and its cells, with
    tabs between them. They are the last ones of the table; others may come before."""
    rows = next(table.iterchildren(_NAME), None)
    return [] if rows is None else rows[0].text.split("\n")[:-1]


def _text_of(found: re.Match[bytes]) -> bytes:
    rows = found[1].rstrip(b"\n ")
    if b"\n" in rows:
        rows = _BETWEEN.sub(b"><", rows)
    rows = rows.replace(b"<col/>", b"<col></col>").replace(b"</col><col>", b"\t")
    rows = rows.replace(b"</col></row>", b"\n").replace(b"><col>", b"\t")
    lines = rows.replace(b"<row", b"")
    return b"</column-headers>" + _STAND_IN % lines
