"""Who ran what, where and when: sessions of one-minute runs, a study a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from analysis.declared.targets import ZIIP_COST, quantity_of
from analysis.declared.workload import Workload, parse_workload
from synthetic.network.declaration import Machine, NetworkDeclaration, Way
from synthetic.network.levels import Level, Levels
from synthetic.noise import source
from synthetic.schedule import counted, weekdays
from synthetic.smf_day import RELEASE

MINUTE = dt.timedelta(minutes=1)
_ORDER = attrgetter("order")


@dataclass(frozen=True)
class Load:
    """A workload over a configuration: its level, its path, the system of each role.

    ``costs`` are by role [µs]. Of a system that several loads share the first of them
    has the cost, which is that of a transaction of any of them. ``ziips`` are costs on
    zIIPs, of systems that have some.
    """

    study: str
    configuration: str
    workload: Workload
    path: Way
    systems: dict[str, str]
    rate: Level
    costs: dict[str, Level]
    ziips: dict[str, Level]

    @property
    def key(self) -> str:
        """What tells the load from all others."""
        return f"{self.study}/{self.configuration}/{self.workload.name}"


@dataclass(frozen=True)
class Slot:
    """A minute in which one or more loads ran side by side; ``failed``: in vain."""

    study: str
    configuration: str
    repetition: int
    cpc: str
    machine: Machine
    start: dt.datetime
    cps: dict[str, int]
    ziips: dict[str, int]
    release: str
    loads: tuple[Load, ...]
    failed: bool = False


Group = tuple[Load, ...]


def plan(of: NetworkDeclaration, levels: Levels) -> dict[str, list[Slot]]:
    """The slots of every study in the order of time; CPCs run side by side."""
    days = weekdays(of.making.first)
    studies = dict.fromkeys(target.study for target in of.targets)
    return {study: _session(of, levels, study, next(days)) for study in studies}


def groups(of: NetworkDeclaration, levels: Levels, study: str) -> list[Group]:
    """The loads of a study that run together or alone, a baseline before its tests."""
    pairs = [
        (id, parse_workload(target.workload).name)
        for target in of.targets
        if target.study == study
        for id in (target.baseline, target.test)
        if id
    ]
    made: dict[tuple[str, str], Group] = {}
    for id, name in dict.fromkeys(pairs):
        mix = of.mix_of(id)
        loads = sorted(map(parse_workload, mix.loads if mix else [name]), key=_ORDER)
        names = [load.name for load in loads]
        made.setdefault((id, names[0]), tuple(_loads(of, levels, study, id, names)))
    return list(made.values())


def _loads(
    of: NetworkDeclaration, levels: Levels, study: str, id: str, names: Iterable[str]
) -> Iterator[Load]:
    told: set[str] = set()
    for name in names:
        systems = levels.systems(id, name)
        mine = {role: system for role, system in systems.items() if system not in told}
        told |= {*mine.values()}
        yield Load(
            study,
            id,
            parse_workload(name),
            of.path(id, name),
            systems,
            levels.level(id, name, "rate"),
            {role: levels.level(id, name, role) for role in mine},
            {
                role: levels.level(id, name, quantity_of(ZIIP_COST, role))
                for role, system in mine.items()
                if system in of.making.ziips
            },
        )


def _session(
    of: NetworkDeclaration, levels: Levels, study: str, begin: dt.datetime
) -> list[Slot]:
    """Every group as often as declared, shuffled on each CPC."""
    failing = {
        f"{f.study}/{f.configuration}/{f.workload}": f.repetition
        for f in of.making.failures
    }
    by_cpc: dict[str, list[Group]] = {}
    for group in groups(of, levels, study):
        times = of.making.repetitions + (group[0].key in failing)
        by_cpc.setdefault(group[0].path.machine, []).extend([group] * times)
    slots = []
    for cpc, runs in by_cpc.items():
        source("order", study, cpc).shuffle(runs)
        slots += [
            Slot(
                study,
                loads[0].configuration,
                nth,
                cpc,
                of.making.machines[cpc],
                begin + at * MINUTE,
                of.cps,
                of.making.ziips,
                str(
                    of.campaign.configurations[loads[0].configuration].details[RELEASE]
                ),
                loads,
                failing.get(loads[0].key) == nth,
            )
            for at, (loads, nth) in enumerate(counted(runs, lambda loads: loads[0].key))
        ]
    return sorted(slots, key=lambda slot: slot.start)
