"""A log as iperf3 3.12 writes it with ``-J -i 10`` on the client.

Layout: ``iperf_api.c`` of iperf3. The receiver's count is the result.
"""

from __future__ import annotations

import json
import random
from typing import Any, Self

from pydantic import model_validator

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import (
    LABEL,
    Amount,
    Count,
    Line,
    Measured,
    Positive,
    Some,
    Utc,
    refuse,
)
from synthetic.noise import source

_BLOCK, _EVERY = 131_072, 10.0
Json = dict[str, Any]


class Iperf3Log(Measured):
    """What iperf3 saw of streams over TCP.

    ``bytes`` arrived in ``seconds``. CPU time of the two processes is in percent of
    one CPU. ``reverse`` streams come from the server. Details are drawn by ``seed``.
    """

    seed: str
    clients: Some
    bytes: Some
    seconds: Positive
    retransmits: Count = 0
    host_cpu_pct: Amount = 0.0
    remote_cpu_pct: Amount = 0.0
    reverse: bool = False
    start: Utc
    label: Line = LABEL

    @model_validator(mode="after")
    def _enough(self) -> Self:
        few = self.bytes < 1000 * self.clients
        refuse(few, "bytes", "there are fewer than 1000 a client")
        return self


def write(run: Iperf3Log) -> bytes:
    """The whole log."""
    draw = source("iperf3", run.seed)
    shares = _shares(run.bytes, run.clients, draw)
    said = {
        "start": _start(run),
        "intervals": _intervals(run, shares),
        "end": _end(run, shares, draw),
        "title": run.label,
    }
    return (json.dumps(said, indent="\t", separators=(",", ":\t")) + "\n").encode()


def _shares(total: int, number: int, draw: random.Random) -> list[int]:
    """The bytes of each stream, which are not quite equal."""
    weights = [1 + 0.04 * (draw.random() - 0.5) for _ in range(number)]
    shares = [int(total * weight / sum(weights)) for weight in weights]
    shares[0] += total - sum(shares)
    return shares


def _start(run: Iperf3Log) -> Json:
    connected = [
        {
            "socket": 5 + 2 * nth,
            "local_host": "192.0.2.1",
            "local_port": 40_001 + nth,
            "remote_host": "192.0.2.2",
            "remote_port": 5201,
        }
        for nth in range(run.clients)
    ]
    time = {
        "time": f"{run.start:%a, %d %b %Y %H:%M:%S} GMT",
        "timesecs": int(run.start.timestamp()),
    }
    test = {"protocol": "TCP", "num_streams": run.clients, "blksize": _BLOCK, "omit": 0}
    test |= {"duration": int(run.seconds), "bytes": 0, "blocks": 0}
    return {
        "connected": connected,
        "version": "iperf 3.12",
        "system_info": "SYNTHETIC",
        "timestamp": time,
        "connecting_to": {"host": "192.0.2.2", "port": 5201},
        "tcp_mss_default": 1448,
        "test_start": test | {"reverse": int(run.reverse), "tos": 0},
    }


def _intervals(run: Iperf3Log, shares: list[int]) -> list[Json]:
    ends = [_EVERY * (nth + 1) for nth in range(int(run.seconds // _EVERY))]
    if not ends or ends[-1] < run.seconds:
        ends.append(run.seconds)
    made, begin = [], 0.0
    for end in ends:
        part = (end - begin) / run.seconds
        streams = [
            {"socket": 5 + 2 * nth} | _moved(begin, end, int(share * part), run)
            for nth, share in enumerate(shares)
        ]
        whole = sum(stream["bytes"] for stream in streams)
        made.append({"streams": streams, "sum": _moved(begin, end, whole, run)})
        begin = end
    return made


def _moved(begin: float, end: float, size: int, run: Iperf3Log) -> Json:
    return {**_count(begin, end, size), "omitted": False, "sender": not run.reverse}


def _count(begin: float, end: float, size: int) -> Json:
    seconds = end - begin
    told = {"start": begin, "end": end, "seconds": seconds, "bytes": size}
    return told | {"bits_per_second": size * 8 / seconds}


def _end(run: Iperf3Log, shares: list[int], draw: random.Random) -> Json:
    """What was sent is a little more than what had arrived by then."""
    ahead = [int(share * 1e-4 * draw.random()) for share in shares]
    again = _shares(run.retransmits, run.clients, draw)
    sender = {"sender": not run.reverse}
    streams = []
    for share, more, lost in zip(shares, ahead, again, strict=True):
        sent = _count(0, run.seconds, share + more) | {"retransmits": lost} | sender
        got = _count(0, run.seconds, share) | sender
        streams.append({"sender": sent, "receiver": got})
    sent = _count(0, run.seconds, run.bytes + sum(ahead))
    cpu: Json = {}
    for side, percent in (("host", run.host_cpu_pct), ("remote", run.remote_cpu_pct)):
        user = percent * 0.05
        cpu |= {f"{side}_total": percent, f"{side}_user": user}
        cpu |= {f"{side}_system": percent - user}
    return {
        "streams": streams,
        "sum_sent": sent | {"retransmits": run.retransmits} | sender,
        "sum_received": _count(0, run.seconds, run.bytes) | sender,
        "cpu_utilization_percent": cpu,
        "sender_tcp_congestion": "cubic",
        "receiver_tcp_congestion": "cubic",
    }


EMITTER = Emitter("iperf3", "log of iperf3 (JSON)", "iperf3", Iperf3Log, write)
