"""What TCP/IP of one system records of a minute: connections, segments, interfaces."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from synthetic.declaration import Way
from synthetic.performance import packets
from synthetic.runs import LOAD_SECONDS, Minute, Run, payload
from synthetic.smf.dump import local
from synthetic.smf.tcpip import Connection, Port, connection, interfaces, statistics

STACK = "TCPIP"
FEW = 3  # connections; of more, and of CRR, no record 119-2 is kept
_PORT = 20_000


def records(minute: Minute, system: str, hours: int) -> Iterator[bytes]:
    """Records 119-2 of connections that ended, then 119-5 and 119-6."""
    mine = [run for run in minute.runs if system in run.load.systems.values()]
    for run in mine:
        yield from _connections(run, system, hours)
    when = local(minute.slot.start + dt.timedelta(milliseconds=minute.millis), hours)
    opened = sum(_opened(run) for run in mine if _is_near(run, system))
    accepted = sum(_opened(run) for run in mine if not _is_near(run, system))
    ports = _ports(minute, mine, system)
    segments = [sum(way) for way in zip(*(tcp for _, tcp in ports), strict=True)]
    inward, outward = (40 + count for count in segments)
    seconds = minute.seconds
    yield statistics(
        when,
        (opened, accepted, inward, outward, 0),
        (12, 12),
        0x80,
        STACK,
        system,
        seconds,
        datagrams=(inward + 12, outward + 12),
    )
    yield interfaces(when, [port for port, _ in ports], sid=system, seconds=seconds)


def _ports(
    minute: Minute, mine: list[Run], system: str
) -> list[tuple[Port, tuple[int, int]]]:
    """Each interface that a system used, with the segments of TCP in and out."""
    by_port: dict[str, tuple[Way, list[Run]]] = {}
    for run in mine or minute.runs[:1]:
        path = run.load.path
        by_port.setdefault(path.port.name, (path, []))[1].append(run)
    return [
        _port(path, runs if mine else [], system) for path, runs in by_port.values()
    ]


def _port(path: Way, runs: list[Run], system: str) -> tuple[Port, tuple[int, int]]:
    sums = [_moved(run, system) for run in runs]
    received, sent = (sum(x) for x in zip(*sums, strict=True)) if sums else (0, 0)
    frames = packets(received, path.mtu) + 52, packets(sent, path.mtu) + 52
    port = Port(
        path.port.name,
        received + 52 * frames[0],
        frames[0],
        sent + 52 * frames[1],
        frames[1],
        path.port.speed,
        path.mtu,
        path.port.kind,
    )
    carried = (received, sent) if path.port.tcp else (0, 0)
    return port, (packets(carried[0], path.mtu), packets(carried[1], path.mtu))


def _address(run: Run, system: str) -> str:
    """The address of a system, of those that are kept for documents (RFC 5737)."""
    return f"192.0.2.{[*run.slot.cps].index(system) + 1}"


def _opened(run: Run) -> int:
    workload = run.load.workload
    return run.transactions if workload.shape == "CRR" else workload.clients


def _is_near(run: Run, system: str) -> bool:
    """Whether the system is at the client's side."""
    return next(iter(run.load.systems.values())) == system


def _moved(run: Run, system: str) -> tuple[int, int]:
    """Bytes received and sent by a system; one in between passes on both."""
    there, back = payload(run)
    ends = list(run.load.systems.values())
    if system == ends[0]:
        return back, there
    return (there, back) if system == ends[-1] else (there + back, there + back)


def _connections(run: Run, system: str, hours: int) -> Iterator[bytes]:
    workload, path = run.load.workload, run.load.path
    ends = list(run.load.systems.values())
    if workload.shape == "CRR" or workload.clients > FEW:
        return
    if system not in (ends[0], ends[-1]):
        return
    near = _is_near(run, system)
    other = ends[-1] if near else ends[0]
    received, sent = (size // workload.clients for size in _moved(run, system))
    carried = (received, sent) if path.port.tcp else (0, 0)
    for nth in range(workload.clients):
        ports = (_PORT, 40_001 + nth) if near else (40_001 + nth, _PORT)
        yield connection(
            Connection(
                run.start + dt.timedelta(milliseconds=150 + nth),
                LOAD_SECONDS + 0.4,
                "SYNUPERF",
                _address(run, other),
                _address(run, system),
                ports,
                received,
                sent,
                (packets(carried[0], path.mtu) + 4, packets(carried[1], path.mtu) + 4),
                0,
                near,
                hours,
            ),
            nth + 1,
            sid=system,
        )
