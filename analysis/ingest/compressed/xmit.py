"""Files that TRANSMIT of TSO/E wrote (XMIT): a sequential data set in each.

Segments of at most 255 bytes, the first of which is their length, make up records;
control records, INMR01 to INMR06, say what the data set is. Records with lengths come
out with record descriptor words, as SMF records are read. Source: z/OS TSO/E
Customization, "Format of transmitted files".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

SIGN = b"\xc9\xd5\xd4\xd9\xf0\xf1"  # INMR01, behind the length and flags of a segment
CURE = "RECEIVE it on z/OS, then send the data set in it"
_FIRST, _LAST, _CONTROL = 0x80, 0x40, 0x20
_UTILITY, _FORM, _VARIABLE = 0x1028, 0x0049, 0x4000
_COPY = "INMCOPY"


class DamagedXmitError(ValueError):
    """What makes such a file unusable, in words."""


def transmitted(head: bytes) -> bool:
    """Whether a file that begins so is one."""
    return head[2:8] == SIGN


def unpack(data: bytes) -> bytes:
    """The records of the data set; a :class:`DamagedXmitError` where there is no such
    one, or the file is cut off or damaged."""
    out, variable, copied = bytearray(), False, False
    for control, record in _records(data):
        name = record[:6].decode("cp037")
        if not control:
            out += struct.pack(">HH", len(record) + 4, 0) * variable + record
        elif name == "INMR02":
            units = _units(record[10:])
            utility = units.get(_UTILITY, b"").decode("cp037").strip()
            if utility != _COPY or copied:
                what = f"its data set was unloaded by {utility!r}, as a partitioned one"
                raise DamagedXmitError(f"{what}; TRANSMIT a member alone")
            copied = True
            variable = int.from_bytes(units.get(_FORM, b""), "big") & _VARIABLE > 0
        elif name == "INMR06":
            return bytes(out)
    raise DamagedXmitError("it is cut off: its last record, INMR06, is not there")


def _records(data: bytes) -> Iterator[tuple[bool, bytes]]:
    """The records and whether each is one of control."""
    at, parts, began = 0, bytearray(), False
    while at + 2 <= len(data):
        length, flags = data[at], data[at + 1]
        if length < 2 or at + length > len(data):
            raise DamagedXmitError(f"the segment at byte offset {at} has no end")
        if began == bool(flags & _FIRST):
            what = "begins no record" if not began else "begins a record within one"
            raise DamagedXmitError(f"the segment at byte offset {at} {what}")
        parts += data[at + 2 : at + length]
        began = not flags & _LAST
        if not began:
            yield bool(flags & _CONTROL), bytes(parts)
            parts.clear()
        at += length


def _units(data: bytes) -> dict[int, bytes]:
    """The first value of each text unit by its key."""
    units, at = dict[int, bytes](), 0
    while at + 4 <= len(data):
        key, number = struct.unpack_from(">HH", data, at)
        at += 4
        for nth in range(number):
            length = int.from_bytes(data[at : at + 2], "big")
            if not nth:
                units[key] = data[at + 2 : at + 2 + length]
            at += 2 + length
    return units
