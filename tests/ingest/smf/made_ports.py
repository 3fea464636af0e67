"""Records 119-7, 119-11 and 119-12 made from the layouts of Pacific Systems Group.

Offsets are those of its pages "SMF Type 119 Record" (subtypes 7, 11 and 12).
"""

from __future__ import annotations

import datetime as dt
import ipaddress

from synthetic.smf.bytes_of import address, date, hundredths, number, text, tod
from synthetic.smf.dump import START, local, section
from synthetic.smf.tcpip import tcpip

END = START + dt.timedelta(seconds=900)
TLS, SSH, IPSEC = 0x80, 0x40, 0x20


def tcp_port(
    port: int = 1414, name: str = "CSQ1CHIN", bound: str = "::", size: int = 60
) -> bytes:
    """A TCP section: 11 connections, 2 binds, 3 busy, 4 attacked, 5 at once, 6 left."""
    counts = (11, 2, 3, 4, 5, 6)
    return section(
        size,
        (0, tod(900_000_000)),
        (8, text(name, 8)),
        (16, address(bound)),
        (32, number(port, 2)),
        (36, b"".join(number(count, 4) for count in counts)),
    )


def udp_port(port: int = 53, name: str = "NAMED", bound: str = "10.1.2.4") -> bytes:
    """A UDP section: datagrams in and out, bytes in and out."""
    counts = (7, 8, 5_000_000_000, 9)
    return section(
        68,
        (0, tod(900_000_000)),
        (8, text(name, 8)),
        (16, address(bound)),
        (32, number(port, 2)),
        (36, b"".join(number(count, 8) for count in counts)),
    )


def server_ports(tcp: list[bytes], udp: list[bytes]) -> bytes:
    """A 119-7 record."""
    return tcpip(7, local(END), {36: tcp, 44: udp}, reason=0x80)


def short_address(value: str) -> bytes:
    """An address of zERT: IPv4 lies in the first four of sixteen bytes."""
    return ipaddress.ip_address(value).packed.ljust(16, b"\0")


def protected(
    event: int = 3,
    protocols: int = TLS,
    remote: str = "10.1.2.3",
    own: str = "10.1.2.4",
    job: str = "CSQ1CHIN",
    transport: int = 6,
    size: int = 128,
) -> bytes:
    """A zERT common section; its times are UTC, and only ends have an end."""
    end = START + dt.timedelta(seconds=30)
    over = hundredths(end.time()) + date(end.date()) if event in (3, 4) else bytes(8)
    flags = 0x80 if ":" in own else 0
    return section(
        size,
        (0, bytes([event, protocols, flags, 0, transport])),
        (8, text(job, 8) + text("JOB00017", 8) + text("MQUSER", 8)),
        (32, hundredths(START.time()) + date(START.date())),
        (40, over),
        (48, short_address(remote) + short_address(own)),
        (80, number(40_001, 2) + number(1414, 2) + number(77, 4)),
        (88, number(1_000, 8) + number(2_000, 8) + number(30, 8) + number(40, 8)),
    )


def tls_of_connection(version: int = 0x0304, cipher: str = "1302") -> bytes:
    """The TLS section of 119-11."""
    return section(168, (0, number(version, 2)), (56, text(cipher, 6)))


def zert_detail(
    common: bytes, tls: bytes | None = None, ssh: bytes | None = None
) -> bytes:
    """A 119-11 record."""
    sections = {36: [common], 52: [tls] if tls else [], 60: [ssh] if ssh else []}
    return tcpip(11, local(START + dt.timedelta(seconds=30)), sections)


def session(
    event: int = 1, protocols: int = TLS, flags: int = 0x40, job: str = "CSQ1CHIN",
    begun: tuple[int, ...] = (10, 1, 2, 100, 200, 30, 40),
    ended: tuple[int, ...] = (15, 1, 4, 1_100, 2_200, 90, 100),
) -> bytes:  # fmt: skip
    """A zERT summary: connections, partial and short ones, bytes in and out, segments
    in and out, over the life of the session, when the interval began and ended."""
    return section(
        204,
        (0, tod(900_000_000)),
        (8, bytes([event, flags, protocols])),
        (11, text(job, 8) + text("MQUSER", 8) + bytes([6])),
        (28, short_address("10.1.2.4") + short_address("10.1.2.3")),
        (60, number(1414, 2) + number(1415, 2)),
        (64, text("T-0123456789ABCDEF", 42)),
        (108, b"".join(number(count, 4) for count in begun[:3])),
        (124, b"".join(number(count, 8) for count in begun[3:])),
        (156, b"".join(number(count, 4) for count in (*ended[:3], 8))),
        (172, b"".join(number(count, 8) for count in ended[3:])),
    )


def zert_summary(
    about: bytes, tls: bytes | None = None, ssh: bytes | None = None
) -> bytes:
    """A 119-12 record."""
    sections = {36: [about], 44: [tls] if tls else [], 52: [ssh] if ssh else []}
    return tcpip(12, local(END), sections, reason=0x80)


def tls_of_session(version: int = 0x0303, cipher: str = "C02F") -> bytes:
    """The TLS section of 119-12."""
    return section(36, (2, number(version, 2)), (4, text(cipher, 6)))


def each_record() -> list[bytes]:
    """A record of each subtype, with a section of each kind."""
    return [
        server_ports([tcp_port()], [udp_port()]),
        zert_detail(protected(), tls_of_connection()),
        zert_summary(session(), tls_of_session()),
    ]
