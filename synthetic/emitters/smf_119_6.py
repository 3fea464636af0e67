"""SMF 119-6: counts of the interfaces of a TCP/IP stack in an interval."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.declared.mistakes import form
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.smf_119 import OfStack
from synthetic.emitters.smf_119_5 import Length
from synthetic.emitters.values import Count, Measured, Name16, Utc, Word
from synthetic.smf.dump import unblocked
from synthetic.smf.tcpip import Port, interfaces

Kind = Annotated[str, Field(pattern=form(r"^[A-Z0-9]{1,18}$", "such as IPAQENET"))]


class Interface(Measured):
    """An interface; ``speed_mbps`` in Mbit/s, packets are those to one address."""

    name: Name16
    kind: Kind = "IPAQENET"
    mtu: Word = 1500
    speed_mbps: Word = 25_000
    bytes_in: Count
    packets_in: Count
    bytes_out: Count
    packets_out: Count


class InterfaceActivity(OfStack):
    """All interfaces of a stack in the interval that ended at ``end``."""

    end: Utc
    seconds: Length
    interfaces: tuple[Interface, ...]


def write(of: InterfaceActivity) -> bytes:
    """The record."""
    ports = [
        Port(
            it.name,
            it.bytes_in,
            it.packets_in,
            it.bytes_out,
            it.packets_out,
            it.speed_mbps,
            it.mtu,
            it.kind,
        )
        for it in of.interfaces
    ]
    when = of.local(of.end)
    made = interfaces(when, ports, sid=of.system, seconds=of.seconds, stack=of.stack)
    return unblocked([made])


EMITTER = Emitter("smf_119_6", "SMF 119-6, interfaces", "smf", InterfaceActivity, write)
