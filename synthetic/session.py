"""A session of runs: who runs when, by what each run differs, and its line of runs.csv.

A study has a weekday. Its arms run as often as declared in a shuffled order; a run that
fails is made once more.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from analysis.declared.workload import Workload
from synthetic.declaration import Declaration
from synthetic.noise import scatter, source

BROKEN_OFF = 0.3  # of its time, a run that fails


@dataclass(frozen=True)
class Arm:
    """A workload over a configuration in a study, whose runs repeat each other."""

    study: str
    configuration: str
    workload: Workload

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"{self.study}/{self.configuration}/{self.workload.name}"

    @property
    def words(self) -> str:
        """What messages call it."""
        return f"{self.workload.name} over {self.configuration}"


class HasKey(Protocol):
    """An arm, or several that run side by side under the key of one."""

    @property
    def key(self) -> str:
        """What tells it from all others."""


Kept = TypeVar("Kept", bound=HasKey)


@dataclass(frozen=True)
class Turn(Generic[Kept]):
    """An arm's turn to run; ``good`` counts those of its turns that did not fail."""

    arm: Kept
    repetition: int
    good: int
    failed: bool
    start: dt.datetime


def weekdays(first: dt.datetime) -> Iterator[dt.datetime]:
    """The same time of each weekday, in UTC, from a first day on."""
    day = first
    while True:
        if day.weekday() < 5:
            yield day.astimezone(dt.UTC)
        day += dt.timedelta(days=1)


def turns(
    declared: Declaration[Any],
    arms: Sequence[Kept],
    begin: dt.datetime,
    step: dt.timedelta,
    *shuffle: Hashable,
) -> list[Turn[Kept]]:
    """Every arm as often as declared, in the order of time; ``shuffle`` names the
    order."""
    order = [
        arm
        for arm in arms
        for _ in range(declared.making.repetitions + (arm.key in declared.failing))
    ]
    source("order", *shuffle).shuffle(order)
    made, counted = [], Counter[str]()
    for at, arm in enumerate(order):
        counted[arm.key] += 1
        nth = counted[arm.key]
        failing = declared.failing.get(arm.key, nth + 1)
        made.append(
            Turn(arm, nth, nth - (nth > failing), nth == failing, begin + at * step)
        )
    return made


class Scatter:
    """By what the figures of each turn of a session differ from their level."""

    def __init__(self, turns: Sequence[Turn[Any]]) -> None:
        self._starts: dict[str, list[dt.datetime]] = {}
        for turn in turns:
            if not turn.failed:
                self._starts.setdefault(turn.arm.key, []).append(turn.start)
        self._first = turns[0].start
        self._whole = (turns[-1].start - self._first) or dt.timedelta(1)
        self._made: dict[tuple[str, str], list[float]] = {}

    def factor(
        self,
        what: str,
        turn: Turn[Any],
        cv: float,
        disturbed: float = 0.0,
        slope: float = 0.0,
    ) -> float:
        """The factor of one figure; see :func:`synthetic.noise.scatter`. ``slope`` is
        the log by which it drifts over the session."""
        made = self._made.get((what, turn.arm.key))
        if made is None:
            key = turn.arm.key
            drift = [
                slope * ((start - self._first) / self._whole)
                for start in self._starts[key]
            ]
            made = scatter(cv, drift, disturbed, what, key)
            self._made[what, key] = made
        return made[min(turn.good, len(made)) - 1]


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run of an arm: its window, as the benchmark saw it, and its rate [1/s]."""

    arm: Arm
    systems: Mapping[str, str]  # by role
    repetition: int
    failed: bool
    start: dt.datetime
    end: dt.datetime
    rate: float

    @property
    def id(self) -> str:
        """What runs.csv calls it."""
        arm = self.arm
        return f"{arm.configuration}-{arm.workload.slug}-{self.repetition}"

    @property
    def workload(self) -> Workload:
        """That of its arm."""
        return self.arm.workload

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return (self.end - self.start).total_seconds()

    def file(self, folder: str, suffix: str) -> str:
        """The name of a file of its own."""
        return f"{folder}/{self.arm.study}/synthetic_{self.id}.{suffix}"

    def row(self, log: str, cpu: Sequence[str], note: str = "") -> dict[str, str]:
        """Its line of runs.csv."""
        return {
            "run": self.id,
            "configuration": self.arm.configuration,
            "workload": self.workload.name,
            "repetition": str(self.repetition),
            "start": self._time(self.start),
            "end": self._time(self.end),
            **self.systems,
            "log": log,
            "cpu": ";".join(cpu),
            "note": note,
        }

    def _time(self, moment: dt.datetime) -> str:
        """A moment in UTC, with milliseconds where it or the start has some."""
        whole = not (moment.microsecond or self.start.microsecond)
        unit = "seconds" if whole else "milliseconds"
        return moment.replace(tzinfo=None).isoformat(timespec=unit) + "Z"


@dataclass(frozen=True)
class Part:
    """The runs of a study: their files by path below the campaign's folder, and their
    lines of runs.csv by column, without the order."""

    files: dict[str, bytes] = field(default_factory=dict)
    rows: list[dict[str, str]] = field(default_factory=list)
