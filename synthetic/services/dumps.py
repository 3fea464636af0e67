"""The dump of SMF of one system over one study: types 70-1, 74-1, 30-2 and 119-70."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from synthetic.emitters.emitter import EMITTERS
from synthetic.noise import source
from synthetic.services.declaration import ServiceDeclaration, Volumes
from synthetic.services.runs import Run
from synthetic.smf_day import OFFSET, RELEASE, day_dump, level_of

_REST = 1.04  # of an LPAR's busy time, what is not of the declared jobs
_IDLE = 0.001  # of each CP
_TCB = 0.4  # of an address space's CPU time
_PROGRAMS = {"TCPIP": "EZBTCPIP", "NET": "ISTINM01", "FTPD": "FTPD"}
_BROKEN_OFF = 0.3  # of its time, a run that fails
_RETRIEVE, _STORE = "RETR", "STOR"
_FIRST_DEVICE = 0x0A10


def dump(of: ServiceDeclaration, runs: list[Run], system: str) -> bytes:
    """All records of the session, in the order of time."""
    made = (record for run in runs for record in _records(of, run, system))
    return day_dump(system, runs[0].start, runs[-1].end, made)


def _records(of: ServiceDeclaration, run: Run, system: str) -> Iterator[bytes]:
    """Those of one run, which is one interval."""
    used = run.busy(system) * (_BROKEN_OFF if run.failed else 1)
    if run.bench.records and not run.failed:
        yield from _transfers(run, system)
    if run.bench.volumes and run.asked(system):
        yield _devices(of, run, run.bench.volumes, system)
    machine = of.machine(system)
    partitions = [
        _partition(of, name, number, used if name == system else 0.0, run)
        for number, name in enumerate(machine.systems, 1)
    ]
    yield EMITTERS["smf_70"].emit(
        system=system,
        start=run.start,
        millis=run.millis,
        hours=OFFSET,
        partition=machine.systems.index(system) + 1,
        level=_level(of, run),
        partitions=partitions,
        family=machine.type,
        model=machine.model,
        hiperdispatch=False,
    )
    counted = 0.0
    for job in of.campaign.cpu.jobs or run.bench.jobs:
        own = used * run.bench.jobs.get(job, 0.0)
        begun, counted = counted, counted + own
        yield EMITTERS["smf_30"].emit(
            system=system,
            job=job,
            program=_PROGRAMS.get(job, job),
            start=run.start,
            seconds=run.seconds,
            tcb_seconds=_counted(begun, begun + own * _TCB),
            srb_seconds=_counted(begun + own * _TCB, counted),
            hours=OFFSET,
        )


def _counted(begun: float, ended: float) -> float:
    """CPU seconds in hundredths, as records have them: what one is short of, the next
    one has, so that all together are short of half a hundredth at most."""
    return round(round(ended, 2) - round(begun, 2), 2)


def _devices(of: ServiceDeclaration, run: Run, volumes: Volumes, system: str) -> bytes:
    """Requests to its devices, each of which takes its share of a device's time."""
    share = _BROKEN_OFF if run.failed else 1
    asked = run.asked(system) * run.seconds * share
    requests = max(round(asked / volumes.count), 1)
    each = volumes.busy * share * run.seconds * 1000 / requests
    devices = [
        {
            "device": f"{_FIRST_DEVICE + nth:04X}",
            "volume": f"SYNV{nth + 1:02}",
            "requests": requests,
            "connect_ms": each,
        }
        for nth in range(volumes.count)
    ]
    return EMITTERS["smf_74_1"].emit(
        system=system,
        start=run.start,
        millis=run.millis,
        hours=OFFSET,
        partition=of.machine(system).systems.index(system) + 1,
        level=_level(of, run),
        devices=devices,
    )


def _partition(
    of: ServiceDeclaration, name: str, number: int, used: float, run: Run
) -> dict[str, object]:
    """An LPAR whose CPs are equally busy."""
    idle = _IDLE * run.seconds
    each = min(used * _REST / of.cps[name] + idle, run.seconds)
    engines = [{"busy_seconds": each, "dedicated": True}] * of.cps[name]
    return {"name": name, "number": number, "engines": engines}


def _level(of: ServiceDeclaration, run: Run) -> str:
    """The level of the system as records have it."""
    details = of.campaign.configurations[run.key[1]].details
    if RELEASE in details:
        return level_of(str(details[RELEASE]))
    return "ZV010200" if "V1R2" in str(details["Release"]) else "OV021000"


def _transfers(run: Run, system: str) -> Iterator[bytes]:
    """The last transfer of each session."""
    load, draw = run.load, source("transfer", run.id)
    seconds = load.clients / run.rate
    for nth in range(load.clients):
        late = draw.random()
        yield EMITTERS["smf_119_ftp"].emit(
            system=system,
            hours=OFFSET,
            role="server",
            command=_RETRIEVE if load.shape == "GET" else _STORE,
            file=f"SYNFTP.FILE{nth + 1:02}",
            start=run.end - dt.timedelta(seconds=seconds + late),
            seconds=seconds,
            bytes=max(load.request_bytes, load.response_bytes),
            remote_ip=f"192.0.2.{10 + nth % 4}",
        )
