"""What TCP/IP of one system records of a minute: connections, segments, interfaces."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from synthetic.emitters.emitter import EMITTERS
from synthetic.network.declaration import Way
from synthetic.network.performance import packets
from synthetic.network.runs import LOAD_SECONDS, Minute, Run, payload

STACK = "TCPIP"
FEW = 3  # connections; of more, and of CRR, no record 119-2 is kept
_PORT = 20_000
Values = dict[str, object]


def records(minute: Minute, system: str, hours: int) -> Iterator[bytes]:
    """Records 119-2 of connections that ended, then 119-5 and 119-6."""
    mine = [run for run in minute.runs if system in run.load.systems.values()]
    for run in mine:
        yield from _connections(run, system, hours)
    opened = sum(_opened(run) for run in mine if _is_near(run, system))
    accepted = sum(_opened(run) for run in mine if not _is_near(run, system))
    ports = _ports(minute, mine, system)
    segments = [sum(way) for way in zip(*(tcp for _, tcp in ports), strict=True)]
    inward, outward = (40 + count for count in segments)
    end = minute.slot.start + dt.timedelta(milliseconds=minute.millis)
    of: Values = {"system": system, "stack": STACK, "hours": hours, "end": end}
    of["seconds"] = minute.seconds
    yield EMITTERS["smf_119_5"].emit(
        **of,
        connections_opened=opened,
        connections_accepted=accepted,
        segments_in=inward,
        segments_out=outward,
        datagrams_in=inward + 12,
        datagrams_out=outward + 12,
        udp_in=12,
        udp_out=12,
    )
    yield EMITTERS["smf_119_6"].emit(**of, interfaces=[port for port, _ in ports])


def _ports(
    minute: Minute, mine: list[Run], system: str
) -> list[tuple[Values, tuple[int, int]]]:
    """Each interface that a system used, with the segments of TCP in and out."""
    by_port: dict[str, tuple[Way, list[Run]]] = {}
    for run in mine or minute.runs[:1]:
        path = run.load.path
        by_port.setdefault(path.port.name, (path, []))[1].append(run)
    return [
        _port(path, runs if mine else [], system) for path, runs in by_port.values()
    ]


def _port(path: Way, runs: list[Run], system: str) -> tuple[Values, tuple[int, int]]:
    sums = [_moved(run, system) for run in runs]
    received, sent = (sum(x) for x in zip(*sums, strict=True)) if sums else (0, 0)
    frames = packets(received, path.mtu) + 52, packets(sent, path.mtu) + 52
    port = {
        "name": path.port.name,
        "kind": path.port.kind,
        "mtu": path.mtu,
        "speed_mbps": path.port.speed,
        "bytes_in": received + 52 * frames[0],
        "packets_in": frames[0],
        "bytes_out": sent + 52 * frames[1],
        "packets_out": frames[1],
    }
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
    """Bytes received and sent by a system; one in between passes on both, unless the
    payload goes past it."""
    there, back = payload(run)
    ends = list(run.load.systems.values())
    if system not in (ends[0], ends[-1]) and not run.load.path.port.tcp:
        return 0, 0
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
        yield EMITTERS["smf_119_2"].emit(
            system=system,
            stack=STACK,
            hours=hours,
            job="SYNUPERF",
            number=nth + 1,
            start=run.start + dt.timedelta(milliseconds=150 + nth),
            seconds=LOAD_SECONDS + 0.4,
            remote_ip=_address(run, other),
            local_ip=_address(run, system),
            remote_port=ports[0],
            local_port=ports[1],
            bytes_in=received,
            bytes_out=sent,
            segments_in=packets(carried[0], path.mtu) + 4,
            segments_out=packets(carried[1], path.mtu) + 4,
            active=near,
        )
