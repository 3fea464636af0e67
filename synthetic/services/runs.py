"""Who ran what and when, a study a day, and what each run came to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from analysis.declared.targets import RATE
from analysis.declared.workload import Workload, parse_workload
from synthetic.noise import scatter, source
from synthetic.schedule import counted, weekdays
from synthetic.services.declaration import REQUESTS, Bench, Noise, ServiceDeclaration
from synthetic.services.levels import RESPONSE, Key, Levels

_AREA, _ASKED = "storage of ", f"{REQUESTS} of "


@dataclass(frozen=True)
class Run:
    """A run: rate [1/s], response [ms], CPU cost by role [µs], storage by area [MB] and
    requests to devices by role [1/s]."""

    key: Key
    repetition: int
    start: dt.datetime
    bench: Bench
    rate: float = 0.0
    response: float = 0.0
    costs: Mapping[str, float] = field(default_factory=dict)
    storage: Mapping[str, float] = field(default_factory=dict)
    requests: Mapping[str, float] = field(default_factory=dict)
    failed: bool = False

    @property
    def load(self) -> Workload:
        """Its workload."""
        return parse_workload(self.key[2])

    @property
    def id(self) -> str:
        """What runs.csv calls it."""
        return f"{self.key[1]}-{self.load.slug}-{self.repetition}"

    @property
    def millis(self) -> int:
        """How long it lasts [ms]."""
        if self.bench.transfers is None:
            return self.bench.seconds * 1000
        return round(self.bench.transfers / self.rate * 1000)

    @property
    def seconds(self) -> float:
        """How long it lasts [s]."""
        return self.millis / 1000

    @property
    def end(self) -> dt.datetime:
        """When its last second is over."""
        return self.start + dt.timedelta(milliseconds=self.millis)

    @property
    def transactions(self) -> int:
        """Transactions in all its seconds."""
        return self.bench.transfers or round(self.rate * self.bench.seconds)

    @property
    def systems(self) -> dict[str, str]:
        """The system of each role."""
        found = self.bench.systems(self.load.shape)
        return {str(role): system for role, system in found.items()}

    def busy(self, system: str) -> float:
        """CPU seconds of a system."""
        return self._of(system, self.costs) * self.transactions / 1e6

    def asked(self, system: str) -> float:
        """Requests to the devices of a system [1/s]."""
        return self._of(system, self.requests)

    def _of(self, system: str, by_role: Mapping[str, float]) -> float:
        """What the roles of a system come to."""
        roles = [role for role, own in self.systems.items() if own == system]
        return sum(by_role.get(role, 0) for role in roles)


def sessions(of: ServiceDeclaration, levels: Levels) -> Iterator[list[Run]]:
    """The runs of each study in the order of time."""
    days = weekdays(of.making.first)
    for study, bench in of.making.studies.items():
        keys = [key for key in levels.found if key[0] == study]
        yield list(_session(of, levels, keys, bench, next(days)))


def _session(
    of: ServiceDeclaration,
    levels: Levels,
    keys: list[Key],
    bench: Bench,
    begin: dt.datetime,
) -> Iterator[Run]:
    """Every load as often as declared, shuffled; one that fails once more."""
    failing = {
        (f.study, f.configuration, parse_workload(f.workload).name): f.repetition
        for f in of.making.failures
    }
    order = [
        key for key in keys for _ in range(of.making.repetitions + (key in failing))
    ]
    source("order", keys[0][0]).shuffle(order)
    drawn = {key: _Drawn(of, levels, key) for key in keys}
    step = dt.timedelta(seconds=bench.seconds + bench.seconds // 10)
    for at, (key, nth) in enumerate(counted(order, lambda key: key)):
        bad = failing.get(key, nth + 1)
        good = min(nth - (nth > bad), of.making.repetitions)
        yield drawn[key].run(nth, good, begin + at * step, nth == bad)


class _Drawn:
    """The figures of the runs of a load: levels with scatter around an exact median."""

    def __init__(self, of: ServiceDeclaration, levels: Levels, key: Key) -> None:
        self._of, self._key, self._own = of, key, levels.found[key]
        self._response = levels.response(key) if RATE in self._own else 0.0
        noise = of.making.noise
        none = [0.0] * of.making.repetitions
        self._factors = {
            name: scatter(
                cv, none, of.making.outliers if name == "rate" else 0, name, *key
            )
            for name, cv in noise.items()
        }

    def run(self, nth: int, good: int, start: dt.datetime, failed: bool) -> Run:
        """The run of a repetition; ``good`` counts those that did not fail."""
        by = {name: factors[good - 1] for name, factors in self._factors.items()}
        slower = by["response"] if RESPONSE in self._own else 1 / by["rate"]
        bench = self._of.making.studies[self._key[0]]
        roles = bench.systems(parse_workload(self._key[2]).shape)
        return Run(
            self._key,
            nth,
            start,
            bench,
            self._own.get(RATE, 0.0) * by["rate"],
            self._response * slower,
            {
                str(role): self._own[role] * by["cpu"]
                for role in roles
                if role in self._own
            },
            self._several(_AREA, by, "storage"),
            self._several(_ASKED, by, "rate"),
            failed,
        )

    def _several(
        self, prefix: str, by: Mapping[Noise, float], noise: Noise
    ) -> dict[str, float]:
        """The quantities of this kind, by what they are of."""
        return {
            name.removeprefix(prefix): value * by[noise]
            for name, value in self._own.items()
            if name.startswith(prefix)
        }
