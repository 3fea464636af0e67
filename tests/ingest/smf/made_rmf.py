"""Records 70-1 in pieces, 73 and 74-9, made from the documented layouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Channel:
    """A channel path: its partition's busy time and the measured time, in one unit."""

    chpid: int
    busy: int
    measured: int
    kind: str = "OSD"
    online: bool = True

    def data(self) -> bytes:
        """Channel path data section."""
        return section(
            60,
            (0, number(self.chpid, 1)),
            (1, number(int(self.online), 1)),
            (2, number(0x02, 1)),
            (8, number(self.busy, 4)),
            (12, number(self.measured, 4)),
            (17, text(self.kind, 5)),
        )


@dataclass(frozen=True)
class Function:
    """A PCIe function, such as a RoCE port; ``form`` says of what its bytes are: 0 of
    direct memory access, 1 of the Ethernet side."""

    function: int
    form: int
    octets: tuple[int, int]
    packets: tuple[int, int] = (7, 9)
    device: str = "10GbE RoCE Express"
    job: str = "TCPIP"
    channel: int = 0x1C4

    def head(self, millis: int) -> bytes:
        """PCIe function section; allocated all the time."""
        return section(
            120,
            (0, number(self.function, 4)),
            (16, text(self.device, 24)),
            (40, text(self.job, 8)),
            (50, number(self.channel, 2)),
            (60, number(millis, 4)),
        )

    def data(self) -> bytes:
        """Type data section."""
        return section(
            40,
            (0, number(self.octets[0], 8) + number(self.octets[1], 8)),
            (16, number(self.form, 1)),
            (24, number(self.packets[0], 8) + number(self.packets[1], 8)),
        )


def functions(interval: Interval, each: Sequence[Function]) -> bytes:
    """A 74-9 record."""
    heads = [function.head(interval.millis) for function in each]
    blocks = [function.data() for function in each]
    sections = {28: [interval.product()], 36: heads, 44: blocks}
    return record(74, 9, interval.local(interval.end), sections, interval.sid, end=52)


def channels(interval: Interval, paths: Sequence[Channel]) -> bytes:
    """A 73 record."""
    parts = [path.data() for path in paths]
    sections = {28: [interval.product()], 36: [bytes(92)], 44: parts}
    return record(73, 1, interval.local(interval.end), sections, interval.sid, end=60)
