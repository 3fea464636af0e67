"""Record 113-1, hardware counters of one CPU in an interval."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from synthetic.smf.bytes_of import number, stck, text
from synthetic.smf.dump import NEW_YORK, START, header, local, sealed, section

_SET = 12  # bytes of the head of a set


def counter_record(
    cpu: int,
    cycles: int,
    instructions: int,
    kind: int = 0,
    cache: Sequence[int] = (0, 0, 0, 0),
    machine: str = "",
    extended: Sequence[int] = (),
    start: dt.datetime = START,
    seconds: float = 900,
    cycles_per_us: int = 5200,
    sid: str = "SYSA",
    hours: float = NEW_YORK,
) -> bytes:
    """A problem-state set, the basic one, of which ``cache`` are the other four
    counters, and an ``extended`` one, which begins with 128."""
    end = start + dt.timedelta(seconds=seconds)
    head = bytearray(header(113, 1, local(end, hours), sid).ljust(52, b"\0"))
    who = section(40, (24, stck(start)), (32, stck(end)))
    values = {2: [1], 1: [cycles, instructions, *cache], 4: extended}
    values = {of: each for of, each in values.items() if each}
    at_data, at_sets = 92, 172
    at = at_sets + _SET * len(values)
    sets, counts = b"", b""
    for of, each in values.items():
        where = number(at + len(counts), 4) + number(8, 2) + number(len(each), 2)
        sets += number(of, 2) + bytes(2) + where
        counts += b"".join(number(one, 8) for one in each)
    data = section(
        80,
        (16, number(cpu, 2)),
        (18, number(kind, 1)),
        (20, number(cycles_per_us, 4)),
        (24, text(machine, 4)),
        (52, number(at_sets, 4) + number(_SET, 2) + number(len(values), 2)),
    )
    head[36:44] = number(52, 4) + number(40, 2) + number(1, 2)
    head[44:52] = number(at_data, 4) + number(80, 2) + number(1, 2)
    return sealed(bytes(head) + who + data + sets + counts)
