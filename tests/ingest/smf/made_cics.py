"""Records 110-1 of CICS made from the data areas DFHSMFDS and DFHMCTDR.

Offsets are those of CICS Customization Guide, "Monitoring record formats": the product
section, dictionary entries of 26 bytes, then connectors in front of the data.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from synthetic.smf.bytes_of import number, stck, text, tod
from synthetic.smf.dump import START, header, local, sealed, section

Entry = tuple[str, str, int, str]  # owner, type with identifier, length, name
ENTRIES: tuple[Entry, ...] = (
    ("DFHTASK", "C001", 4, "TRAN"),
    ("DFHTERM", "C002", 4, "TERM"),
    ("DFHCICS", "C089", 8, "USERID"),
    ("DFHTASK", "C004", 4, "TTYPE"),
    ("DFHCICS", "T005", 8, "START"),
    ("DFHCICS", "T006", 8, "STOP"),
    ("DFHTASK", "P031", 4, "TRANNUM"),
    ("DFHCICS", "C112", 4, "RTYPE"),
    ("DFHTASK", "S007", 12, "USRDISPT"),
    ("DFHTASK", "S008", 12, "USRCPUT"),
    ("DFHTASK", "S014", 12, "SUSPTIME"),
)
ALL = tuple(range(1, len(ENTRIES) + 1))


@dataclass(frozen=True)
class Task:
    """A task of CICS; times in microseconds."""

    name: str = "ORDR"
    start: dt.datetime = START
    response: int = 250_000
    dispatch: int = 40_000
    dispatches: int = 12
    cpu: int = 30_000
    suspended: int = 210_000
    kind: str = "T"
    number: int = 17

    def data(self, connectors: Sequence[int] = ALL) -> bytes:
        """Its performance record with the fields of some connectors."""
        stop = self.start + dt.timedelta(microseconds=self.response)
        values = (
            text(self.name, 4), text("T001", 4), text("CICSUSER", 8), text("TO", 4),
            stck(self.start), stck(stop), bytes.fromhex(f"{self.number:07}C"),
            b"\0\0\0" + text(self.kind, 1), clock(self.dispatch, self.dispatches),
            clock(self.cpu, 12), clock(self.suspended, 11),
        )  # fmt: skip
        return b"".join(values[nth - 1] for nth in connectors)


def clock(micros: int, periods: int) -> bytes:
    """A clock of 64 bits: its time, eight flags that are on, 24 bits of periods."""
    return tod(micros) + b"\xc0" + number(periods, 3)


def monitoring(
    kind: int,
    data: Sequence[bytes],
    connectors: Sequence[int] = (),
    region: str = "CICSA01",
    size: int | None = None,
) -> bytes:
    """A 110-1 record of a class of data; ``size`` is what it says of its data section
    where that is compressed."""
    front = b"".join(number(each, 2) for each in connectors)
    body = front + b"".join(data)
    at = 44 + 120
    head = bytearray(header(110, 1, local(START)).ljust(44, b"\0"))
    head[24:26] = number(2, 2)
    head[28:36] = number(44, 4) + number(120, 2) + number(1, 2)
    head[36:44] = number(at, 4) + number(size or len(body), 2) + number(1, 2)
    product = section(
        120,
        (0, number(0x0730, 2)),
        (2, text("CICSPLEX", 8) + text(region, 8)),
        (22, number(kind, 2)),
        (24, number(at if front else 0, 4)),
        (28, number(2 if front else 0, 2) + number(len(connectors), 2)),
        (32, number(at + len(front), 4)),
        (36, number(len(data[0]), 2) + number(len(data), 2)),
    )
    return sealed(bytes(head) + product + body)


def dictionary(entries: Sequence[Entry] = ENTRIES, region: str = "CICSA01") -> bytes:
    """The dictionary of a region: class 1, connectors from 1 on."""
    made = [
        section(
            26,
            (0, text(owner, 8) + text(identifier, 4)),
            (12, number(length, 2) + number(nth, 2)),
            (18, text(name, 8)),
        )
        for nth, (owner, identifier, length, name) in enumerate(entries, 1)
    ]
    return monitoring(1, made, region=region)


def performance(
    tasks: Sequence[Task], connectors: Sequence[int] = ALL, region: str = "CICSA01"
) -> bytes:
    """Performance records: class 3."""
    return monitoring(3, [task.data(connectors) for task in tasks], connectors, region)
