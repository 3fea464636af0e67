"""The dump of SMF of one system over one session: types 70-1, 72-3, 30-2 and 119."""

from __future__ import annotations

from collections.abc import Iterator

from synthetic.emitters.emitter import EMITTERS
from synthetic.network.runs import Minute
from synthetic.network.traffic import records
from synthetic.noise import source
from synthetic.smf_day import OFFSET, PLEX, day_dump, level_of

IDLE = 0.0004  # of each CP, where a system has no part in a run
_CAPTURED = 0.95  # of the busy time is found in service classes
CLASSES = {"SYNNETWK": 0.97, "SYSTEM": 0.03}  # of the captured time
JOBS = {"TCPIP": 0.36, "SYNUPERF": 0.56}  # of the busy time
_TILT = (1.0, -1.0, 0.5, -0.5)  # CPUs are not equally busy


def dump(minutes: list[Minute], system: str) -> bytes:
    """All records of the session on the system's CPC, in the order of time."""
    first, last = minutes[0].slot, minutes[-1].slot
    records = (one for minute in minutes for one in interval_records(minute, system))
    return day_dump(system, first.start, last.start, records)


def busy_seconds(minute: Minute, system: str) -> float:
    """CPU seconds of a system in a minute."""
    idle = IDLE * minute.slot.cps[system] * minute.seconds
    return minute.busy.get(system, idle)


def captured_seconds(minute: Minute, system: str) -> float:
    """CPU seconds of a system in a minute that its service classes account for."""
    draw = source("capture", system, minute.slot.start)
    return busy_seconds(minute, system) * (_CAPTURED + 0.02 * (draw.random() - 0.5))


def interval_of(minute: Minute, system: str) -> dict[str, object]:
    """The interval of RMF of a minute."""
    slot = minute.slot
    return {
        "system": system,
        "start": slot.start,
        "millis": minute.millis,
        "hours": OFFSET,
        "partition": slot.machine.systems.index(system) + 1,
        "level": level_of(slot.release),
        "plex": PLEX,
    }


def split(minute: Minute, system: str) -> list[int]:
    """Busy microseconds of each CPU."""
    count, length = minute.slot.cps[system], minute.millis * 1000
    total = round(busy_seconds(minute, system) * 1e6)
    each = total / count
    lean = 0.03 * each * min(1.0, 20 * (1 - each / length))
    parts = [round(each + lean * _TILT[n]) for n in range(count)]
    parts[-1] += total - sum(parts)
    return parts


def interval_records(minute: Minute, system: str) -> Iterator[bytes]:
    """The records that a system writes for one minute."""
    interval = interval_of(minute, system)
    used = busy_seconds(minute, system)
    captured = captured_seconds(minute, system)
    yield from records(minute, system, OFFSET)
    yield EMITTERS["smf_70"].emit(**interval, **_activity(minute))
    for name, share in CLASSES.items():
        period = {
            "cp_seconds": captured * share,
            "ziip_seconds": minute.ziips.get(system, 0.0) * _CAPTURED * share,
            "tcb_share": 0.6,
        }
        yield EMITTERS["smf_72"].emit(**interval, name=name, periods=[period])
    for job, share in JOBS.items():
        yield EMITTERS["smf_30"].emit(
            system=system,
            job=job,
            program="EZBTCPIP" if job == "TCPIP" else "UPERF",
            start=minute.slot.start,
            seconds=minute.seconds,
            tcb_seconds=used * share * 0.4,
            srb_seconds=used * share * 0.6,
            ziip_seconds=minute.ziips.get(system, 0.0) * share,
            hours=OFFSET,
        )


def _activity(minute: Minute) -> dict[str, object]:
    machine = minute.slot.machine
    partitions = [
        {
            "name": name,
            "number": number,
            "engines": [
                *(
                    {"busy_seconds": used / 1e6, "dedicated": True}
                    for used in split(minute, name)
                ),
                *_ziips(minute, name),
            ],
        }
        for number, name in enumerate(machine.systems, 1)
    ]
    return {
        "partitions": partitions,
        "family": machine.type,
        "model": machine.model,
    }


def _ziips(minute: Minute, system: str) -> list[dict[str, object]]:
    """The zIIPs of a system, equally busy."""
    count = minute.slot.ziips.get(system, 0)
    used = minute.ziips.get(system, 0.0)
    return [
        {"kind": "zIIP", "busy_seconds": used / count, "dedicated": True}
        for _ in range(count)
    ]
