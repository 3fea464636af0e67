"""Records 70-1 in pieces and 74-9 made from the documented layouts."""

from __future__ import annotations

from synthetic.smf.bytes_of import number, text
from synthetic.smf.dump import record, section
from synthetic.smf.rmf import Activity, Interval


def broken_activity(interval: Interval, activity: Activity, pieces: int) -> list[bytes]:
    """A 70-1 in several records, each with a share of the sections of each kind."""
    whole = activity.parts(interval)
    made = []
    for nth in range(pieces):
        area = section(12, (0, number(pieces, 2)), (2, number(nth + 1, 2)))
        sections = {28: [interval.product(104, area) + area]}
        for at, found in whole.items():
            size = -(-len(found) // pieces)
            sections[at] = found[nth * size : (nth + 1) * size]
        made.append(
            record(70, 1, interval.local(interval.end), sections, interval.sid, end=100)
        )
    return made


def functions(interval: Interval, traffic: dict[int, tuple[int, int, int]]) -> bytes:
    """A 74-9 record: format and two byte counts by function id."""
    heads = [
        section(
            120,
            (0, number(function, 4)),
            (16, text("10GbE RoCE Express", 24)),
            (40, text("TCPIP", 8)),
            (50, number(0x1C4, 2)),
            (60, number(interval.millis, 4)),
        )
        for function in traffic
    ]
    blocks = [
        section(
            40,
            (0, number(first, 8)),
            (8, number(second, 8)),
            (16, number(form, 1)),
            (24, number(7, 8)),
            (32, number(9, 8)),
        )
        for form, first, second in traffic.values()
    ]
    sections = {28: [interval.product()], 36: heads, 44: blocks}
    return record(74, 9, interval.local(interval.end), sections, interval.sid, end=52)
