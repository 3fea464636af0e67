"""Whether a campaign could be: CPs that suffice, and lines that carry what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis.errors import Issue, Place
from synthetic.network.declaration import NetworkDeclaration
from synthetic.network.levels import Level
from synthetic.network.performance import goodput, least_latency
from synthetic.network.plan import Group, Load

_ROOM = 1.04  # what noise may add


def infeasible(of: NetworkDeclaration, groups: Iterable[Group]) -> Iterator[Issue]:
    """What no system and no line could do, with the lines that ask for it."""
    for group in groups:
        for load in group:
            yield from _beyond_line(of, load)
        for system in dict.fromkeys(s for load in group for s in load.systems.values()):
            yield from _too_busy(of, group, system)


def _beyond_line(of: NetworkDeclaration, load: Load) -> Iterator[Issue]:
    """Throughput above the line's, or latency below it."""
    path, work = load.path, load.workload
    mend = f"change the target, or the line in {of.place('paths', _name(of, load))}"
    one_way = load.rate.value * max(work.request_bytes, work.response_bytes)
    if one_way > goodput(path):
        what = f"{_named(load)} would move {one_way / 1e6:,.0f} MB/s one way, more "
        what += f"than the {goodput(path) / 1e6:,.0f} MB/s of its line"
        yield Issue(what, _place(of, load.rate, load), mend)
    latency = work.clients / load.rate.value * 1e6
    if latency < least_latency(work, path):
        what = f"{_named(load)} would answer in {latency:.3g} µs, sooner than the "
        what += f"{least_latency(work, path):.3g} µs of its line"
        yield Issue(what, _place(of, load.rate, load), mend)


def _too_busy(of: NetworkDeclaration, group: Group, system: str) -> Iterator[Issue]:
    """A system that would be busier than it may."""
    served = [load for load in group if system in load.systems.values()]
    costs = {
        role: level
        for load in served
        for role, level in load.costs.items()
        if load.systems[role] == system
    }
    for role, level in costs.items():
        rate = sum(load.rate.value for load in served)
        share = rate * level.value / 1e6 / of.cps[system]
        if share > of.making.busiest / _ROOM:
            what = f"{_named(group[0])} would make {system} ({role}) {share:.0%} busy, "
            what += f"more than {of.making.busiest:.0%} with its noise"
            mend = f"change the rate, or the CPU cost of {_place(of, level, group[0])}"
            yield Issue(what, _place(of, served[0].rate, served[0]), mend)


def _named(load: Load) -> str:
    return f"{load.workload.name} over {load.configuration}"


def _name(of: NetworkDeclaration, load: Load) -> str:
    return of.path_name(load.configuration, load.workload.name)


def _place(of: NetworkDeclaration, level: Level, load: Load) -> Place:
    """The last target that moved a level, else the parameters that gave it."""
    return of.place_of(level.by[-1]) if level.by else of.place("paths", _name(of, load))
