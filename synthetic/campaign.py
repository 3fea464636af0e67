"""All files of a campaign, by their path below its folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    GENERATORS,
    ROLES,
    RUNS_FILE,
    find_campaigns,
)
from analysis.declared.targets import TARGETS
from analysis.errors import raise_if, user_error
from analysis.files.atomic import whole_folder
from analysis.files.checksums import SUMS_FILE, checksums_text
from analysis.files.csv_text import csv_text
from synthetic.declaration import Declaration, read_declaration
from synthetic.dumps import dump
from synthetic.feasible import infeasible
from synthetic.levels import Levels
from synthetic.logs import netperf_log, snapshots, uperf_log
from synthetic.plan import Slot, groups, plan
from synthetic.rmf_report import report
from synthetic.runs import Minute, Run, minutes

ROOT = Path(__file__).resolve().parents[1]
DECLARED = ROOT / GENERATORS
README = "README.md"
COLUMNS = ("run", "order", "configuration", "workload", "repetition", "start", "end",
           *ROLES, "log", "cpu", "note")  # fmt: skip
Files = dict[str, bytes]


def declared(campaign: str, root: Path | None = None) -> Declaration:
    """What is declared of a campaign of this project, or of one in another folder."""
    root = root or (Path() if Path().resolve() == ROOT else ROOT)
    folder = root / GENERATORS
    names = find_campaigns(folder)
    if campaign not in names:
        what, mend = f"there is no campaign {campaign!r}", ", ".join(names)
        raise user_error(what, folder, mend=f"choose one of: {mend}")
    targets = root / TARGETS / f"{campaign}.csv"
    return read_declaration(campaign, folder / campaign, targets)


def planned(of: Declaration) -> dict[str, list[Slot]]:
    """The slots of every study; a :class:`UserError` where targets cannot be met."""
    levels = Levels(of)
    made = plan(of, levels)
    loads = [group for study in made for group in groups(of, levels, study)]
    raise_if(list(infeasible(of, loads)))
    return made


def all_files(of: Declaration) -> Files:
    """Every file of a campaign."""
    made: Files = {}
    rows: list[dict[str, str]] = []
    for slots in planned(of).values():
        maker = _Maker(of, list(minutes(slots, of.making)))
        made |= maker.files()
        rows += list(maker.rows())
    made[README] = (of.folder / README).read_bytes()
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in made.items()}
    made[SUMS_FILE] = checksums_text(hashes).encode()
    made[RUNS_FILE] = _runs_csv(rows)
    made[CAMPAIGN_FILE] = (of.folder / CAMPAIGN_FILE).read_bytes()
    return made


@dataclass(frozen=True)
class _Maker:
    """Makes the files of one study."""

    of: Declaration
    session: list[Minute]

    @property
    def study(self) -> str:
        return self.session[0].slot.study

    def files(self) -> Files:
        """Logs and CPU evidence."""
        runs = [run for minute in self.session for run in minute.runs]
        made = {self._log(run): self._text(run).encode() for run in runs}
        for system in self._systems():
            own = [m for m in self.session if system in m.slot.machine.systems]
            if self._ticks(system):
                made |= self._snapshots_of(own, system)
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
        return [name for m in machines for name in m.systems if name in used]

    def _ticks(self, system: str) -> bool:
        """Whether its CPU time is in clock ticks of Linux."""
        return self.of.campaign.cpu_of(system).source == "procstat"

    def _reported(self, system: str) -> tuple[bool, bool]:
        """Whether a system has reports of RMF alone, and whether beside a dump."""
        making = self.of.making
        alone = making.reports_alone.get(self.study, ())
        return system in alone, system in making.reports.get(self.study, ())

    def _snapshots_of(self, own: list[Minute], system: str) -> Files:
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


def _runs_csv(rows: list[dict[str, str]]) -> bytes:
    used = [c for c in COLUMNS if c == "order" or any(row.get(c) for row in rows)]
    numbered = (row | {"order": str(at)} for at, row in enumerate(rows, 1))
    return csv_text(used, numbered).encode()


def write(campaign: str, out: Path) -> int:
    """Write all files in place of those of before, and return their number.

    A :class:`UserError` where ``out`` holds anything but a synthetic campaign.
    """
    _check_replaceable(out)
    made = all_files(declared(campaign))
    with whole_folder(out) as draft:
        for name, data in made.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return len(made)


def _check_replaceable(out: Path) -> None:
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    declared = out / CAMPAIGN_FILE
    if not (declared.is_file() and "\norigin: synthetic\n" in declared.read_text()):
        raise user_error(
            "this is no synthetic campaign, and would be overwritten",
            out,
            mend="give --out another folder",
        )
