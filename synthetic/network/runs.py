"""The true figures of every run: rate, transactions, CPU time of each system."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from synthetic import session
from synthetic.network.declaration import Making
from synthetic.network.plan import Group, Load, Session
from synthetic.noise import session as session_factor
from synthetic.noise import source
from synthetic.session import BROKEN_OFF, Scatter, Turn

LOAD_SECONDS = 59.0  # of the minute; the rest is for connections


@dataclass(frozen=True, kw_only=True)
class Run(session.Run):
    """One load of a minute; latency follows from its rate by Little's law."""

    arm: Load

    @property
    def latency(self) -> float:
        """Mean time of a transaction [µs], every client always waiting for one."""
        return self.workload.clients / self.rate * 1e6

    @property
    def transactions(self) -> int:
        """Transactions begun under load, as the benchmark counts them."""
        return round(self.rate * LOAD_SECONDS)

    @property
    def payload(self) -> tuple[int, int]:
        """Bytes that the client side sent and received under load."""
        count = self.transactions
        return self.workload.request_bytes * count, self.workload.response_bytes * count


@dataclass(frozen=True)
class Minute:
    """A turn with its runs, and the CPU seconds of each system in it, on CPs and, of
    those that have some, on zIIPs; ``millis`` is the real length of RMF's interval."""

    turn: Turn[Group]
    runs: tuple[Run, ...]
    busy: dict[str, float]
    ziips: dict[str, float]
    millis: int

    @property
    def group(self) -> Group:
        """The loads that ran."""
        return self.turn.arm

    @property
    def start(self) -> dt.datetime:
        """When the interval begins."""
        return self.turn.start

    @property
    def seconds(self) -> float:
        """Real length of the interval."""
        return self.millis / 1000


def minutes(turns: Session, making: Making) -> Iterator[Minute]:
    """The figures of all turns of a study, in their order."""
    factors = _Factors(turns, making)
    for turn in turns:
        first = turn.arm.loads[0]
        draw = source("clock", first.study, turn.arm.cpc, turn.start)
        begin = turn.start + dt.timedelta(milliseconds=draw.randint(2, 9))
        length = dt.timedelta(milliseconds=60_000 + draw.randint(-3, 3))
        millis = 60_000 + draw.randint(-2, 2)
        runs = tuple(
            Run(
                arm=load,
                systems=load.systems,
                repetition=turn.repetition,
                failed=turn.failed,
                start=begin,
                end=begin + length,
                rate=load.rate.value * factors.factor("rate", turn),
            )
            for load in turn.arm.loads
        )
        busy, ziips = (_busy(turn, runs, millis, factors, on) for on in (False, True))
        yield Minute(turn, runs, busy, ziips, millis)


class _Factors:
    """By what the figures of each run of a study differ from their level.

    Loads that run side by side share them, as they share the systems.
    """

    def __init__(self, turns: Session, making: Making) -> None:
        self._making, self._scatter = making, Scatter(turns)

    def factor(self, what: str, turn: Turn[Group]) -> float:
        """The factor of a turn's rate, or of the CPU cost of a system."""
        making, lead = self._making, turn.arm.loads[0]
        noise, rate = making.noise[lead.workload.shape], what == "rate"
        shared = 1.0
        if lead.study not in making.exact:
            kind = "rate" if rate else "cpu"
            shared = session_factor(making.session, kind, lead.study)
        if turn.failed:
            return shared
        if not rate:
            return self._scatter.factor(what, turn, noise.cpu) * shared
        slope = making.drift.get(lead.study, 0.0)
        return (
            self._scatter.factor(what, turn, noise.rate, making.outliers, slope)
            * shared
        )


def _busy(
    turn: Turn[Group],
    runs: tuple[Run, ...],
    millis: int,
    factors: _Factors,
    ziips: bool,
) -> dict[str, float]:
    """CPU seconds such that cost × transactions is exact over the run's window.

    The cost of a system that several loads share is of each transaction of any.
    """
    busy = {}
    for run in runs:
        costs = run.arm.ziips if ziips else run.arm.costs
        for role, level in costs.items():
            system = run.systems[role]
            served = [r for r in runs if system in r.systems.values()]
            count = sum(r.transactions for r in served)
            factor = factors.factor(f"{system} zIIP" if ziips else system, turn)
            busy[system] = level.value * factor * count / 1e6
    share = millis / 1000 / runs[0].seconds * (BROKEN_OFF if turn.failed else 1)
    return {name: used * share for name, used in busy.items()}
