"""SMF 119-2: a TCP connection that ended."""

from __future__ import annotations

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.smf_119 import Address, OfStack
from synthetic.emitters.values import Amount, Count, Half, Name8, Utc, Word
from synthetic.smf.dump import unblocked
from synthetic.smf.tcpip import Connection, connection


class TcpConnection(OfStack):
    """A connection; ``active`` where the own side opened it."""

    job: Name8
    number: Word = 1
    start: Utc
    seconds: Amount
    remote_ip: Address
    local_ip: Address
    remote_port: Half
    local_port: Half
    bytes_in: Count
    bytes_out: Count
    segments_in: Count
    segments_out: Count
    retransmits: Half = 0
    active: bool = False


def write(of: TcpConnection) -> bytes:
    """The record."""
    made = Connection(
        of.start,
        of.seconds,
        of.job,
        of.remote_ip,
        of.local_ip,
        (of.remote_port, of.local_port),
        of.bytes_in,
        of.bytes_out,
        (of.segments_in, of.segments_out),
        of.retransmits,
        of.active,
        of.hours,
    )
    return unblocked([connection(made, of.number, sid=of.system, stack=of.stack)])


EMITTER = Emitter("smf_119_2", "SMF 119-2, TCP connection", "smf", TcpConnection, write)
