"""Who ran what, where and when, and whether it could be: minutes, a study a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from analysis.declared.targets import ZIIP_COST, quantity_of
from analysis.declared.workload import parse_workload
from analysis.errors import Issue, Place, raise_if
from synthetic.network.declaration import NetworkDeclaration, Way
from synthetic.network.levels import Level, Levels
from synthetic.network.performance import goodput, least_latency
from synthetic.session import Arm, Turn, turns, weekdays

MINUTE = dt.timedelta(minutes=1)
_ORDER = attrgetter("order")
_ROOM = 1.04  # what noise may add


@dataclass(frozen=True)
class Load(Arm):
    """A workload over a configuration: its level, its path, the system of each role.

    ``costs`` are by role [µs]. Of a system that several loads share the first of them
    has the cost, which is that of a transaction of any of them. ``ziips`` are costs on
    zIIPs, of systems that have some.
    """

    path: Way
    systems: dict[str, str]
    rate: Level
    costs: dict[str, Level]
    ziips: dict[str, Level]


@dataclass(frozen=True)
class Group:
    """Loads over one configuration that run alone or side by side."""

    loads: tuple[Load, ...]

    @property
    def key(self) -> str:
        """That of its first load."""
        return self.loads[0].key

    @property
    def cpc(self) -> str:
        """The machine on which it runs."""
        return self.loads[0].path.machine

    @property
    def configuration(self) -> str:
        """That of all its loads."""
        return self.loads[0].configuration

    @property
    def systems(self) -> list[str]:
        """All that take part."""
        return list(dict.fromkeys(s for x in self.loads for s in x.systems.values()))


Session = list[Turn[Group]]


def planned(declared: NetworkDeclaration) -> dict[str, Session]:
    """The session of every study in the order of time, CPCs side by side; a
    :class:`UserError` where targets cannot be met."""
    levels, days = Levels(declared), weekdays(declared.making.first)
    made, issues = {}, list[Issue]()
    for study in dict.fromkeys(target.study for target in declared.targets):
        begin, by_cpc = next(days), dict[str, list[Group]]()
        for group in _groups(declared, levels, study):
            by_cpc.setdefault(group.cpc, []).append(group)
            issues += _infeasible(declared, group)
        session = [
            turn
            for cpc, groups in by_cpc.items()
            for turn in turns(declared, groups, begin, MINUTE, study, cpc)
        ]
        made[study] = sorted(session, key=attrgetter("start"))
    raise_if(issues)
    return made


def _groups(declared: NetworkDeclaration, levels: Levels, study: str) -> list[Group]:
    """All that runs in a study, a baseline before its tests."""
    pairs = [
        (id, parse_workload(target.workload).name)
        for target in declared.targets
        if target.study == study
        for id in (target.baseline, target.test)
        if id
    ]
    made: dict[tuple[str, str], Group] = {}
    for id, name in dict.fromkeys(pairs):
        mix = declared.mix_of(id)
        loads = sorted(map(parse_workload, mix.loads if mix else [name]), key=_ORDER)
        names = [load.name for load in loads]
        if (id, names[0]) not in made:
            group = Group(tuple(_loads(declared, levels, study, id, names)))
            made[id, names[0]] = group
    return list(made.values())


def _loads(
    declared: NetworkDeclaration,
    levels: Levels,
    study: str,
    id: str,
    names: Iterable[str],
) -> Iterator[Load]:
    counted: set[str] = set()
    for name in names:
        systems = levels.systems(id, name)
        mine = {r: system for r, system in systems.items() if system not in counted}
        counted |= {*mine.values()}
        yield Load(
            study,
            id,
            parse_workload(name),
            declared.path(id, name),
            systems,
            levels.level(id, name, "rate"),
            {role: levels.level(id, name, role) for role in mine},
            {
                role: levels.level(id, name, quantity_of(ZIIP_COST, role))
                for role, system in mine.items()
                if system in declared.making.ziips
            },
        )


def _infeasible(declared: NetworkDeclaration, group: Group) -> Iterator[Issue]:
    """What no system and no line could do, with the lines that ask for it."""
    for load in group.loads:
        yield from _beyond_line(declared, load)
    for system in group.systems:
        yield from _too_busy(declared, group, system)


def _beyond_line(declared: NetworkDeclaration, load: Load) -> Iterator[Issue]:
    """Throughput above the line's, or latency below it."""
    path, work = load.path, load.workload
    name = declared.path_name(load.configuration, work.name)
    mend = f"change the target, or the line in {declared.place('paths', name)}"
    one_way = load.rate.value * max(work.request_bytes, work.response_bytes)
    if one_way > goodput(path):
        what = f"{load.words} would move {one_way / 1e6:,.0f} MB/s one way, more "
        what += f"than the {goodput(path) / 1e6:,.0f} MB/s of its line"
        yield Issue(what, _place(declared, load.rate, load), mend)
    latency = work.clients / load.rate.value * 1e6
    if latency < least_latency(work, path):
        what = f"{load.words} would answer in {latency:.3g} µs, sooner than the "
        what += f"{least_latency(work, path):.3g} µs of its line"
        yield Issue(what, _place(declared, load.rate, load), mend)


def _too_busy(
    declared: NetworkDeclaration, group: Group, system: str
) -> Iterator[Issue]:
    """A system that would be busier than it may."""
    served = [load for load in group.loads if system in load.systems.values()]
    costs = {
        role: level
        for load in served
        for role, level in load.costs.items()
        if load.systems[role] == system
    }
    for role, level in costs.items():
        rate = sum(load.rate.value for load in served)
        share = rate * level.value / 1e6 / declared.cps[system]
        if share > declared.making.busiest / _ROOM:
            first = group.loads[0]
            what = f"{first.words} would make {system} ({role}) {share:.0%} busy, more "
            what += f"than {declared.making.busiest:.0%} with its noise"
            mend = (
                f"change the rate, or the CPU cost of {_place(declared, level, first)}"
            )
            yield Issue(what, _place(declared, served[0].rate, served[0]), mend)


def _place(declared: NetworkDeclaration, level: Level, load: Load) -> Place:
    """The last target that moved a level, else the parameters that gave it."""
    name = declared.path_name(load.configuration, load.workload.name)
    return (
        declared.place_of(level.by[-1]) if level.by else declared.place("paths", name)
    )
