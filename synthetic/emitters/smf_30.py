"""SMF 30: CPU time of an address space, in hundredths of a second."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import Hours, Measured, Name4, Name8, Utc, refuse
from synthetic.smf.dump import unblocked
from synthetic.smf.spaces import Space, address_space

_TICKS = 100
# A field of four bytes.
Time = Annotated[float, Field(strict=True, ge=0, lt=2**32 / _TICKS - 1)]
Factor = Annotated[float, Field(strict=True, ge=1, le=16)]


class AddressSpace(Measured):
    """An address space in an interval (subtypes 2, 3), or in a step or job (4, 5).

    ``tcb_seconds`` have what was eligible for zIIPs and zAAPs and ran on CPs in them.
    """

    system: Name4
    job: Name8
    program: Name8
    start: Utc
    seconds: Time
    subtype: Literal[2, 3, 4, 5] = 2
    tcb_seconds: Time
    srb_seconds: Time = 0.0
    ziip_seconds: Time = 0.0
    ziip_on_cp_seconds: Time = 0.0
    zaap_seconds: Time = 0.0
    zaap_on_cp_seconds: Time = 0.0
    ziip_factor: Factor = 1.25
    hours: Hours = -5.0

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name in ("ziip_on_cp_seconds", "zaap_on_cp_seconds"):
            more = getattr(self, name) > self.tcb_seconds
            refuse(
                more, name, "these are more than tcb_seconds, of which they are part"
            )
        return self


def write(of: AddressSpace) -> bytes:
    """The record."""
    space = Space(
        of.job,
        of.subtype,
        of.start,
        of.seconds,
        of.program,
        cpt=_ticks(of.tcb_seconds),
        cps=_ticks(of.srb_seconds),
        ziip=_ticks(of.ziip_seconds),
        ziip_on_cp=_ticks(of.ziip_on_cp_seconds),
        zaap=_ticks(of.zaap_seconds),
        zaap_on_cp=_ticks(of.zaap_on_cp_seconds),
        sid=of.system,
        hours=of.hours,
        within=(0, 0, 0),
        factor=round(of.ziip_factor * 256),
    )
    return unblocked([address_space(space)])


def _ticks(seconds: float) -> int:
    return round(seconds * _TICKS)


EMITTER = Emitter("smf_30", "SMF 30, address space", "smf", AddressSpace, write)
