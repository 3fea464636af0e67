"""SMF 74-1: devices, whose times RMF sums in units of 128 µs."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from analysis.declared.mistakes import form
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.rmf_interval import RmfInterval
from synthetic.emitters.values import Amount, Half, Measured, Word, refuse
from synthetic.smf.dump import unblocked
from synthetic.smf.io import Device, devices

_TICK_MS = 0.128
Number = Annotated[str, Field(pattern=form(r"^[0-9A-F]{4}$", "four hex digits"))]
Volume = Annotated[str, Field(pattern=form(r"^[A-Z0-9]{1,6}$", "at most 6 capitals"))]


class DeviceValues(Measured):
    """A device: requests, and the mean times of one in milliseconds.

    ``exposures`` are the base and the aliases of a parallel access volume, on which
    requests run side by side.
    """

    device: Number
    volume: Volume
    lcu: Half = 0
    requests: Word
    connect_ms: Amount
    pending_ms: Amount = 0.0
    disconnect_ms: Amount = 0.0
    exposures: Annotated[int, Field(strict=True, ge=1, le=256)] = 1

    def check(self, seconds: float) -> None:
        """Refuse times that an interval of this length has no room for."""
        busy = self.requests * (self.connect_ms + self.disconnect_ms) / 1000
        room = seconds * self.exposures
        name = f"connect_ms and disconnect_ms of {self.device}"
        refuse(busy > room, name, f"{busy:g} s in all are more than {room:g} s")
        queued = self.requests * self.pending_ms / _TICK_MS >= 2**32
        refuse(queued, f"pending_ms of {self.device}", "its sum needs five bytes")

    def layout(self) -> Device:
        """With the sums of all requests."""
        means = (self.connect_ms, self.pending_ms, self.disconnect_ms)
        connect, pending, disconnect = (
            round(mean * self.requests / _TICK_MS) for mean in means
        )
        number = int(self.device, 16)
        return Device(
            number,
            self.requests,
            connect,
            pending,
            disconnect,
            self.volume,
            self.lcu,
            self.exposures,
        )


class DeviceActivity(RmfInterval):
    """All devices in an interval."""

    devices: tuple[DeviceValues, ...]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for it in self.devices:
            it.check(self.seconds)
        return self


def write(of: DeviceActivity) -> bytes:
    """The record."""
    made = devices(of.layout(), [each.layout() for each in of.devices])
    return unblocked([made])


EMITTER = Emitter("smf_74_1", "SMF 74-1, devices", "smf", DeviceActivity, write)
