"""What records of TCP/IP share: the stack that wrote them, addresses and local time."""

from __future__ import annotations

import datetime as dt
import ipaddress
from typing import Annotated

from pydantic import AfterValidator, Field

from synthetic.emitters.values import Hours, Measured, Name4, Name8
from synthetic.smf.dump import local


def _address(value: str) -> str:
    ipaddress.ip_address(value)  # its ValueError says what is wrong
    return value


Address = Annotated[str, AfterValidator(_address)]
# A field of four bytes in hundredths of a second.
Time = Annotated[float, Field(strict=True, ge=0, lt=42_949_672)]


class OfStack(Measured):
    """The system and its stack; ``hours`` is local time minus UTC."""

    system: Name4
    stack: Name8 = "TCPIP"
    hours: Hours = -5.0

    def local(self, moment: dt.datetime) -> dt.datetime:
        """The local time of a moment."""
        return local(moment, self.hours)


def hundredths(seconds: float) -> int:
    """A length as the records have it."""
    return round(seconds * 100)
