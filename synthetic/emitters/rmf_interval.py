"""The interval of RMF that records of one system share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from synthetic.emitters.values import Byte, Hours, Measured, Name4, Name8, Utc
from synthetic.smf import rmf

Millis = Annotated[int, Field(strict=True, ge=1, lt=6_000_000)]  # below 100 minutes


class RmfInterval(Measured):
    """When, how long and of which system; ``hours`` is local time minus UTC.

    ``partition`` is the number of the system's own partition.
    """

    system: Name4
    start: Utc
    millis: Millis
    hours: Hours = -5.0
    partition: Byte = 1
    level: Name8 = "ZV030200"
    plex: Name8 = "SYNPLEX"

    @property
    def seconds(self) -> float:
        """Its length."""
        return self.millis / 1000

    def layout(self) -> rmf.Interval:
        """As the product section has it."""
        return rmf.Interval(
            self.start,
            self.millis,
            self.system,
            self.hours,
            self.partition,
            level=self.level,
            plex=self.plex,
        )
