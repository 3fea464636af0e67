"""Records 70-1 in pieces, made from the documented layout."""

from __future__ import annotations

from synthetic.smf.bytes_of import number
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
