"""What one transaction asks of each station on its way: CPUs, adapters, delay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.declared.workload import Workload
from analysis.errors import user_error
from models.network import Station
from models.parameters import Handshake, Interface
from models.spread import Floats

# Headers of IPv4 and TCP with time stamps, and of Ethernet with gap and preamble.
IP_TCP_BYTES, ETHERNET_BYTES = 52, 38
KB = 1024
LATENCY_SIZES = (1 * KB, 4 * KB, 32 * KB)
Values = Mapping[str, Floats]


@dataclass(frozen=True)
class Path:
    """Demands [µs] of one transaction; one number for each draw."""

    client: Floats
    server: Floats
    there: Floats
    back: Floats
    delay: Floats

    def stations(self, cps: int) -> list[Station]:
        """The stations of the path in their order, CPUs with ``cps`` servers."""
        return [
            Station(self.client, cps),
            Station(self.there),
            Station(self.server, cps),
            Station(self.back),
        ]


def packets(size: float, mtu: int | None) -> float:
    """Packets that a payload needs, as a mean over where it is cut; at least one.

    Not rounded up: adapters and stacks cut and join segments, and a cost that jumps at
    every multiple of the MTU would be an artefact of the model.
    """
    return 1.0 if mtu is None else max(1.0, size / (mtu - IP_TCP_BYTES))


def side_cpu(values: Values, received: float, mean: float, mtu: int | None) -> Floats:
    """CPU time [µs] of one side: fixed part, received packets, mean payload."""
    per_packet = values["packet_cpu"] * packets(received, mtu)
    return values["fixed_cpu"] + per_packet + values["byte_cpu"] * (mean / KB)


def adapter_time(values: Values, size: float, interface: Interface) -> Floats:
    """Time [µs] that a payload holds the adapter in one direction."""
    count = packets(size, interface.mtu)
    wire = 0.0
    if interface.link and interface.mtu:
        wire_bytes = size + count * (IP_TCP_BYTES + ETHERNET_BYTES)
        wire = wire_bytes * 8 / (interface.link * 1e3)
    return values["adapter"] * count + wire


def latency(values: Values, size: float) -> Floats:
    """Delay without queueing [µs]: straight lines between 1, 4 and 32 kB."""
    known = [values[f"latency_{name}"] for name in ("1kb", "4kb", "32kb")]
    if size <= LATENCY_SIZES[0]:
        return known[0]
    upper = 1 if size <= LATENCY_SIZES[1] else 2
    left, right = LATENCY_SIZES[upper - 1], LATENCY_SIZES[upper]
    share = (size - left) / (right - left)
    line = known[upper - 1] * (1 - share) + known[upper] * share
    return np.maximum(line, 0.0)  # beyond 32 kB the line goes on, and may fall


def find_path(
    workload: Workload,
    interface: Interface,
    values: Values,
    handshake: Handshake | None,
    cpu_factor: float,
) -> Path:
    """The path of an RR or CRR transaction; a ``UserError`` for a stream."""
    if workload.shape == "STR":
        raise user_error(
            f"{workload.name} is a stream; the queueing model answers RR and CRR",
            mend="use the streaming model",
        )
    sent, received = workload.request_bytes, workload.response_bytes
    mean, mtu = (sent + received) / 2, interface.mtu
    client = side_cpu(values, received, mean, mtu)
    server = side_cpu(values, sent, mean, mtu)
    delay = latency(values, mean)
    if workload.shape == "CRR":
        delay = delay + latency(values, KB)
        if handshake is not None:
            client = client + values["handshake_client"]
            server = server + values["handshake_server"]
            delay = delay + values["handshake_delay"]
    there = adapter_time(values, sent, interface)
    back = adapter_time(values, received, interface)
    if interface.memory:
        delay = delay * cpu_factor
    client, server = client * cpu_factor, server * cpu_factor
    return Path(*np.broadcast_arrays(client, server, there, back, delay))
