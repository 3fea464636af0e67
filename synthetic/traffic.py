"""What TCP/IP of one system records of a minute: connections, segments, interfaces."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from synthetic.plan import Slot
from synthetic.runs import LOAD_SECONDS, Minute, Run, packets, payload
from synthetic.smf.dump import local
from synthetic.smf.tcpip import Connection, Port, connection, interfaces, statistics

STACK = "TCPIP"
FEW = 3  # connections; of more, and of CRR, no record 119-2 is kept
_ADDRESSES = {
    "SYNA": "192.0.2.1", "SYNB": "192.0.2.2", "SYNR": "192.0.2.3",
    "SYNC": "192.0.2.4", "SYND": "192.0.2.5", "SYNZ": "192.0.2.6",
    "SYNL": "192.0.2.7",
}  # fmt: skip
_PORT = 20_000


@dataclass(frozen=True)
class Path:
    """The interface that carries the payload; ``tcp``: as segments of TCP."""

    name: str
    kind: str
    mtu: int
    tcp: bool = True
    speed: int = 25_000


_OSD, _OSH = Path("SYNOSD1", "IPAQENET", 1500), Path("SYNOSH1", "IPAQENET", 1500)
_HIPERSOCKETS = Path("SYNHS1", "IPAQIDIO", 8192)
_ROCE = Path("SYNRNIC1", "RNIC", 1500, tcp=False)
_ISM = Path("SYNISM1", "ISM", 8192, tcp=False)
_PATHS = {
    "osd": _OSD, "ee-osd": _OSD, "gre-osd": _OSD,
    "hipersockets": _HIPERSOCKETS, "hs-z17": _HIPERSOCKETS, "hs": _HIPERSOCKETS,
    "z16-roce": _ROCE, "z17-neth": _ROCE, "smcr-neth-port": _ROCE,
    "smcd-z16": _ISM, "smcd-z17": _ISM, "smcd": _ISM,
    "osh-shared": Path("SYNOSH1", "IPAQENET", 9000),
}  # fmt: skip


def path_of(slot: Slot) -> Path:
    """The path of a configuration; Network Express where nothing else is said."""
    if slot.study == "release-3-2":
        kind, mtu, _ = slot.configuration.split("-")
        return Path(f"SYN{kind.upper()}1", "IPAQENET", int(mtu))
    return _PATHS.get(slot.configuration, _OSH)


def records(minute: Minute, system: str, hours: int) -> Iterator[bytes]:
    """Records 119-2 of connections that ended, then 119-5 and 119-6."""
    mine = [run for run in minute.runs if system in run.load.systems.values()]
    path = path_of(minute.slot)
    for run in mine:
        yield from _connections(run, system, path, hours)
    when = local(minute.slot.start + dt.timedelta(milliseconds=minute.millis), hours)
    sums = [_moved(run, system) for run in mine]
    received, sent = (sum(x) for x in zip(*sums, strict=True)) if sums else (0, 0)
    carried = (received, sent) if path.tcp else (0, 0)
    inward, outward = (packets(size, path.mtu) + 40 for size in carried)
    opened = sum(_opened(run) for run in mine if _is_near(run, system))
    accepted = sum(_opened(run) for run in mine if not _is_near(run, system))
    counts = (opened, accepted, inward, outward, 0)
    seconds = minute.seconds
    both = (inward + 12, outward + 12)
    yield statistics(
        when, counts, (12, 12), 0x80, STACK, system, seconds, datagrams=both
    )
    frames = packets(received, path.mtu) + 52, packets(sent, path.mtu) + 52
    port = Port(
        path.name,
        received + 52 * frames[0],
        frames[0],
        sent + 52 * frames[1],
        frames[1],
        path.speed,
        path.mtu,
        path.kind,
    )
    yield interfaces(when, [port], sid=system, seconds=seconds)


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


def _connections(run: Run, system: str, path: Path, hours: int) -> Iterator[bytes]:
    workload, ends = run.load.workload, list(run.load.systems.values())
    if workload.shape == "CRR" or workload.clients > FEW:
        return
    if system not in (ends[0], ends[-1]):
        return
    near = _is_near(run, system)
    other = ends[-1] if near else ends[0]
    received, sent = (size // workload.clients for size in _moved(run, system))
    carried = (received, sent) if path.tcp else (0, 0)
    for nth in range(workload.clients):
        ports = (_PORT, 40_001 + nth) if near else (40_001 + nth, _PORT)
        yield connection(
            Connection(
                run.start + dt.timedelta(milliseconds=150 + nth),
                LOAD_SECONDS + 0.4,
                "SYNUPERF",
                _ADDRESSES[other],
                _ADDRESSES[system],
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
