"""Campaigns of network loads: who talks to whom over which path, a study a day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.errors import raise_if
from synthetic.generator import Generator, Part
from synthetic.network.declaration import Making, NetworkDeclaration
from synthetic.network.dumps import dump
from synthetic.network.feasible import infeasible
from synthetic.network.levels import Levels
from synthetic.network.logs import netperf_log, snapshots, uperf_log
from synthetic.network.plan import Slot, groups, plan
from synthetic.network.rmf_report import report
from synthetic.network.runs import Minute, Run, minutes


def planned(of: NetworkDeclaration) -> dict[str, list[Slot]]:
    """The slots of every study; a :class:`UserError` where targets cannot be met."""
    levels = Levels(of)
    made = plan(of, levels)
    loads = [group for study in made for group in groups(of, levels, study)]
    raise_if(list(infeasible(of, loads)))
    return made


def parts(of: NetworkDeclaration) -> Iterator[Part]:
    """The files and runs of every study."""
    for slots in planned(of).values():
        maker = _Maker(of, list(minutes(slots, of.making)))
        yield Part(maker.files(), tuple(maker.rows()))


@dataclass(frozen=True)
class _Maker:
    """Makes the files of one study."""

    of: NetworkDeclaration
    session: list[Minute]

    @property
    def study(self) -> str:
        return self.session[0].slot.study

    def files(self) -> dict[str, bytes]:
        """Logs and CPU evidence."""
        runs = [run for minute in self.session for run in minute.runs]
        made = {self._log(run): self._text(run).encode() for run in runs}
        for system in self._systems():
            own = [m for m in self.session if system in m.slot.machine.all_systems]
            if self._ticks(system):
                there = [minute for minute in own if system in minute.busy]
                made |= self._snapshots_of(there, system)
                continue
            alone, beside = self._reported(system)
            if alone or beside:
                text = report(own, system, classes=not alone)
                made[_xml(self.study, system)] = text.encode()
            if not alone:
                made[_dump(self.study, system)] = dump(own, system)
        return made

    def rows(self) -> Iterator[dict[str, str]]:
        """The lines of runs.csv."""
        for minute in self.session:
            for run in minute.runs:
                beside = [other.id for other in minute.runs if other is not run]
                yield {
                    "run": run.id,
                    "configuration": run.slot.configuration,
                    "workload": run.load.workload.name,
                    "repetition": str(run.slot.repetition),
                    "start": _time(run.start),
                    "end": _time(run.end),
                    **run.load.systems,
                    "log": self._log(run),
                    "cpu": ";".join(self._evidence(run)),
                    "note": f"beside {', '.join(beside)}" if beside else "",
                }

    def _systems(self) -> list[str]:
        """The systems that take part, in the order of the machines."""
        runs = [run for minute in self.session for run in minute.runs]
        used = {system for run in runs for system in run.load.systems.values()}
        machines = self.of.making.machines.values()
        return [name for m in machines for name in m.all_systems if name in used]

    def _ticks(self, system: str) -> bool:
        """Whether its CPU time is in clock ticks of Linux."""
        return self.of.campaign.cpu_of(system).source == "procstat"

    def _reported(self, system: str) -> tuple[bool, bool]:
        """Whether a system has reports of RMF alone, and whether beside a dump."""
        making = self.of.making
        alone = making.reports_alone.get(self.study, ())
        return system in alone, system in making.reports.get(self.study, ())

    def _snapshots_of(self, own: list[Minute], system: str) -> dict[str, bytes]:
        return {
            name: text.encode()
            for run, pair in snapshots(own, system).items()
            for name, text in zip(_snapshots(self.study, run), pair, strict=True)
        }

    def _text(self, run: Run) -> str:
        return netperf_log(run) if self._netperf else uperf_log(run)

    @property
    def _netperf(self) -> bool:
        return self.study in self.of.making.netperf

    def _log(self, run: Run) -> str:
        tool = "netperf" if self._netperf else "uperf"
        return f"{tool}/{self.study}/synthetic_{run.id}.txt"

    def _evidence(self, run: Run) -> list[str]:
        """The files with CPU time of a run's systems."""
        found = []
        for system in dict.fromkeys(run.load.systems.values()):
            if self._ticks(system):
                found += [f"{system}={n}" for n in _snapshots(self.study, run.id)]
                continue
            alone, beside = self._reported(system)
            found += [] if alone else [_dump(self.study, system)]
            found += [_xml(self.study, system)] if alone or beside else []
        return found


def _dump(study: str, system: str) -> str:
    return f"smf/{study}/synthetic_{system}.smf"


def _xml(study: str, system: str) -> str:
    return f"rmf/{study}/synthetic_{system}.xml"


def _snapshots(study: str, run: str) -> tuple[str, str]:
    stem = f"linux/{study}/synthetic_{run}"
    return f"{stem}.before", f"{stem}.after"


def _time(moment: object) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


GENERATOR = Generator(
    "network",
    "loads between systems",
    Making,
    NetworkDeclaration,
    frozenset({"rate", "latency", "throughput", "cpu_cost", "cpu_cost_ziip"}),
    parts,
)
