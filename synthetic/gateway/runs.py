"""The true figures of every run: one minute of a load, with its noise."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from synthetic.gateway.declaration import GATEWAY, GatewayDeclaration, Making
from synthetic.gateway.levels import Level, Point, points
from synthetic.noise import scatter, source
from synthetic.schedule import counted, weekdays

_MILLIS = 60_000
_MOST = 0.9985  # of an engine's time can be measured as busy
_BROKEN_OFF = 0.3  # of its minute, a run that fails
_FIGURES = ("rate", "cpu", "response", "zaap")


@dataclass(frozen=True)
class Run:
    """One minute of a load: its transactions, mean times in the gateway and outside
    [ms], and seconds of CPU time: of each part, of the gateway on zAAPs, and eligible
    for them. ``millis`` is the length of the interval of RMF, which begins at
    ``start``."""

    point: Point
    repetition: int
    failed: bool
    start: dt.datetime
    late: dt.timedelta
    length: dt.timedelta
    millis: int
    rate: float
    response: float
    outside: float
    seconds: Mapping[str, float]
    zaap: float
    eligible: float

    @property
    def id(self) -> str:
        """Its name in the campaign."""
        return f"{self.point.configuration}-{self.point.load.slug}-{self.repetition}"

    @property
    def transactions(self) -> int:
        """Transactions that ended in it."""
        return round(self.rate * self.length.total_seconds())

    @property
    def busy(self) -> tuple[float, float]:
        """Seconds in which its CPs and its zAAPs were busy."""
        return sum(self.seconds.values()) - self.zaap, self.zaap


def sessions(
    of: GatewayDeclaration, found: Mapping[Point, Level]
) -> Iterator[list[Run]]:
    """The runs of each study in the order of time, a study a weekday."""
    days = weekdays(of.making.first)
    for study in of.making.studies:
        yield list(_session(of, found, study, next(days)))


def _session(
    of: GatewayDeclaration, found: Mapping[Point, Level], study: str, begin: dt.datetime
) -> Iterator[Run]:
    making = of.making
    failing = {
        f"{f.study}/{f.configuration}/{f.workload}": f.repetition
        for f in making.failures
    }
    runs = [
        point
        for point in points(of, study)
        for _ in range(making.repetitions + (point.key in failing))
    ]
    source("order", study).shuffle(runs)
    factors = _Factors(making, found, failing)
    step = dt.timedelta(minutes=making.minutes)
    for at, (point, nth) in enumerate(counted(runs, lambda point: point.key)):
        failed = failing.get(point.key) == nth
        own = factors.of(point, nth)
        engines = of.cps[point.system], of.zaaps(point.system)
        yield _run(point, nth, failed, begin + at * step, found[point], own, engines)


class _Factors:
    """By what the figures of each run differ from their level; their median is 1."""

    def __init__(
        self,
        making: Making,
        found: Mapping[Point, Level],
        failing: Mapping[str, int],
    ) -> None:
        self.making, self.found, self.failing = making, found, failing

    def of(self, point: Point, nth: int) -> dict[str, float]:
        """The factor of each figure in a repetition."""
        failed = self.failing.get(point.key, self.making.repetitions + 1)
        if nth == failed:
            return dict.fromkeys(_FIGURES, 1.0)
        at, noise = nth - 1 - (nth > failed), self.making.noise
        full = self.found[point].full
        cv = {
            "rate": noise.full if full else noise.rate,
            "cpu": noise.cpu / 10 if full else noise.cpu,
            "response": noise.response,
            "zaap": noise.cpu,
        }
        still = [0.0] * self.making.repetitions
        return {name: scatter(cv[name], still, 0, name, point.key)[at] for name in cv}


def _run(
    point: Point,
    nth: int,
    failed: bool,
    start: dt.datetime,
    level: Level,
    factors: Mapping[str, float],
    engines: tuple[int, int],
) -> Run:
    draw = source("clock", point.study, start)
    late = dt.timedelta(milliseconds=draw.randint(2, 9))
    length = dt.timedelta(milliseconds=_MILLIS + draw.randint(-3, 3))
    millis = _MILLIS + draw.randint(-2, 2)
    seconds = millis / 1000
    rate = level.rate * factors["rate"]
    spent = (
        rate * seconds / 1000 * factors["cpu"] / (factors["rate"] if level.full else 1)
    )
    spent *= _BROKEN_OFF if failed else 1
    used = {name: cost * spent for name, cost in level.costs.items()}
    eligible = level.eligible / level.rate * 1000 * spent if level.eligible else 0.0
    zaap = min(level.zaap * seconds * factors["zaap"], eligible)
    zaap = min(zaap, engines[1] * seconds * _MOST)
    over = (sum(used.values()) - zaap) / (engines[0] * seconds * _MOST)
    if over > 1:
        used = {name: one / over for name, one in used.items()}
        eligible = max(eligible / over, zaap)
    return Run(
        point, nth, failed, start, late, length, millis,
        rate * (_BROKEN_OFF if failed else 1),
        level.response * factors["response"], level.outside, used, zaap, eligible,
    )  # fmt: skip


def gateway_seconds(run: Run) -> tuple[float, float, float]:
    """Seconds of the gateway on CPs, of these eligible for zAAPs, and on zAAPs."""
    return run.seconds[GATEWAY] - run.zaap, run.eligible - run.zaap, run.zaap


def systems(runs: Iterable[Run]) -> list[str]:
    """The systems of some runs."""
    return sorted({run.point.system for run in runs})
