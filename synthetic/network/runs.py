"""The true figures of every run: rate, transactions, CPU time of each system."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from synthetic.network.declaration import Making
from synthetic.network.plan import Load, Slot
from synthetic.noise import scatter, session, source

INTERVAL = 60.0  # seconds, nominal
LOAD_SECONDS = 59.0  # of the minute; the rest is for connections
_BROKEN_OFF = 0.3  # of its minute, a run that fails


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
    """A slot with its runs, and the CPU seconds of each system in it, on CPs and, of
    those that have some, on zIIPs."""

    slot: Slot
    runs: tuple[Run, ...]
    busy: dict[str, float]
    ziips: dict[str, float]
    millis: int

    @property
    def seconds(self) -> float:
        """Real length of the interval of RMF."""
        return self.millis / 1000


def minutes(slots: list[Slot], making: Making) -> Iterator[Minute]:
    """The figures of all slots of a study, in their order."""
    factors = _Factors(slots, making)
    for slot in slots:
        draw = source("clock", slot.study, slot.cpc, slot.start)
        late = dt.timedelta(milliseconds=draw.randint(2, 9))
        length = dt.timedelta(milliseconds=60_000 + draw.randint(-3, 3))
        begin = slot.start + late
        millis = 60_000 + draw.randint(-2, 2)
        runs = tuple(
            Run(
                _id(slot, load),
                slot,
                load,
                load.rate.value * factors.of("rate", slot),
                begin,
                begin + length,
            )
            for load in slot.loads
        )
        busy, ziips = (_busy(slot, runs, millis, factors, on) for on in (False, True))
        yield Minute(slot, runs, busy, ziips, millis)


def _id(slot: Slot, load: Load) -> str:
    return f"{slot.configuration}-{load.workload.slug}-{slot.repetition}"


class _Factors:
    """By what the figures of each run of a study differ from their level.

    Loads that run side by side share them, as they share the systems.
    """

    def __init__(self, slots: list[Slot], making: Making) -> None:
        self._making = making
        self._arms: dict[str, list[Slot]] = {}
        for slot in slots:
            if not slot.failed:
                self._arms.setdefault(slot.loads[0].key, []).append(slot)
        self._first, self._last = slots[0].start, slots[-1].start
        self._made: dict[tuple[str, str], Mapping[dt.datetime, float]] = {}

    def of(self, what: str, slot: Slot) -> float:
        """The factor of a slot's rate, or of the CPU cost of a system."""
        key = (what, slot.loads[0].key)
        if key not in self._made:
            self._made[key] = self._draw(what, slot)
        own = self._made[key].get(slot.start, 1.0)
        return own * self._session(slot.study, "rate" if what == "rate" else "cpu")

    def _draw(self, what: str, slot: Slot) -> Mapping[dt.datetime, float]:
        making, lead = self._making, slot.loads[0]
        runs, noise = self._arms[lead.key], making.noise[lead.workload.shape]
        rate = what == "rate"
        whole = (self._last - self._first) or dt.timedelta(1)
        slope = making.drift.get(slot.study, 0.0) if rate else 0.0
        drift = [slope * ((one.start - self._first) / whole) for one in runs]
        cv, disturbed = (noise.rate, making.outliers) if rate else (noise.cpu, 0.0)
        found = scatter(cv, drift, disturbed, what, lead.key)
        return dict(zip((one.start for one in runs), found, strict=True))

    def _session(self, study: str, what: str) -> float:
        if study in self._making.exact:
            return 1.0
        return session(self._making.session, what, study)


def _busy(
    slot: Slot, runs: tuple[Run, ...], millis: int, factors: _Factors, ziips: bool
) -> dict[str, float]:
    """CPU seconds such that cost × transactions is exact over the run's window.

    The cost of a system that several loads share is of each transaction of any.
    """
    busy = {}
    for run in runs:
        costs = run.load.ziips if ziips else run.load.costs
        for role, level in costs.items():
            system = run.load.systems[role]
            served = [r for r in runs if system in r.load.systems.values()]
            count = sum(r.transactions for r in served)
            factor = factors.of(f"{system} zIIP" if ziips else system, slot)
            busy[system] = level.value * factor * count / 1e6
    share = millis / 1000 / runs[0].window * (_BROKEN_OFF if slot.failed else 1)
    return {name: used * share for name, used in busy.items()}


def payload(run: Run) -> tuple[int, int]:
    """Bytes that the client side sent and received under load."""
    workload, count = run.load.workload, run.transactions
    return workload.request_bytes * count, workload.response_bytes * count
