"""Who ran what, where and when: sessions of one-minute runs, a study a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.declared.workload import Workload, parse_workload
from synthetic.noise import REPETITIONS, source
from synthetic.targets import Arm

# Declared and never measured, so that the report has to predict them.
LEFT_OUT = ("hs-z16", "gre-osh", "osd-shared")
FIRST_DAY = dt.date(2026, 1, 12)
FIRST_RUN = dt.time(14, 0)  # UTC
MINUTE = dt.timedelta(minutes=1)
CPCS = {
    "z17": ("SYNA", "SYNB", "SYNR", "SYNZ", "SYNL"),
    "z16": ("SYNC", "SYND"),
}
CPS = {"SYNZ": 2, "SYNL": 2}  # the others have four
LINUX = ("SYNL",)
ON_Z16 = ("z16-roce", "smcd-z16")
OLD_RELEASE = "-31"
# The client's side first.
_PAIRS = {"linux-sharing": ("SYNL", "SYNZ")}
_FORWARDED = "RR20(1kB)"
_STREAM = "STR1(5MB/1B)"
_STREAM_RATE, _GRE_CLIENT_COST = 150.0, 8.9  # assumed; no study reports them


@dataclass(frozen=True)
class Load:
    """An arm in one run: the systems of its roles, and their CPU cost [µs]."""

    arm: Arm
    systems: dict[str, str]
    costs: dict[str, float]

    @property
    def workload(self) -> Workload:
        """Its workload."""
        return self.arm.workload


@dataclass(frozen=True)
class Slot:
    """A minute in which one or more loads ran side by side."""

    study: str
    configuration: str
    repetition: int
    cpc: str
    start: dt.datetime
    loads: tuple[Load, ...]


def plan(arms: list[Arm]) -> dict[str, list[Slot]]:
    """The slots of every study in the order of time; CPCs run side by side."""
    studies = dict.fromkeys(arm.study for arm in arms)
    days = _weekdays()
    return {study: _session(study, arms, next(days)) for study in studies}


def _weekdays() -> Iterator[dt.datetime]:
    day = FIRST_DAY
    while True:
        if day.weekday() < 5:
            yield dt.datetime.combine(day, FIRST_RUN, dt.UTC)
        day += dt.timedelta(days=1)


def _session(study: str, arms: list[Arm], begin: dt.datetime) -> list[Slot]:
    """Every arm five times, shuffled on each CPC."""
    groups = _side_by_side(
        [a for a in arms if a.study == study and a.configuration not in LEFT_OUT]
    )
    slots = []
    for cpc in CPCS:
        runs = [
            (loads, repetition)
            for loads in groups
            if _cpc(loads[0].arm.configuration) == cpc
            for repetition in range(REPETITIONS)
        ]
        source("order", study, cpc).shuffle(runs)
        slots += [
            Slot(study, loads[0].arm.configuration, n, cpc, begin + at * MINUTE, loads)
            for at, (loads, n) in enumerate(_counted(runs))
        ]
    return sorted(slots, key=lambda slot: slot.start)


Runs = list[tuple[tuple[Load, ...], int]]


def _counted(runs: Runs) -> Runs:
    """The same runs, their repetitions counted in the order of time."""
    seen: dict[str, int] = {}
    counted: Runs = []
    for loads, _ in runs:
        key = loads[0].arm.key
        seen[key] = seen.get(key, 0) + 1
        counted.append((loads, seen[key]))
    return counted


def _side_by_side(arms: list[Arm]) -> list[tuple[Load, ...]]:
    loads = [Load(arm, _systems(arm), _costs(arm)) for arm in arms]
    mixed = [load for load in loads if load.arm.configuration.startswith("mix-")]
    alone = [load for load in loads if load not in mixed]
    groups: dict[str, list[Load]] = {}
    for load in mixed:
        groups.setdefault(load.arm.configuration, []).append(load)
    return [
        *((load, *_beside(load.arm)) for load in alone),
        *(tuple(group) for group in groups.values()),
    ]


def _beside(arm: Arm) -> list[Load]:
    """The stream that runs beside interactive work in the study of GRE."""
    if arm.study != "gre-iwq":
        return []
    stream = Arm(
        arm.study,
        arm.configuration,
        parse_workload(_STREAM),
        arm.cps,
        _STREAM_RATE,
        {},
    )
    systems = {"sender": "SYNA", "distributor": "SYNR", "receiver": "SYNB"}
    return [Load(stream, systems, {})]


def _costs(arm: Arm) -> dict[str, float]:
    return arm.costs | ({"client": _GRE_CLIENT_COST} if arm.study == "gre-iwq" else {})


def _systems(arm: Arm) -> dict[str, str]:
    if arm.study == "gre-iwq":
        return {"client": "SYNA", "distributor": "SYNR", "target": "SYNB"}
    near, far = _PAIRS.get(arm.study, ("SYNA", "SYNB"))
    if arm.configuration in ON_Z16:
        near, far = "SYNC", "SYND"
    if arm.configuration.startswith("mix-") and arm.workload.name == _FORWARDED:
        near = "SYNR"
    driver, other = arm.costs  # the client's side comes first
    return {driver: near, other: far}


def _cpc(configuration: str) -> str:
    return "z16" if configuration in ON_Z16 else "z17"
