"""Say of every row which run, system and file it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
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
UseColumns = dict[str, str | None]
_FACTS = (
    "_source",
    "_run",
    "_machine",
    "_system",
    "_role",
    *(f"_{r}" for r in SYSTEM_ROLES),
)
OF_MACHINES = ("cpu_interval", "cpu_counter")


@dataclass(frozen=True)
class CampaignReading:
    """A campaign that was checked, what its files say, and the results of each run."""

    checked: CheckedCampaign
    readings: Readings
    results: Results


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


@dataclass(frozen=True)
class Gathered:
    """The rows of all files by table, and beside each frame what runs say of its file;
    what contradicts ``runs.csv``."""

    parts: Mapping[str, list[pl.DataFrame]]
    facts: Mapping[str, list[UseColumns]]
    issues: list[Issue]


def gather(checked: CheckedCampaign, readings: Readings) -> Gathered:
    """All rows that were read.

    ``run`` is set where one run alone names the file. ``system`` is, in this order,
    the one named in runs.csv, the one that the file names, the host of the run's
    systems; CPU time of a role belongs to the run's system of that role.
    """
    parts: dict[str, list[pl.DataFrame]] = defaultdict(list)
    facts: dict[str, list[UseColumns]] = defaultdict(list)
    issues: list[Issue] = []
    for use in uses(checked.runs):
        what = readings[use.entry.file]
        machine, doubts = None, list[Issue]()
        if any(len(what.tables.get(name, [])) for name in OF_MACHINES):
            machine, doubts = _machine(use, what, checked)
        issues += doubts
        if what.tables:  # most logs have nothing but results
            of_use = _facts(use, checked.files[use.entry.file], machine)
        for name, rows in what.tables.items():
            parts[name].append(rows)
            facts[name].append(of_use)
    return Gathered(parts, facts, issues)


def assign(found: Gathered, results: Results, but: Collection[str] = ()) -> Frames:
    """All rows that were read, by table; the tables ``but`` are left empty."""
    tables = {
        name: filled(name, [], [])
        if name in but
        else filled(name, found.parts.get(name, []), found.facts.get(name, []))
        for name in TABLES
    }
    tables["benchmark"] = join_frames("benchmark", [_benchmark(results)])
    return tables


def _benchmark(results: Results) -> pl.DataFrame:
    return frame("benchmark", [row for rows in results.values() for row in rows])


def _machine(
    use: Use, what: Reading, checked: CheckedCampaign
) -> tuple[str | None, list[Issue]]:
    machine = machine_of(use.entry, use.line, what, checked.campaign)
    if not machine.doubt:
        return machine.name, []
    where = Place(str(checked.folder / RUNS_FILE), use.line.line)
    told = f"cpu: which system is {use.entry.file!r} of? {machine.doubt}"
    mend = "write SYSTEM=FILE in the column cpu, or declare the system's 'host'"
    return None, [Issue(told, where, mend)]


def _facts(use: Use, sha256: str, machine: str | None) -> UseColumns:
    """What runs.csv says of all rows of a file; null where it says nothing."""
    return {
        "_source": sha256,
        "_run": None if use.shared else use.line.run,
        "_machine": machine,
        "_system": use.entry.system,
        "_role": _role_of(use),
    } | {f"_{role}": use.line.roles.get(role) for role in SYSTEM_ROLES}


def filled(
    name: str, frames: list[pl.DataFrame], facts: list[UseColumns]
) -> pl.DataFrame:
    """Rows of a table, sorted, with what runs say of their files."""
    return join_frames(name, [with_facts(name, frames, facts)])


def with_facts(
    name: str, frames: list[pl.DataFrame], facts: list[UseColumns]
) -> pl.DataFrame:
    """Rows of a table with what runs say of their files: of many files at once, because
    a step for each takes long."""
    if not any(part.height for part in frames):
        return pl.DataFrame(schema=TABLES[name])
    told = dict.fromkeys(facts_of(name), pl.String())
    heights = pl.Series([part.height for part in frames])
    number = pl.Series(range(len(frames)), dtype=pl.UInt32)
    of_rows = pl.DataFrame(facts, told)[number.repeat_by(heights).explode()]
    whole = stack(name, frames).hstack(of_rows)
    return whole.with_columns(**_known(name))


def facts_of(name: str) -> list[str]:
    """What runs say of files that goes into the rows of a table."""
    roots = {root for of in _known(name).values() for root in of.meta.root_names()}
    return [column for column in _FACTS if column in roots]


def _known(name: str) -> dict[str, pl.Expr]:
    """The columns of a table that runs tell, too."""
    columns = {"source": pl.col("_source"), "run": pl.coalesce("_run", "run")}
    if name in (*OF_MACHINES, "smf_loss"):
        columns["system"] = pl.coalesce("_machine", "system")
    if name == "run_cpu":
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


def _role_of(use: Use) -> str | None:
    """The role of the system that runs.csv names beside a file, where it has one."""
    roles = [r for r, system in use.line.roles.items() if system == use.entry.system]
    return roles[0] if len(roles) == 1 else None


def readings_of(line: RunLine, readings: Readings) -> Iterator[tuple[str, Reading]]:
    """The CPU files of a run, each with what it says."""
    for entry in line.cpu:
        if entry.file != line.log:
            yield entry.file, readings[entry.file]


@dataclass(frozen=True)
class NamedMachine:
    """What to write in the column ``system`` of a file's rows.

    ``name`` is none where the rows keep the names that the file gives; ``doubt``
    says why no system can be told.
    """

    name: str | None = None
    doubt: str = ""


def machine_of(
    entry: CpuFile, line: RunLine, what: Reading, of: Campaign
) -> NamedMachine:
    """The machine of a CPU file: as named in runs.csv, else as the file names it,
    else the machine on which all systems of the run are.
    """
    own = set(what.systems)
    if entry.system is not None:
        machine = _host(entry.system, of)
        if machine in own:
            return NamedMachine()
        if len(own) > 1:
            return NamedMachine(doubt=f"it speaks of {_list(own)}, not of {machine!r}")
        return NamedMachine(machine)
    if own & {*of.systems, *(_host(name, of) for name in of.systems)}:
        return NamedMachine()
    if own:
        return NamedMachine(doubt=f"it speaks of {_list(own)}, which is not declared")
    hosts = {_host(name, of) for name in line.roles.values()}
    if len(hosts) > 1:
        return NamedMachine(doubt=f"it may speak of {_list(hosts)}")
    return NamedMachine(hosts.pop())


def _host(system: str, campaign: Campaign) -> str:
    return campaign.systems[system].host or system


def _list(names: set[str]) -> str:
    return ", ".join(map(repr, sorted(names)))
