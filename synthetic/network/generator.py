"""Campaigns of network loads: who talks to whom over which path, a study a day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from synthetic import evidence
from synthetic.emitters.netperf import netperf_log
from synthetic.emitters.procstat import procstat
from synthetic.emitters.smf import ClassTime, Engine, space_record
from synthetic.emitters.uperf import UperfLog
from synthetic.evidence import OFFSET, dump_file, level_of, report_file
from synthetic.network.declaration import Machine, NetworkDeclaration
from synthetic.network.plan import Session, planned
from synthetic.network.runs import LOAD_SECONDS, Minute, Run, minutes
from synthetic.network.traffic import records
from synthetic.noise import source
from synthetic.session import Part
from synthetic.smf.counters import counter_record

_IDLE = 0.0004  # of each CP, where a system has no part in a run
_CAPTURED = 0.95  # of the busy time is found in service classes
_CLASSES = {"SYNNETWK": 0.97, "SYSTEM": 0.03}  # of the captured time
_JOBS = {"TCPIP": ("EZBTCPIP", 0.36), "SYNUPERF": ("UPERF", 0.56)}  # of the busy time
_TILT = (1.0, -1.0, 0.5, -0.5)  # CPUs are not equally busy
_HERTZ = 100
# Of busy ticks; what is missing is of the system.
_SHARES = {"user": 0.16, "nice": 0.0, "irq": 0.02, "softirq": 0.30}
_BOOTED = {"user": 400_000, "nice": 90, "system": 250_000, "idle": 9_000_000,
           "iowait": 900, "irq": 4000, "softirq": 60_000}  # fmt: skip


def make(declared: NetworkDeclaration) -> Iterator[Part]:
    """The files and runs of every study."""
    for study, session in planned(declared).items():
        yield _Study(declared, study, session).part()


def log(run: Run, netperf: bool) -> bytes:
    """The log of a run, which netperf made or uperf."""
    load = run.workload
    values: dict[str, Any] = {
        "seed": run.id,
        "clients": load.clients,
        "request_bytes": load.request_bytes,
        "response_bytes": load.response_bytes,
        "transactions": run.transactions,
    }
    rate, latency = run.rate, run.latency
    if netperf:
        return netperf_log(**values, rate=rate, latency_us=latency)
    return UperfLog(
        **values, rate=rate, latency_us=latency, shape=load.shape, start=run.start,
        seconds=LOAD_SECONDS, aborted=run.failed,
    ).write()  # fmt: skip


class _Study:
    """Makes the files of one study."""

    def __init__(
        self, declared: NetworkDeclaration, study: str, session: Session
    ) -> None:
        self.declared, self.study = declared, study
        self.minutes = list(minutes(session, declared.making))
        making = declared.making
        self.netperf = study in making.netperf
        self.reports_alone = making.reports_alone.get(study, ())
        self.reports = (*self.reports_alone, *making.reports.get(study, ()))

    def part(self) -> Part:
        """Logs, CPU evidence, and the lines of runs.csv."""
        part = Part()
        for minute in self.minutes:
            for run in minute.runs:
                part.files[self._log(run)] = log(run, self.netperf)
                beside = [other.id for other in minute.runs if other is not run]
                note = f"beside {', '.join(beside)}" if beside else ""
                systems = dict.fromkeys(run.systems.values())
                cpu = [name for s in systems for name in self._evidence(run, s)]
                part.rows.append(run.row(self._log(run), cpu, note))
        for system in self._systems:
            if self._ticks(system):
                part.files.update(self._snapshots(system))
                continue
            recorded = [
                self._recorded(minute, system)
                for minute in self.minutes
                if system in self._machine(minute).all_systems
            ]
            dumped = system not in self.reports_alone
            if system in self.reports:
                report = evidence.report(recorded, classes=dumped)
                part.files[report_file(self.study, system)] = report
            if dumped:
                dump = evidence.dump(recorded, recorded[-1].start)
                part.files[dump_file(self.study, system)] = dump
        return part

    @property
    def _systems(self) -> list[str]:
        """The systems that take part, in the order of the machines."""
        used = {s for minute in self.minutes for s in minute.group.systems}
        machines = self.declared.making.machines.values()
        return [name for m in machines for name in m.all_systems if name in used]

    def _ticks(self, system: str) -> bool:
        """Whether its CPU time is in clock ticks of Linux."""
        return self.declared.campaign.cpu_of(system).source == "procstat"

    def _log(self, run: Run) -> str:
        return run.file("netperf" if self.netperf else "uperf", "txt")

    def _evidence(self, run: Run, system: str) -> list[str]:
        """The files with CPU time of a system in a run."""
        if self._ticks(system):
            times = ("before", "after")
            return [f"{system}={run.file('linux', when)}" for when in times]
        dumps = [] if system in self.reports_alone else [dump_file(self.study, system)]
        reported = system in self.reports
        return dumps + ([report_file(self.study, system)] if reported else [])

    def _snapshots(self, system: str) -> dict[str, bytes]:
        """``/proc/stat`` before and after each run of a Linux system; ticks never fall
        back."""
        cpus = self.declared.cps[system]
        ticks = [_BOOTED | {"user": _BOOTED["user"] + 1000 * n} for n in range(cpus)]
        made = {}
        for minute in self.minutes:
            if system not in minute.busy:
                continue
            run = minute.runs[0]
            made[run.file("linux", "before")] = procstat(run.id, ticks)
            busy = round(minute.busy[system] * _HERTZ)
            whole = round(run.seconds * _HERTZ)
            for nth, each in enumerate(ticks):
                used = busy // cpus + (nth < busy % cpus)
                parts = {name: int(used * share) for name, share in _SHARES.items()}
                parts["system"] = used - sum(parts.values())
                parts["idle"] = whole - used
                for name, part in parts.items():
                    each[name] += part
            made[run.file("linux", "after")] = procstat(run.id, ticks)
        return made

    def _machine(self, minute: Minute) -> Machine:
        return self.declared.making.machines[minute.group.cpc]

    def _recorded(self, minute: Minute, system: str) -> evidence.Minute:
        """What a system records of a minute."""
        machine = self._machine(minute)
        used = self._busy(minute, system)
        draw = source("capture", system, minute.start)
        captured = used * (_CAPTURED + 0.02 * (draw.random() - 0.5))
        ziip = minute.ziips.get(system, 0.0)
        known = system in self.declared.making.ziips
        return evidence.Minute(
            system=system,
            start=minute.start,
            millis=minute.millis,
            machine=machine,
            level=level_of(self.declared.release(minute.group.configuration)),
            engines={name: self._engines(minute, name) for name in machine.systems},
            hiperdispatch=True,
            classes=[
                ClassTime(
                    name,
                    captured * share,
                    ziip_seconds=ziip * _CAPTURED * share if known else None,
                )
                for name, share in _CLASSES.items()
            ],
            before=list(records(minute, system, [*self.declared.cps])),
            after=[
                space_record(
                    system, OFFSET, job, program, minute.start, minute.seconds,
                    used * share * 0.4, used * share * 0.6, ziip * share,
                )
                for job, (program, share) in _JOBS.items()
            ]
            + self._counters(minute, system),
        )  # fmt: skip

    def _counters(self, minute: Minute, system: str) -> list[bytes]:
        """Records 113-1 of the CPs of a system, in the studies that have some."""
        declared = self.declared.making.counters.get(self.study)
        if declared is None:
            return []
        draw = source("counters", system, minute.start)
        cpi = declared.cycles_per_instruction[minute.group.configuration]
        cpi *= 1 + declared.scatter * draw.gauss(0, 1)
        engines = [e for e in self._engines(minute, system) if e.kind == "CP"]
        each = [round(e.busy_seconds * 1e6 * declared.cycles_per_us) for e in engines]
        return [
            counter_record(
                nth, cycles, round(cycles / cpi), start=minute.start,
                seconds=minute.seconds, cycles_per_us=declared.cycles_per_us,
                machine=self._machine(minute).type, sid=system, hours=OFFSET,
            )
            for nth, cycles in enumerate(each)
        ]  # fmt: skip

    def _busy(self, minute: Minute, system: str) -> float:
        """CPU seconds of a system in a minute."""
        idle = _IDLE * self.declared.cps[system] * minute.seconds
        return minute.busy.get(system, idle)

    def _engines(self, minute: Minute, system: str) -> list[Engine]:
        """The CPs of a system, a little unlike each other, and its zIIPs."""
        count, length = self.declared.cps[system], minute.millis * 1000
        total = round(self._busy(minute, system) * 1e6)
        each = total / count
        lean = 0.03 * each * min(1.0, 20 * (1 - each / length))
        parts = [round(each + lean * _TILT[n]) for n in range(count)]
        parts[-1] += total - sum(parts)
        ziips = self.declared.making.ziips.get(system, 0)
        used = minute.ziips.get(system, 0.0)
        return [
            *(Engine("CP", part / 1e6) for part in parts),
            *(Engine("zIIP", used / ziips) for _ in range(ziips)),
        ]
