"""SMF 119-5: counts of a TCP/IP stack in an interval."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.smf_119 import OfStack
from synthetic.emitters.values import Count, Utc, Word
from synthetic.smf.dump import unblocked
from synthetic.smf.tcpip import statistics

Length = Annotated[float, Field(strict=True, gt=0, le=86_400)]


class StackActivity(OfStack):
    """A stack in the interval that ended at ``end``."""

    end: Utc
    seconds: Length
    connections_opened: Word
    connections_accepted: Word
    segments_in: Word
    segments_out: Word
    retransmits: Word = 0
    datagrams_in: Word
    datagrams_out: Word
    udp_in: Count = 0
    udp_out: Count = 0


def write(of: StackActivity) -> bytes:
    """The record."""
    opened = (of.connections_opened, of.connections_accepted)
    made = statistics(
        of.local(of.end),
        (*opened, of.segments_in, of.segments_out, of.retransmits),
        (of.udp_in, of.udp_out),
        0x80,
        of.stack,
        of.system,
        of.seconds,
        datagrams=(of.datagrams_in, of.datagrams_out),
    )
    return unblocked([made])


EMITTER = Emitter("smf_119_5", "SMF 119-5, TCP/IP stack", "smf", StackActivity, write)
