"""Records 74-4 and 78-3 made from IBM's pages of RMF.

Offsets of sections are those of z/OS MVS System Management Facilities, "Local Coupling
Facility Data Section" and its neighbours, and "I/O Queuing Data Section". Triplets
follow each other as IBM's SMF Explorer lists their fields, from 36 on.
"""

from __future__ import annotations

from collections.abc import Sequence

from synthetic.smf.bytes_of import hfp, number, text
from synthetic.smf.dump import record, section
from synthetic.smf.rmf import Interval

VERSION = 0xD95F_CC96_70EE_B410  # of a structure: when it was allocated


def facility(
    name: str = "CF01", requests: float = 1_000_000, failed: float = 3, size: int = 160
) -> bytes:
    """Local coupling facility: 4 path busy, 7 subchannels of which 5 are in use, 6
    times all were busy, for 2 s in all."""
    return section(
        size,
        (0, text(name, 8) + text("SYSA", 8)),
        (20, number(2, 4)),
        (24, hfp(4)),
        (32, number(7, 4) + number(5, 4) + number(7, 4)),
        (44, hfp(6) + hfp(requests) + hfp(failed)),
        (84, number(2_000_000, 8)),
    )


def storage() -> bytes:
    """Storage: 1,000 blocks of 4 KB, of which 250 are free."""
    return section(56, (0, number(9, 4)), (8, number(1000, 4) + number(250, 4)))


def structure(name: str = "DSNDB0A_LOCK1") -> bytes:
    """Structure: 64 blocks of 4 KB."""
    return section(
        32, (0, text(name, 16)), (16, number(64, 4)), (20, number(VERSION, 8))
    )


def requests(
    name: str = "DSNDB0A_LOCK1", kind: int = 3, total: float = 900_000, size: int = 300
) -> bytes:
    """Requests: 11 of 12 entries and 13 of 14 lock entries in use, 15 changed."""
    return section(
        size,
        (0, text(name, 16)),
        (16, number(VERSION, 8)),
        (24, bytes([kind])),
        (28, b"".join(number(each, 4) for each in (12, 11, 14, 13))),
        (44, hfp(15) + hfp(total)),
    )


def processor(cpu: int, busy: int, wait: int) -> bytes:
    """A processor of the facility: microseconds busy and waiting."""
    return section(68, (0, b"".join(number(each, 4) for each in (cpu, busy, wait))))


def coupling(
    interval: Interval,
    local_facility: Sequence[bytes],
    stores: Sequence[bytes] = (),
    structures: Sequence[bytes] = (),
    used: Sequence[bytes] = (),
    processors: Sequence[bytes] = (),
) -> bytes:
    """A 74-4 record."""
    sections = {
        28: [interval.product()],
        36: local_facility,
        52: stores,
        60: structures,
        68: used,
        76: processors,
    }
    return record(74, 4, interval.local(interval.end), sections, interval.sid, end=116)


def control_unit(
    lcu: int, status: int = 0, sums: tuple[int, int] = (30, 10), size: int = 60
) -> bytes:
    """A control unit: 1,000 ticks connected, 2,000 disconnected, 3,000 waiting."""
    return section(
        size,
        (0, number(lcu, 2) + bytes([status])),
        (4, number(sums[0], 4) + number(sums[1], 4)),
        (44, b"".join(number(each, 4) for each in (1_000, 2_000, 3_000))),
    )


def queuing(interval: Interval, units: Sequence[bytes]) -> bytes:
    """A 78-3 record; its configuration section is zero."""
    sections = {28: [interval.product()], 36: [bytes(16)], 44: units}
    return record(78, 3, interval.local(interval.end), sections, interval.sid, end=68)


def each_record(interval: Interval) -> list[bytes]:
    """A record of each subtype, with a section of each kind."""
    used, busy = [requests()], [processor(0, 1_000_000, 2_000_000)]
    return [
        coupling(interval, [facility()], [storage()], [structure()], used, busy),
        queuing(interval, [control_unit(0x4C)]),
    ]
