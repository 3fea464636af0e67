"""Records 119-4 and 119-10 made from the documented layouts."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from synthetic.smf.bytes_of import address, date, hundredths, number, text
from synthetic.smf.dump import NEW_YORK, START, Sections, local, record, section
from synthetic.smf.tcpip import identification, tcpip


@dataclass(frozen=True)
class Socket:
    """A UDP socket that was closed."""

    start: dt.datetime = START
    seconds: float = 12.5
    job: str = "DNSSRV"
    remote: str = "10.1.2.3"
    own: str = "10.1.2.4"
    ports: tuple[int, int] = (40_001, 53)
    datagrams: tuple[int, int] = (3, 5_000_000_000)
    octets: tuple[int, int] = (153, 123_456_789_012)
    kind: int = 1
    reason: int = 1
    hours: float = NEW_YORK

    def section(self, size: int = 104) -> bytes:
        """UDP socket close section."""
        begun = local(self.start, self.hours)
        ended = begun + dt.timedelta(seconds=self.seconds)
        return section(
            size,
            (0, text(self.job, 8)),
            (8, number(77, 4)),
            (16, hundredths(begun.time()) + date(begun.date())),
            (24, hundredths(ended.time()) + date(ended.date())),
            (32, address(self.remote) + address(self.own)),
            (64, number(self.ports[0], 2) + number(self.ports[1], 2)),
            (68, bytes([self.kind, self.reason])),
            (72, b"".join(number(count, 8) for count in self.datagrams)),
            (88, b"".join(number(count, 8) for count in self.octets)),
        )


def socket(it: Socket, size: int = 104) -> bytes:
    """A 119-10 record."""
    ended = local(it.start, it.hours) + dt.timedelta(seconds=it.seconds)
    return tcpip(10, ended, {36: [it.section(size)]})


IPV4, TCP, UDP, GLOBAL = 60, 76, 84, 92


def ipv4(flags: int, arp: int = 1200, retry: int = 15) -> bytes:
    """IPv4 configuration section."""
    return section(
        72,
        (0, text("V4CF", 4)),
        (4, number(flags, 4) + number(arp, 4) + number(retry, 4)),
    )


def udp(flags: int, receive: int = 65_535, send: int = 65_535) -> bytes:
    """UDP configuration section."""
    return section(
        16,
        (0, text("UDCF", 4)),
        (4, number(flags, 1)),
        (8, number(receive, 2) + number(send, 2)),
    )


def stack(flags: int, poll: int = 60, size: int = 172) -> bytes:
    """Global configuration section."""
    return section(
        size, (0, text("GBCF", 4)), (4, number(flags, 2)), (10, number(poll, 1))
    )


def profile(
    when: dt.datetime, sections: Sections, triplets: int = 21, reason: int = 0x08
) -> bytes:
    """A 119-4 record; ``when`` is local."""
    about = {
        28: [identification(reason=reason)],
        36: [bytes(136)],
        44: [text("USER.TCPPARMS(PROFILE)", 60)],
    }
    return record(119, 4, when, {**about, **sections}, end=28 + 8 * triplets)
