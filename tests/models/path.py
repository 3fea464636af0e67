"""A path over an adapter whose parts are known: what models are to find again."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.declared.workload import Workload
from models.interpolate import KB, Anchor, packets
from models.network import Station, solve


@dataclass(frozen=True)
class Path:
    """Times [µs]: CPU of a side as fixed part, a packet and a kB; the adapter for a
    packet, beside the line of 25 Gbit/s; the delay as fixed part and a kB."""

    fixed: float = 4.9
    packet: float = 0.42
    kb: float = 0.29
    adapter: float = 0.62
    delay: tuple[float, float] = (88.6, 3.11)
    mtu: int = 1500

    def point(self, work: Workload, cps: tuple[int, int] = (4, 4)) -> Anchor:
        """What a run of a workload would measure."""
        sent, received = work.request_bytes, work.response_bytes
        mean = (sent + received) / 2 / KB
        client, server = (
            self.fixed + self.packet * packets(size, self.mtu) + self.kb * mean
            for size in (received, sent)
        )
        stations = [
            Station(client, cps[0]), Station(self._line(sent)),
            Station(server, cps[1]), Station(self._line(received)),
        ]  # fmt: skip
        delay = self.delay[0] + self.delay[1] * mean
        rate = float(solve(work.clients, delay, stations)) * 1e6
        return Anchor(work, rate, client, server)

    def _line(self, size: int) -> float:
        count = packets(size, self.mtu)
        return self.adapter * count + (size + 90 * count) * 8 / 25e3


OSA = Path()
FAST = Path(4.78, 0.35, 0.27, 0.2, (28.1, 1.8))
