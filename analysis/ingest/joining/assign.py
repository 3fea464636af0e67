"""Say of every row which run, system and file it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from analysis.declared.campaign import RUNS_FILE, Campaign
from analysis.declared.vocabulary import SYSTEM_ROLES
from analysis.errors import Issue, Place
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.choose_test import Results
from analysis.ingest.campaign.runs import CpuFile, RunLine
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import TABLES, frame
from analysis.ingest.tables.store import join_frames, stack

Readings = Mapping[str, Reading]
Frames = dict[str, pl.DataFrame]
Known = dict[str, str | None]  # what runs.csv says of all rows of a file
FileRows = tuple[pl.DataFrame, Known]
Rows = Mapping[str, Sequence[FileRows]]  # of each table those of each file
_UTC = "%Y-%m-%dT%H:%M:%S%.6fZ"
OF_MACHINES = ("cpu_interval", "cpu_counter", "energy_counter")


@dataclass(frozen=True)
class CampaignReading:
    """A campaign that was checked, what its files say, and the results of each run."""

    checked: CheckedCampaign
    readings: Readings
    results: Results


def files_of(line: RunLine) -> list[CpuFile]:
    """The files that a run names: its log first, then its CPU evidence."""
    return [CpuFile(line.log), *(cpu for cpu in line.cpu if cpu.file != line.log)]


def readings_of(line: RunLine, readings: Readings) -> Iterator[tuple[str, Reading]]:
    """The CPU files of a run, each with what it says."""
    for entry in line.cpu:
        if entry.file != line.log:
            yield entry.file, readings[entry.file]


def gather(checked: CheckedCampaign, readings: Readings) -> tuple[Rows, list[Issue]]:
    """The rows of every file that runs name, with what these say of the file; what
    contradicts ``runs.csv``.

    ``run`` is set where one run alone names the file. ``system`` is, in this order,
    the one named in runs.csv, the one that the file names, the host of the run's
    systems; CPU time of a role belongs to the run's system of that role.
    """
    users: dict[str, list[tuple[CpuFile, RunLine]]] = defaultdict(list)
    for line in checked.runs:
        for entry in files_of(line):
            users[entry.file].append((entry, line))
    gathered = defaultdict[str, list[FileRows]](list)
    ahead = {
        system.host or id: system.clock_ahead
        for id, system in checked.campaign.systems.items()
        if system.clock_ahead
    }
    issues: list[Issue] = []
    for file, named in users.items():
        tables = readings[file].tables
        if not tables:  # as of most logs, which have nothing but results
            continue
        entry, line = named[0]
        machine = NamedMachine()
        if any(name in tables and tables[name].height for name in OF_MACHINES):
            machine = machine_of(entry, line, readings[file], checked.campaign)
        if machine.doubt:
            what = f"cpu: which system is {file!r} of? {machine.doubt}"
            mend = "write SYSTEM=FILE in the column cpu, or declare the system's 'host'"
            where = Place(str(checked.folder / RUNS_FILE), line.line)
            issues.append(Issue(what, where, mend))
        roles = [r for r, system in line.roles.items() if system == entry.system]
        known: Known = {
            "_source": checked.files[file],
            "_run": line.run if len({line.run for _, line in named}) == 1 else None,
            "_machine": machine.name,
            "_system": entry.system,
            "_role": roles[0] if len(roles) == 1 else None,
        } | {f"_{role}": line.roles.get(role) for role in SYSTEM_ROLES}
        for name, rows in tables.items():
            right = _on_time(rows, machine.name, ahead) if ahead else rows
            gathered[name].append((right, known))
    return gathered, issues


def _on_time(
    rows: pl.DataFrame, machine: str | None, ahead: dict[str, float]
) -> pl.DataFrame:
    """Rows of systems whose clocks were ahead, with the times of a right clock."""
    times = [column for column in rows.columns if column.endswith("_utc")]
    if "system" not in rows.columns or not times:
        return rows
    system = pl.coalesce(pl.lit(machine, pl.String), pl.col("system"))
    seconds = system.replace_strict(ahead, default=0.0, return_dtype=pl.Float64)
    late = pl.duration(microseconds=seconds * 1e6)
    return rows.with_columns(
        (pl.col(time).str.to_datetime(_UTC) - late).dt.strftime(_UTC) for time in times
    )


def assign(rows: Rows, results: Results, but: Container[str] = ()) -> Frames:
    """All rows that were read, by table, sorted; the tables ``but`` are left empty."""
    tables = {
        name: join_frames(name, [with_known(name, rows.get(name, []))])
        if name not in but
        else frame(name, [])
        for name in TABLES
    }
    of_runs = [row for rows_of_run in results.values() for row in rows_of_run]
    return tables | {
        "benchmark": join_frames("benchmark", [frame("benchmark", of_runs)])
    }


def with_known(name: str, rows: Sequence[FileRows]) -> pl.DataFrame:
    """Rows of a table with what runs say of their files: of many files at once, because
    a step for each takes long."""
    if not any(part.height for part, _ in rows):
        return pl.DataFrame(schema=TABLES[name])
    columns = _known_columns(name)
    used = {root for one in columns.values() for root in one.meta.root_names()}
    kinds = {column: pl.String() for column in rows[0][1] if column in used}
    heights = pl.Series([part.height for part, _ in rows])
    number = pl.Series(range(len(rows)), dtype=pl.UInt32)
    known = pl.DataFrame([{c: one[c] for c in kinds} for _, one in rows], kinds)
    of_rows = known[number.repeat_by(heights).explode()]
    whole = stack(name, [part for part, _ in rows]).hstack(of_rows)
    return whole.with_columns(**columns)


def _known_columns(name: str) -> dict[str, pl.Expr]:
    """The columns of a table that runs tell, too."""
    columns = {"source": pl.col("_source"), "run": pl.coalesce("_run", "run")}
    if name in (*OF_MACHINES, "smf_loss"):
        columns["system"] = pl.coalesce("_machine", "system")
    if name in ("run_cpu", "run_counter"):
        of_role = [
            pl.when(pl.col("role") == r).then(pl.col(f"_{r}")) for r in SYSTEM_ROLES
        ]
        columns["system"] = pl.coalesce("system", *of_role, "_system")
        columns["role"] = pl.coalesce("role", "_role")
    if name == "gateway_interval":
        columns["system"] = pl.coalesce("system", "_system")
    if name == "cgroup_counter":
        columns["system"] = pl.col("_system")
    return {c: value for c, value in columns.items() if c in TABLES[name]}


@dataclass(frozen=True)
class NamedMachine:
    """What to write in the column ``system`` of a file's rows.

    ``name`` is none where the rows keep the names that the file gives; ``doubt``
    says why no system can be told.
    """

    name: str | None = None
    doubt: str = ""


def machine_of(
    entry: CpuFile, line: RunLine, reading: Reading, campaign: Campaign
) -> NamedMachine:
    """The machine of a CPU file: as named in runs.csv, else as the file names it,
    else the machine on which all systems of the run are.
    """
    hosts = {name: system.host or name for name, system in campaign.systems.items()}
    systems = set(reading.systems)
    if entry.system is not None:
        machine = hosts[entry.system]
        if machine in systems:
            return NamedMachine()
        if len(systems) > 1:
            doubt = f"it speaks of {_list(systems)}, not of {machine!r}"
            return NamedMachine(doubt=doubt)
        return NamedMachine(machine)
    if systems & {*hosts, *hosts.values()}:
        return NamedMachine()
    if systems:
        return NamedMachine(
            doubt=f"it speaks of {_list(systems)}, which is not declared"
        )
    possible = {hosts[name] for name in line.roles.values()}
    if len(possible) > 1:
        return NamedMachine(doubt=f"it may speak of {_list(possible)}")
    return NamedMachine(possible.pop())


def _list(names: set[str]) -> str:
    return ", ".join(map(repr, sorted(names)))
