"""Say of every row which run, system and file it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from analysis.campaign import RUNS_FILE
from analysis.errors import Issue, Place
from analysis.ingest.check import Checked
from analysis.ingest.reading import Reading
from analysis.ingest.runs import CpuFile, RunLine
from analysis.ingest.store import join_frames
from analysis.ingest.systems import machine_of
from analysis.ingest.tables import TABLES

Readings = Mapping[str, Reading]
Frames = dict[str, pl.DataFrame]
OF_MACHINES = ("cpu_interval", "cpu_counter")


@dataclass(frozen=True)
class Use:
    """A file, the first run that names it, and whether others name it too."""

    entry: CpuFile
    line: RunLine
    shared: bool


def files_of(line: RunLine) -> list[CpuFile]:
    """The files that a run names: its log first, then its CPU evidence."""
    return [CpuFile(line.log), *(cpu for cpu in line.cpu if cpu.file != line.log)]


def uses(runs: tuple[RunLine, ...]) -> list[Use]:
    """Every file that runs name, once."""
    users: dict[str, list[tuple[CpuFile, RunLine]]] = defaultdict(list)
    for line in runs:
        for entry in files_of(line):
            users[entry.file].append((entry, line))
    return [
        Use(*named[0], shared=len({line.run for _, line in named}) > 1)
        for named in users.values()
    ]


def assign(checked: Checked, readings: Readings) -> tuple[Frames, list[Issue]]:
    """All rows that were read, by table, and what contradicts ``runs.csv``.

    ``run`` is set where one run alone names the file. ``system`` is, in this order,
    the one named in runs.csv, the one that the file names, the host of the run's
    systems; CPU time of a role belongs to the run's system of that role.
    """
    parts: dict[str, list[pl.DataFrame]] = defaultdict(list)
    issues: list[Issue] = []
    for use in uses(checked.runs):
        what = readings[use.entry.file]
        machine, doubts = None, list[Issue]()
        if any(len(what.tables.get(name, [])) for name in OF_MACHINES):
            machine, doubts = _machine(use, what, checked)
        issues += doubts
        sha256 = checked.campaign.files[use.entry.file]
        for name, frame in what.tables.items():
            parts[name].append(_filled(name, frame, use, sha256, machine))
    return {name: join_frames(name, parts[name]) for name in TABLES}, issues


def _machine(
    use: Use, what: Reading, checked: Checked
) -> tuple[str | None, list[Issue]]:
    machine = machine_of(use.entry, use.line, what, checked.campaign)
    if not machine.doubt:
        return machine.name, []
    where = Place(str(checked.folder / RUNS_FILE), use.line.line)
    told = f"cpu: which system is {use.entry.file!r} of? {machine.doubt}"
    mend = "write SYSTEM=FILE in the column cpu, or declare the system's 'host'"
    return None, [Issue(told, where, mend)]


def _filled(
    name: str, frame: pl.DataFrame, use: Use, sha256: str, machine: str | None
) -> pl.DataFrame:
    columns = {"source": pl.lit(sha256)}
    if not use.shared:
        columns["run"] = pl.lit(use.line.run)
    if name in OF_MACHINES and machine is not None:
        columns["system"] = pl.lit(machine)
    if name == "run_cpu":
        of_role = pl.col("role").replace_strict(
            dict(use.line.roles), default=None, return_dtype=pl.String
        )
        columns["system"] = pl.coalesce(
            "system", of_role, pl.lit(use.entry.system, pl.String)
        )
        columns["role"] = pl.coalesce("role", pl.lit(_role_of(use), pl.String))
    if name == "cgroup_counter":
        columns["system"] = pl.lit(use.entry.system, pl.String)
    if name == "benchmark":
        workload = use.line.workload
        columns["request_bytes"] = pl.col("request_bytes").fill_null(
            workload.request_bytes
        )
        columns["response_bytes"] = pl.col("response_bytes").fill_null(
            workload.response_bytes
        )
    known = {c: value for c, value in columns.items() if c in frame.columns}
    return frame.with_columns(**known)


def _role_of(use: Use) -> str | None:
    """The role of the system that runs.csv names beside a file, where it has one."""
    roles = [r for r, system in use.line.roles.items() if system == use.entry.system]
    return roles[0] if len(roles) == 1 else None


def readings_of(line: RunLine, readings: Readings) -> Iterator[tuple[str, Reading]]:
    """The CPU files of a run, each with what it says."""
    for entry in line.cpu:
        if entry.file != line.log:
            yield entry.file, readings[entry.file]
