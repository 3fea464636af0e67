"""SMF 72-3: CPU time and transactions of a service or report class.

RMF counts service units: 16,000,000 ÷ ``adjustment`` of them are a second. Those of CPU
time have zIIP and zAAP time in them, normalised.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.rmf_interval import RmfInterval
from synthetic.emitters.values import (
    Amount,
    Half,
    Measured,
    Name8,
    Share,
    Some,
    Word,
    refuse,
)
from synthetic.smf import workload
from synthetic.smf.dump import unblocked

_UNITS = 16e6  # of service in `adjustment` seconds
_FACTOR = 256
Factor = Annotated[float, Field(strict=True, ge=1, le=16)]


class Period(Measured):
    """A period of a class; ``cp_seconds`` has what was eligible and ran on CPs in it.

    ``tcb_share`` of them are of TCBs, the rest of SRBs. zIIP and zAAP time are real.
    """

    cp_seconds: Amount
    tcb_share: Share = 0.6
    ziip_seconds: Amount = 0.0
    ziip_on_cp_seconds: Amount = 0.0
    zaap_seconds: Amount = 0.0
    zaap_on_cp_seconds: Amount = 0.0
    ended: Word = 0
    importance: Half = 1

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name in ("ziip_on_cp_seconds", "zaap_on_cp_seconds"):
            more = getattr(self, name) > self.cp_seconds
            refuse(more, name, "these are more than cp_seconds, of which they are part")
        return self


class ClassActivity(RmfInterval):
    """A class in an interval; factors say how much faster its zIIPs and zAAPs are."""

    name: Name8
    kind: Literal["service", "report"] = "service"
    workload: Name8 = "WORK"
    periods: tuple[Period, ...]
    adjustment: Some = 188
    ziip_factor: Factor = 1.0
    zaap_factor: Factor = 1.0


def write(of: ClassActivity) -> bytes:
    """The record."""
    zaap = any(period.zaap_seconds for period in of.periods)
    made = workload.class_activity(
        of.layout(),
        of.name,
        [_period(nth, each, of) for nth, each in enumerate(of.periods, 1)],
        of.kind == "report",
        of.adjustment,
        ziip=_factor(of.ziip_factor),
        zaap=_factor(of.zaap_factor) if zaap else 0,
        workload=of.workload,
    )
    return unblocked([made])


def _factor(value: float) -> int:
    return round(value * _FACTOR)


def _period(nth: int, it: Period, of: ClassActivity) -> workload.Period:
    rate = _UNITS / of.adjustment
    units, ziip, zaap = (
        seconds * rate for seconds in (it.cp_seconds, it.ziip_seconds, it.zaap_seconds)
    )
    normalised = ziip * _factor(of.ziip_factor) / _FACTOR
    normalised += zaap * _factor(of.zaap_factor) / _FACTOR
    return workload.Period(
        nth,
        cpu=units * it.tcb_share + normalised,
        srb=units * (1 - it.tcb_share),
        ziip=ziip,
        ziip_on_cp=it.ziip_on_cp_seconds * rate,
        zaap=zaap,
        zaap_on_cp=it.zaap_on_cp_seconds * rate,
        ended=it.ended,
        importance=it.importance,
    )


EMITTER = Emitter("smf_72", "SMF 72-3, workload activity", "smf", ClassActivity, write)
