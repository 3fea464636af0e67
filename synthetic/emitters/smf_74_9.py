"""SMF 74-9: bytes of PCIe functions, such as ports of RoCE and ISM."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from analysis.declared.mistakes import form
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.rmf_interval import RmfInterval
from synthetic.emitters.values import Count, Line, Measured, Name8
from synthetic.smf.dump import unblocked
from synthetic.smf.io import Function, functions

_FORMS = {"dma": 0, "ethernet": 1}
Hex8 = Annotated[str, Field(pattern=form(r"^[0-9A-F]{8}$", "eight hex digits"))]
Hex4 = Annotated[str, Field(pattern=form(r"^[0-9A-F]{4}$", "four hex digits"))]
Device = Annotated[Line, Field(max_length=24)]


class PcieFunction(Measured):
    """A function; its bytes are of direct memory access or of the Ethernet side, and
    packets are counted of the latter alone."""

    function: Hex8
    device: Device = "25GbE RoCE Express3"
    job: Name8 = "TCPIP"
    channel: Hex4
    counts: Literal["dma", "ethernet"] = "dma"
    bytes_in: Count
    bytes_out: Count
    packets_in: Count = 0
    packets_out: Count = 0

    def layout(self) -> Function:
        """As the record has it."""
        return Function(
            int(self.function, 16),
            _FORMS[self.counts],
            (self.bytes_in, self.bytes_out),
            (self.packets_in, self.packets_out),
            self.device,
            self.job,
            int(self.channel, 16),
        )


class PcieActivity(RmfInterval):
    """All functions in an interval."""

    functions: tuple[PcieFunction, ...]


def write(of: PcieActivity) -> bytes:
    """The record."""
    made = functions(of.layout(), [each.layout() for each in of.functions])
    return unblocked([made])


EMITTER = Emitter("smf_74_9", "SMF 74-9, PCIe functions", "smf", PcieActivity, write)
