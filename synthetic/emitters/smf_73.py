"""SMF 73: channel paths, among them OSA (OSD) and HiperSockets (IQD)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.declared.mistakes import form
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.rmf_interval import RmfInterval
from synthetic.emitters.values import Measured, Percent
from synthetic.smf.dump import unblocked
from synthetic.smf.io import Channel, channels

_TICKS = 10_000  # a unit of the measured time is 0.1 ms
Chpid = Annotated[str, Field(pattern=form(r"^[0-9A-F]{2}$", "two hex digits"))]
Kind = Annotated[str, Field(pattern=form(r"^[A-Z0-9_]{1,5}$", "at most 5 capitals"))]


class ChannelPath(Measured):
    """A channel path, and how busy it was for this partition."""

    chpid: Chpid
    kind: Kind = "OSD"
    busy_pct: Percent
    online: bool = True


class ChannelActivity(RmfInterval):
    """All channel paths in an interval."""

    paths: tuple[ChannelPath, ...]


def write(of: ChannelActivity) -> bytes:
    """The record."""
    whole = of.millis * _TICKS // 1000
    paths = [
        Channel(
            int(path.chpid, 16),
            round(whole * path.busy_pct / 100),
            whole,
            path.kind,
            path.online,
        )
        for path in of.paths
    ]
    return unblocked([channels(of.layout(), paths)])


EMITTER = Emitter("smf_73", "SMF 73, channel paths", "smf", ChannelActivity, write)
