"""What a file is, judged by its first bytes: how SMF records lie in it, if they do.

A record begins with its descriptor word (RDW: length 2, segment code 1, zero 1), then
a flag byte, the record type, the time (0.01 s, 4 bytes) and the date (packed
0cYYDDDF). A blocked file has a word of its own before each block (BDW: length 2,
zeros 2; where its first bit is on, the length has 31 bits).

A transfer as text leaves other bytes: each record becomes a line, each LF becomes CR
LF, or EBCDIC is translated to ASCII, whatever a byte stands for. What it has done can
not be undone for certain, as numbers may have had the same bytes before.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from analysis.ingest.compressed.terse import NATIVE, tersed
from analysis.ingest.smf.codepage import CodePage

NAME = "smf"
TRANSFER = (
    "transfer the dump again by FTP with BINARY, QUOTE SITE RDW (LOCSITE RDW where "
    "z/OS sends it) and no conversion, which keeps the record descriptor words"
)
Records = Literal["unblocked", "blocked", "bare", "lines", "newlines", "translated"]
Kind = Records | Literal["tersed", "text", "empty", "unknown"]

DAY = 8_640_000  # hundredths of a second
_LINE_ENDS = (b"\r\n", b"\n")
_NEWLINES = 8  # in the first bytes, each with a CR: in a binary file some have none
_HEAD = 64  # bytes of a header that was translated, at most
_DATE = re.compile(rb"[\0-\2][\0-\x99][\0-\x36][\x0c-\x9f]")
_EBCDIC_TEXT = frozenset([0x40, 0x15, 0x25, 0x0D, *range(0x4A, 0xFA)])
_ASCII_TEXT = frozenset([0x09, 0x0A, 0x0D, *range(0x20, 0x7F), *range(0x80, 0x100)])


def sniff(head: bytes) -> Kind:
    """The kind of file that begins with ``head``.

    ``bare`` records have lost their descriptor words. Of a transfer as text, ``lines``
    are records with a line end behind each, in ``newlines`` each LF became CR LF, and
    ``translated`` is what was EBCDIC.
    """
    if not head:
        return "empty"
    if records := record_kind(head):
        return records
    if tersed(head) or head.startswith(NATIVE):
        return "tersed"
    return "text" if _is_text(head[:4096]) else "unknown"


def record_kind(head: bytes) -> Records | None:
    """How SMF records lie in a file that begins with ``head``; null of others.

    Behind a block descriptor word, a time of day can look like a date; the name of a
    system, which stands there behind a record descriptor word, cannot.
    """
    if _was_translated(head):
        return "translated"
    if _is_block(head):
        return "lines" if _ends_line(head, _block_length(head)) else "blocked"
    if is_record(head, 0):
        if _ends_line(head, head[0] << 8 | head[1]):
            return "lines"
        return "newlines" if _has_newlines(head) else "unblocked"
    return "bare" if is_header(head, -4) else None


def is_header(data: bytes | bytearray, at: int) -> bool:
    """Whether a record header stands at ``at`` (where its descriptor word is)."""
    if len(data) < at + 14:
        return False
    time = int.from_bytes(data[at + 6 : at + 10], "big")
    return time <= DAY and is_date(bytes(data[at + 10 : at + 14]))


def is_date(raw: bytes) -> bool:
    """Whether four bytes are a packed date 0cYYDDDF."""
    digits = raw.hex()
    return (
        digits[0] == "0"
        and digits[1] in "012"
        and digits[2:7].isdecimal()
        and 1 <= int(digits[4:7]) <= 366
        and digits[7] in "fc"
    )


def is_record(data: bytes | bytearray, at: int) -> bool:
    """Whether a record, or the first segment of one, begins at ``at``."""
    if len(data) < at + 18:
        return False
    length = data[at] << 8 | data[at + 1]
    return (
        length >= 14
        and data[at + 2] in (0, 1)
        and data[at + 3] == 0
        and is_header(data, at)
    )


def first_record(head: bytes) -> int | None:
    """Where two records stand behind one another in what begins as no dump does."""
    for date in _DATE.finditer(head):
        at = max(date.start() - 10, 0)
        behind = at + int.from_bytes(head[at : at + 2], "big")
        if at and is_record(head, at) and is_record(head, behind):
            return at
    return None


def _is_block(head: bytes) -> bool:
    if len(head) < 8 or not is_record(head, 4):
        return False
    plain = head[0] >> 7 or head[2:4] == b"\0\0"
    return bool(plain) and (head[4] << 8 | head[5]) <= _block_length(head) - 4


def _block_length(head: bytes) -> int:
    length = int.from_bytes(head[:4], "big")
    return length & 0x7FFF_FFFF if length >> 31 else length >> 16


def _ends_line(head: bytes, length: int) -> bool:
    """Whether a line end follows the first record or block, and then the next one."""
    behind = head[length:]
    for end in _LINE_ENDS:
        following = behind.removeprefix(end)
        if following != behind:
            return not following or _is_block(following) or is_record(following, 0)
    return False


def _has_newlines(head: bytes) -> bool:
    """Whether each LF has a CR before it, and the chain of records breaks."""
    count = head.count(b"\n")
    if count < _NEWLINES or head.count(b"\r\n") < count:
        return False
    at = 0
    while at + 18 <= len(head):
        length = head[at] << 8 | head[at + 1]
        later = head[at + 2] in (2, 3) and head[at + 3] == 0
        if length < 4 or not (later or is_record(head, at)):
            return True
        at += length
    return False


def _was_translated(head: bytes) -> bool:
    """Whether the bytes begin with a header, once ASCII is EBCDIC again, with a name
    of a system that is in ASCII now. A time or a date may be one before and after."""
    some = head[:_HEAD]
    narrow = some.decode("utf-8", "ignore").encode("latin-1", "ignore")
    for one in (some, narrow):
        for at in (0, 4, -4):
            if one[at + 14 : at + 18].rstrip(b" ").isalnum():
                made = (one.translate(to) for to in _to_ebcdic())
                if any(is_header(raw, at) for raw in made):
                    return True
    return False


@cache
def _to_ebcdic() -> tuple[bytes, ...]:
    """From ASCII (ISO 8859-1) to EBCDIC, as FTP and iconv may have translated."""
    pages = (CodePage(name).table for name in ("1047", "037"))
    return tuple(bytes(page.index(chr(code)) for code in range(256)) for page in pages)


def _is_text(head: bytes) -> bool:
    """Mostly characters, of ASCII (UTF-8) or of EBCDIC."""
    for letters in (_ASCII_TEXT, _EBCDIC_TEXT):
        if sum(byte in letters for byte in head) >= 0.99 * len(head):
            return True
    return False
