"""The true figures of every run: rate, transactions, CPU time of each system."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from dataclasses import dataclass

from synthetic.noise import CPU_CV, RATE_CV, balanced, session, source
from synthetic.plan import CPS, Load, Slot

INTERVAL = 60.0  # seconds, nominal
LOAD_SECONDS = 59.0  # of the minute; the rest is for connections
LIMIT = 0.98  # of all CPs: no arm may be busier
# Its absolute values are published, so it has no session of its own.
_EXACT = ("icsf-audit",)


@dataclass(frozen=True)
class Run:
    """One load of a slot. ``rate`` is in 1/s, ``latency`` in µs by Little's law."""

    id: str
    slot: Slot
    load: Load
    rate: float
    start: dt.datetime
    end: dt.datetime

    @property
    def latency(self) -> float:
        """Mean time of a transaction [µs], every client always waiting for one."""
        return self.load.workload.clients / self.rate * 1e6

    @property
    def transactions(self) -> int:
        """Transactions begun under load, as the benchmark counts them."""
        return round(self.rate * LOAD_SECONDS)

    @property
    def window(self) -> float:
        """Seconds between start and end."""
        return (self.end - self.start).total_seconds()


@dataclass(frozen=True)
class Minute:
    """A slot with its runs and the CPU seconds of each system in it."""

    slot: Slot
    runs: tuple[Run, ...]
    busy: dict[str, float]
    millis: int

    @property
    def seconds(self) -> float:
        """Real length of the interval of RMF."""
        return self.millis / 1000


def minutes(slots: list[Slot]) -> Iterator[Minute]:
    """The figures of all slots, in their order."""
    for slot in slots:
        draw = source("clock", slot.study, slot.cpc, slot.start)
        late = dt.timedelta(milliseconds=draw.randint(2, 9))
        length = dt.timedelta(milliseconds=60_000 + draw.randint(-3, 3))
        begin = slot.start + late
        millis = 60_000 + draw.randint(-2, 2)
        rates = _rates(slot)
        runs = tuple(
            Run(_id(slot, load), slot, load, rate, begin, begin + length)
            for load, rate in zip(slot.loads, rates, strict=True)
        )
        yield Minute(slot, runs, _busy(slot, runs, millis), millis)


def _id(slot: Slot, load: Load) -> str:
    return f"{slot.configuration}-{load.workload.slug}-{slot.repetition}"


def _rates(slot: Slot) -> list[float]:
    """Rates of the loads, which share their noise as they share the systems."""
    lead = slot.loads[0]
    factor = _session(slot.study, "rate") * _noise(lead, slot, RATE_CV, "rate")
    return [load.arm.rate * factor for load in slot.loads]


def _busy(slot: Slot, runs: tuple[Run, ...], millis: int) -> dict[str, float]:
    """CPU seconds such that cost × transactions is exact over the run's window.

    A system that serves two loads has the mean of what either one asks for.
    """
    asked: dict[str, list[float]] = {}
    lead = slot.loads[0]
    for run in runs:
        for role, cost in run.load.costs.items():
            noise = _noise(lead, slot, CPU_CV, run.load.systems[role])
            used = cost * noise * _session(slot.study, "cpu") * run.transactions / 1e6
            asked.setdefault(run.load.systems[role], []).append(used)
    busy = {name: sum(each) / len(each) for name, each in asked.items()}
    share = millis / 1000 / runs[0].window
    return {name: _checked(name, used * share, slot) for name, used in busy.items()}


def _checked(system: str, busy: float, slot: Slot) -> float:
    used = busy / (CPS.get(system, 4) * INTERVAL)
    if used > LIMIT:
        raise ValueError(
            f"{slot.study} {slot.configuration} {slot.repetition}: {system} would be "
            f"{used:.1%} busy, more than {LIMIT:.0%}"
        )
    return busy


def _noise(lead: Load, slot: Slot, cvs: dict[str, float], what: str) -> float:
    factors = balanced(cvs[lead.workload.shape], what, lead.arm.key)
    return factors[slot.repetition - 1]


def _session(study: str, what: str) -> float:
    return 1.0 if study in _EXACT else session(what, study)


def payload(run: Run) -> tuple[int, int]:
    """Bytes that the client side sent and received under load."""
    workload, count = run.load.workload, run.transactions
    return workload.request_bytes * count, workload.response_bytes * count


def packets(size: int, mtu: int) -> int:
    """Packets that carry so many bytes, with 52 bytes of headers each."""
    return math.ceil(size / (mtu - 52))
