"""What a file is, judged by its first bytes: how SMF records lie in it, if they do.

A record begins with its descriptor word (RDW: length 2, segment code 1, zero 1), then
a flag byte, the record type, the time (0.01 s, 4 bytes) and the date (packed
0cYYDDDF). A blocked file has a word of its own before each block (BDW: length 2,
zeros 2; where its first bit is on, the length has 31 bits).
"""

from __future__ import annotations

from typing import Literal

from analysis.ingest.compressed.terse import NATIVE, tersed

NAME = "smf"
TRANSFER = (
    "transfer the dump again by FTP with BINARY, QUOTE SITE RDW and no conversion, "
    "which keeps the record descriptor words"
)
Kind = Literal["unblocked", "blocked", "bare", "tersed", "text", "empty", "unknown"]

DAY = 8_640_000  # hundredths of a second
_EBCDIC_TEXT = frozenset([0x40, 0x15, 0x25, 0x0D, *range(0x4A, 0xFA)])
_ASCII_TEXT = frozenset([0x09, 0x0A, 0x0D, *range(0x20, 0x7F), *range(0x80, 0x100)])


def sniff(head: bytes) -> Kind:
    """The kind of file that begins with ``head``.

    ``bare`` records have lost their descriptor words.
    """
    if not head:
        return "empty"
    if records := record_kind(head):
        return records
    if tersed(head) or head.startswith(NATIVE):
        return "tersed"
    return "text" if _is_text(head[:4096]) else "unknown"


def record_kind(head: bytes) -> Literal["unblocked", "blocked", "bare"] | None:
    """How SMF records lie in a file that begins with ``head``; null of others.

    Behind a block descriptor word, a time of day can look like a date; the name of a
    system, which stands there behind a record descriptor word, cannot.
    """
    if _is_block(head):
        return "blocked"
    if is_record(head, 0):
        return "unblocked"
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


def _is_block(head: bytes) -> bool:
    if len(head) < 8 or not is_record(head, 4):
        return False
    length = int.from_bytes(head[:4], "big")
    size = length & 0x7FFF_FFFF if length >> 31 else length >> 16
    plain = length >> 31 or length & 0xFFFF == 0
    return bool(plain) and (head[4] << 8 | head[5]) <= size - 4


def _is_text(head: bytes) -> bool:
    """Mostly characters, of ASCII (UTF-8) or of EBCDIC."""
    for letters in (_ASCII_TEXT, _EBCDIC_TEXT):
        if sum(byte in letters for byte in head) >= 0.99 * len(head):
            return True
    return False
