"""SMF 119-20 and 119-21: a TN3270E session that began, or ended.

The record of the end sums round trips in whole milliseconds, so their means are exact
to half a millisecond divided by their number.
"""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.smf_119 import Address, OfStack, Time, hundredths
from synthetic.emitters.values import Amount, Count, Name8, Utc, Word, refuse
from synthetic.smf.dump import unblocked
from synthetic.smf.sessions import Terminal, session_begin, session_end


class TerminalSession(OfStack):
    """A session; of one that did not end, ``seconds`` are null and the rest is lost."""

    lu: Name8
    application: Name8
    remote_ip: Address
    local_ip: Address = "192.0.2.1"
    start: Utc
    seconds: Time | None
    bytes_in: Count = 0
    bytes_out: Count = 0
    round_trips: Word = 0
    response_ms: Amount = 0.0
    network_ms: Amount = 0.0

    @model_validator(mode="after")
    def _fits(self) -> Self:
        more = self.network_ms > self.response_ms
        refuse(more, "network_ms", "this is more than response_ms")
        whole = self.response_ms * self.round_trips
        refuse(whole >= 2**32 - 1, "response_ms", "the sum of all needs five bytes")
        return self

    @property
    def trips(self) -> tuple[int, int, int]:
        """Sums of milliseconds, in all and of the network, and their number."""
        means = (self.response_ms, self.network_ms)
        whole, network = (round(mean * self.round_trips) for mean in means)
        return whole, network, self.round_trips


def write(of: TerminalSession) -> bytes:
    """The record."""
    made = Terminal(
        of.local(of.start),
        hundredths(of.seconds or 0),
        of.lu,
        of.application,
        of.remote_ip,
        of.local_ip,
        of.bytes_in,
        of.bytes_out,
        of.trips,
        of.system,
        of.stack,
    )
    kind = session_begin if of.seconds is None else session_end
    return unblocked([kind(made)])


EMITTER = Emitter(
    "smf_119_tn3270", "SMF 119-20 and 119-21, TN3270E", "smf", TerminalSession, write
)
