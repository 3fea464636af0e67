"""SMF records and dumps, packed into the layouts that the readers declare."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from analysis.ingest.smf.columns import Field, Layout
from synthetic.smf.bytes_of import (
    address,
    clock,
    date,
    hfp,
    hundredths,
    number,
    span,
    stck,
    text,
    tod,
)

Place = tuple[int, bytes]  # where in a section, and what
Sections = Mapping[int, Sequence[bytes]]  # by the offset of their triplet
START = dt.datetime(2026, 3, 2, 14, 0, tzinfo=dt.UTC)
NEW_YORK = -5


def local(moment: dt.datetime, hours: float = NEW_YORK) -> dt.datetime:
    """The local time of a moment in UTC."""
    return (moment + dt.timedelta(hours=hours)).replace(tzinfo=None)


def section(size: int, *places: Place) -> bytes:
    """A section of ``size`` bytes, zero but for the fields given."""
    made = bytearray(size)
    for at, raw in places:
        made[at : at + len(raw)] = raw
    return bytes(made[:size])


def packed(layout: Layout, size: int, /, *places: Place, **values: Any) -> bytes:
    """A section with the values of declared fields, each in the form of its kind: spans
    are microseconds, or milliseconds of an interval. Bytes are as they are, also at
    ``places`` that no reader declares."""
    fields = {field.name: field for field in layout.fields}
    made = [(fields[name].offset, _raw(fields[name], values[name])) for name in values]
    return section(size, *places, *made)


def _raw(field: Field, value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if field.kind == "unsigned":
        return number(value, field.length)
    if field.kind in ("text", "name"):
        return text(value, field.length)
    return _WRITE[field.kind](value)


_WRITE: dict[str, Callable[[Any], bytes]] = {
    "stck": stck, "tod": tod, "offset": tod, "hfp": hfp, "date": date, "clock": clock,
    "span": span, "address": address,
}  # fmt: skip


def header(
    kind: int, subtype: int | None, when: dt.datetime, sid: str = "SYSA"
) -> bytes:
    """A standard header with its descriptor word; ``when`` is local time."""
    flag = 0x1E if subtype is None else 0x5E
    head = bytes(4) + bytes([flag, kind]) + hundredths(when.time()) + date(when.date())
    head += text(sid, 4)
    return head if subtype is None else head + text("", 4) + number(subtype, 2)


def sealed(body: bytes) -> bytes:
    """The record with its length in the descriptor word."""
    return number(len(body), 2) + b"\0\0" + body[4:]


def record(
    kind: int,
    subtype: int,
    when: dt.datetime,
    sections: Sections,
    sid: str = "SYSA",
    end: int | None = None,
    count: bool = True,
) -> bytes:
    """A record with triplets, each of which says where its sections are.

    Triplets end at ``end``; ``count`` writes their number at 24.
    """
    end = end or max(sections) + 8
    made = bytearray(header(kind, subtype, when, sid).ljust(end, b"\0"))
    if count:
        made[24:26] = number((end - 28) // 8, 2)
    for at, parts in sections.items():
        if parts:
            triplet = number(len(made), 4) + number(len(parts[0]), 2)
            made[at : at + 8] = triplet + number(len(parts), 2)
            made += b"".join(parts)
    return sealed(bytes(made))


def dump_header(when: dt.datetime, kind: int = 2, sid: str = "DUMP") -> bytes:
    """The record type 2 or 3 that the dump program writes."""
    return sealed(header(kind, None, when, sid))


def segments(body: bytes, longest: int) -> list[bytes]:
    """A record in spanned segments of at most ``longest`` bytes each."""
    if len(body) <= longest:
        return [body]
    payload, room = body[4:], longest - 4
    parts = [payload[at : at + room] for at in range(0, len(payload), room)]
    codes = [1, *[3] * (len(parts) - 2), 2]
    return [
        number(len(part) + 4, 2) + bytes([code, 0]) + part
        for part, code in zip(parts, codes, strict=True)
    ]


def unblocked(records: Iterable[bytes], longest: int = 32760) -> bytes:
    """Records one behind the other, those over ``longest`` bytes spanned."""
    return b"".join(part for body in records for part in segments(body, longest))


def blocked(
    records: Iterable[bytes], size: int = 27998, extended: bool = False
) -> bytes:
    """Records in blocks of at most ``size`` bytes; a record may span blocks."""
    blocks: list[bytes] = []
    block = b""
    for body in records:
        for part in segments(body, size - 4):
            if len(block) + len(part) + 4 > size:
                blocks.append(block)
                block = b""
            block += part
    blocks.append(block)
    return b"".join(_block_word(len(b) + 4, extended) + b for b in blocks if b)


def _block_word(length: int, extended: bool) -> bytes:
    return number(length | 1 << 31, 4) if extended else number(length, 2) + b"\0\0"


def bare(records: Iterable[bytes]) -> bytes:
    """Records as a transfer without descriptor words leaves them."""
    return b"".join(body[4:] for body in records)
