"""What TCP/IP of one system records of a minute: connections, segments, interfaces."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from synthetic.evidence import OFFSET
from synthetic.network.declaration import Way
from synthetic.network.performance import packets
from synthetic.network.runs import LOAD_SECONDS, Minute, Run
from synthetic.smf.dump import local
from synthetic.smf.tcpip import Connection, Port, connection, interfaces, statistics

FEW = 3  # connections; of more, and of CRR, no record 119-2 is kept
_PORT = 20_000


def records(minute: Minute, system: str, systems: Sequence[str]) -> Iterator[bytes]:
    """Records 119-2 of connections that ended, then 119-5 and 119-6; ``systems`` are
    all of the campaign, in the order of their addresses."""
    mine = [run for run in minute.runs if system in run.systems.values()]
    for run in mine:
        yield from _connections(run, system, systems)
    opened = sum(_opened(run) for run in mine if _is_near(run, system))
    accepted = sum(_opened(run) for run in mine if not _is_near(run, system))
    ports = _ports(minute, mine, system)
    segments = [sum(way) for way in zip(*(tcp for _, tcp in ports), strict=True)]
    inward, outward = (40 + count for count in segments)
    end = local(minute.start + dt.timedelta(milliseconds=minute.millis), OFFSET)
    yield statistics(
        end,
        (opened, accepted, inward, outward, 0),
        udp=(12, 12),
        sid=system,
        seconds=minute.seconds,
        datagrams=(inward + 12, outward + 12),
    )
    each = [port for port, _ in ports]
    yield interfaces(end, each, sid=system, seconds=minute.seconds)


def _ports(
    minute: Minute, mine: list[Run], system: str
) -> list[tuple[Port, tuple[int, int]]]:
    """Each interface that a system used, with the segments of TCP in and out."""
    by_port: dict[str, tuple[Way, list[Run]]] = {}
    for run in mine or minute.runs[:1]:
        path = run.arm.path
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
    return port, _segments(path, received, sent)


def _segments(path: Way, *moved: int) -> tuple[int, int]:
    """Segments of TCP in and out, none where the payload is no TCP."""
    received, sent = (packets(n if path.port.tcp else 0, path.mtu) for n in moved)
    return received, sent


def _opened(run: Run) -> int:
    return run.transactions if run.workload.shape == "CRR" else run.workload.clients


def _is_near(run: Run, system: str) -> bool:
    """Whether the system is at the client's side."""
    return next(iter(run.systems.values())) == system


def _moved(run: Run, system: str) -> tuple[int, int]:
    """Bytes received and sent by a system; one in between passes on both, unless the
    payload goes past it."""
    there, back = run.payload
    ends = list(run.systems.values())
    if system not in (ends[0], ends[-1]) and not run.arm.path.port.tcp:
        return 0, 0
    if system == ends[0]:
        return back, there
    return (there, back) if system == ends[-1] else (there + back, there + back)


def _connections(run: Run, system: str, systems: Sequence[str]) -> Iterator[bytes]:
    load, ends = run.workload, list(run.systems.values())
    if load.shape == "CRR" or load.clients > FEW:
        return
    if system not in (ends[0], ends[-1]):
        return
    near = _is_near(run, system)
    other = ends[-1] if near else ends[0]
    received, sent = (size // load.clients for size in _moved(run, system))
    inward, outward = _segments(run.arm.path, received, sent)
    # Addresses that are kept for documents (RFC 5737).
    remote, local_ip = (
        f"192.0.2.{systems.index(name) + 1}" for name in (other, system)
    )
    for nth in range(load.clients):
        ports = (_PORT, 40_001 + nth) if near else (40_001 + nth, _PORT)
        made = Connection(
            run.start + dt.timedelta(milliseconds=150 + nth),
            LOAD_SECONDS + 0.4,
            "SYNUPERF",
            remote,
            local_ip,
            ports,
            received,
            sent,
            (inward + 4, outward + 4),
            0,
            near,
            OFFSET,
            smc=int(not run.arm.path.port.tcp),
            segment=run.arm.path.mtu - 52,
        )
        yield connection(made, nth + 1, sid=system)
