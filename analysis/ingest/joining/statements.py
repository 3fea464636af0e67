"""What the files of a campaign say of things that are declared.

Each function gives the statements of one sort. ``campaign init`` proposes what they
say, and the comparisons hold what is declared against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from analysis.declared.campaign import RUNS_FILE, Campaign
from analysis.errors import Place
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.clock import utc_text
from analysis.ingest.joining.assign import (
    CampaignReading,
    Frames,
    files_of,
    readings_of,
)
from analysis.ingest.joining.run_table import run_table
from analysis.ingest.logs.checks import FIGURES
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import IN_BYTES

_RELEASE = re.compile(r"ZV(\d\d)(\d\d)\d\d|V(\d+)R(\d+)")  # of SMF, of RMF
_LOOPBACK = "LOOPBACK"
_MANY = 100_000  # transactions, which are counted one by one
_CAPTURED = ("cpu_interval", "run_cpu")
_FIGURES = ("transactions", "seconds", *FIGURES)
_START = '"t_start"'  # where meta.json tells the window of a run


class Statement(NamedTuple):
    """What a file says ``about`` a machine, a configuration or a run by its name, or
    about the campaign, which has none here. ``position`` is a line, a byte offset, or a
    text of the line."""

    about: str
    value: Any
    file: str
    position: int | str | None = None


@dataclass(frozen=True)
class DeclaredEntry:
    """Something declared ``about`` what a file may speak of; ``text`` says it.

    It stands below ``keys`` of campaign.yaml, or in a ``line`` of runs.csv.
    """

    about: str
    text: str
    value: Any = None
    keys: tuple[str, ...] = ()
    line: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


Entries = Iterator[DeclaredEntry]
Differences = Iterator[tuple[Statement, str]]  # what a file says, in words


class CpuCount(NamedTuple):
    """Fewest and most CPUs that were online, and whether an LPAR has them."""

    least: float
    most: float
    of_lpar: bool


@dataclass(frozen=True)
class RawEvidence:
    """What was read of a campaign, and its rows by table."""

    tables: Frames
    read: CampaignReading

    @property
    def campaign(self) -> Campaign:
        """What is declared."""
        return self.read.checked.campaign

    @property
    def lines(self) -> tuple[RunLine, ...]:
        """The runs that are declared."""
        return self.read.checked.runs

    @cached_property
    def files(self) -> dict[str, str]:
        """The file of each sha256."""
        return {sha256: file for file, sha256 in self.read.checked.files.items()}

    def place(self, said: Statement) -> Place:
        """Where it is said: the line, or the byte offset of the record."""
        path, at = self.read.checked.folder / said.file, said.position
        reading = self.read.readings.get(said.file)
        if isinstance(at, str):
            at = _line_with(path, at)
        if reading and reading.format in IN_BYTES:
            return Place(str(path), offset=at)
        return Place(str(path), at)

    @cached_property
    def windows(self) -> pl.DataFrame:
        """One row a run and machine, with ``configuration``, ``begin`` and ``end``."""
        checked = self.read.checked
        runs = run_table(checked, self.read.readings, self.read.results)
        roles = [
            {"run": line.run, "system": self.campaign.systems[system].host or system}
            for line in self.lines
            for system in line.roles.values()
        ]
        times = [_time("start_utc", "begin"), _time("end_utc", "end")]
        named = pl.DataFrame(roles, {"run": pl.String, "system": pl.String})
        known = runs.select("run", "configuration", *times)
        return named.join(known, on="run").drop_nulls()

    @cached_property
    def intervals(self) -> pl.DataFrame:
        """The rows of ``cpu_interval`` that lie within runs."""
        return by_configuration(self.tables["cpu_interval"], self.windows)


def _line_with(path: Path, text: str) -> int | None:
    with RawFile(path) as raw:
        before, found, _ = raw.read_bytes().partition(text.encode())
    return before.count(b"\n") + 1 if found else None


def cpu_counts(of: RawEvidence) -> Iterator[Statement]:
    """:class:`CpuCount` of each machine, by file: in intervals and in snapshots of its
    clock ticks."""
    columns = ("system", "online_cpus", "scope", "source", "position")
    intervals = of.tables["cpu_interval"].filter(
        pl.col("cpu_type") == "CP", pl.col("online_cpus") > 0
    )
    snapshots = (
        of.tables["cpu_counter"]
        .filter(pl.col("cpu") != "all")
        .group_by("system", "source", maintain_order=True)
        .agg(online_cpus=pl.len().cast(pl.Float64), position=pl.col("position").min())
        .with_columns(scope=pl.lit("system"))
    )
    both = pl.concat([intervals.select(columns), snapshots.select(columns)])
    counts = (
        both.drop_nulls("system")
        .group_by("system", "source", maintain_order=True)
        .agg(
            least=pl.col("online_cpus").min(),
            most=pl.col("online_cpus").max(),
            of_lpar=pl.col("scope").is_null().any(),
            position=pl.col("position").first(),
        )
    )
    for row in counts.iter_rows(named=True):
        count = CpuCount(row["least"], row["most"], row["of_lpar"])
        yield Statement(row["system"], count, of.files[row["source"]], row["position"])


def cpus_used(of: RawEvidence) -> Iterator[Statement]:
    """On how many CPUs the processes of a system ran in a run."""
    for line in of.lines:
        for file, reading in readings_of(line, of.read.readings):
            for role, cpus in (reading.circumstances.role_cpus or {}).items():
                if role in line.roles:
                    at = f"cpuacct_{role}_percpu_s"
                    yield Statement(line.roles[role], cpus, file, at)


def cpus_in_runs(of: RawEvidence) -> Iterator[Statement]:
    """How many CPUs were online in the runs of a configuration, and in those of all."""
    cps = (pl.col("cpu_type") == "CP") & (pl.col("online_cpus") > 0)
    for said in _in_runs(of, "online_cpus", cps):
        yield said
        yield said._replace(about="")


def dedication(of: RawEvidence) -> Iterator[Statement]:
    """Whether the CPs of a machine are dedicated."""
    known = of.tables["cpu_interval"].drop_nulls("dedicated")
    rows = known.unique(["system", "dedicated"], keep="first", maintain_order=True)
    for row in rows.iter_rows(named=True):
        file = of.files[row["source"]]
        yield Statement(row["system"], row["dedicated"], file, row["position"])


def kernels(of: RawEvidence) -> Iterator[Statement]:
    """Releases of kernels, by file."""
    for file, reading in sorted(of.read.readings.items()):
        if release := reading.circumstances.release:
            yield Statement("", release, file, release)


def utc_offsets(of: RawEvidence) -> Iterator[Statement]:
    """How far the clock of a system was ahead of UTC [h], by file."""
    for file, reading in sorted(of.read.readings.items()):
        if (offset := reading.circumstances.utc_offset) is not None:
            yield Statement("", offset, file)


def tools(of: RawEvidence) -> Iterator[Statement]:
    """The tool of each log, in the order of the runs."""
    for line in of.lines:
        if tool := of.read.readings[line.log].tool_name:
            yield Statement("", tool, line.log, 1)


def each_tool(of: RawEvidence) -> Iterator[Statement]:
    """Tool and line of runs.csv of each log, about a workload on a configuration."""
    for line in of.lines:
        if tool := of.read.readings[line.log].tool_name:
            yield Statement(repeated(line), (tool, line.line), line.log, 1)


def repeated(line: RunLine) -> str:
    """What the repetitions of a run have in common."""
    return f"{line.workload.name} on {line.configuration}"


def starts(of: RawEvidence) -> Iterator[Statement]:
    """When each run began (UTC): as a file of it says, else as ``runs.csv`` does."""
    for line in of.lines:
        for file, reading in readings_of(line, of.read.readings):
            if window := reading.circumstances.window:
                yield Statement("", window[0], file, _START)
                break
        else:
            rows = [row for row in of.read.results[line.run] if row["start_utc"]]
            if rows:
                yield Statement("", rows[0]["start_utc"], line.log, rows[0]["position"])
            elif line.start:
                yield Statement("", utc_text(line.start), RUNS_FILE, line.line)


def results(of: RawEvidence) -> Iterator[Statement]:
    """The rows of each run's log."""
    for line in of.lines:
        for row in of.read.results[line.run]:
            yield Statement(line.run, row, line.log, row.get("position"))


def labels(of: RawEvidence) -> Iterator[Statement]:
    """What drivers call each run."""
    for line in of.lines:
        for file, reading in readings_of(line, of.read.readings):
            if named := reading.circumstances.labels:
                yield Statement(line.run, named, file, '"note"')


def commands(of: RawEvidence) -> Iterator[Statement]:
    """How the client of each run was called."""
    for line in of.lines:
        for file, reading in readings_of(line, of.read.readings):
            if command := reading.circumstances.command:
                yield Statement(line.run, command, file, '"client_cmd"')


def contents(of: RawEvidence) -> Iterator[Statement]:
    """Run and line of each log and capture, about the sha256 of the file. A snapshot
    after one run may be that before the next."""
    for line in of.lines:
        for entry in files_of(line):
            reading = of.read.readings[entry.file]
            tables = [reading.tables.get(name) for name in _CAPTURED]
            captured = any(table is not None and table.height for table in tables)
            if captured or any(row["seconds"] for row in reading.results):
                digest = of.read.checked.files[entry.file]
                yield Statement(digest, (line.run, line.line), entry.file)


def counts(of: RawEvidence) -> Iterator[Statement]:
    """Run and line of each log, about all its figures where these have so many digits
    that no other log has them by chance."""
    for line in of.lines:
        rows = of.read.results[line.run]
        if any((row["transactions"] or 0) >= _MANY for row in rows):
            figures = [[row[name] or 0 for name in _FIGURES] for row in rows]
            # Times that are differences of stamps have no more digits.
            about = repr(
                [[v if isinstance(v, int) else f"{v:.6g}" for v in f] for f in figures]
            )
            yield Statement(about, (line.run, line.line), line.log)


def run_windows(of: RawEvidence) -> Iterator[Statement]:
    """Start and end of each run (UTC), by file."""
    for line in of.lines:
        for file, reading in readings_of(line, of.read.readings):
            if window := reading.circumstances.window:
                yield Statement(line.run, window, file, _START)


def cpu_times(of: RawEvidence) -> Iterator[Statement]:
    """First start, last start and seconds of the intervals of a file that is of one
    run alone."""
    own = of.tables["cpu_interval"].filter(
        pl.col("run").is_not_null(), pl.col("start_utc").is_not_null()
    )
    spans = own.group_by("run", "source", maintain_order=True).agg(
        first=pl.col("start_utc").min(),
        last=pl.col("start_utc").max(),
        seconds=pl.col("seconds").max(),
        position=pl.col("position").first(),
    )
    for run, source, *span, position in spans.iter_rows():
        yield Statement(run, tuple(span), of.files[source], position)


def gateway_counts(of: RawEvidence) -> Iterator[Statement]:
    """Since when a gateway counted, and how many requests, in a file of one run."""
    rows = of.tables["gateway_interval"]
    for row in rows.filter(rows["run"].is_not_null()).iter_rows(named=True):
        value = (row["start_utc"], row["transactions"] or 0)
        yield Statement(row["run"], value, of.files[row["source"]], row["position"])


def releases(of: RawEvidence) -> Iterator[Statement]:
    """Version and release of z/OS in the runs of a configuration."""
    for said in _in_runs(of, "release"):
        if found := _RELEASE.match(said.value):
            numbers = tuple(int(number) for number in found.groups() if number)
            yield said._replace(value=numbers)


def machine_types(of: RawEvidence) -> Iterator[Statement]:
    """The types of the CPCs, such as 9175, in the runs of a configuration."""
    return _in_runs(of, "machine_type")


def _in_runs(
    of: RawEvidence, column: str, where: pl.Expr | bool = True
) -> Iterator[Statement]:
    """Values of intervals that lie within runs, about their configuration."""
    if of.tables["cpu_interval"].is_empty():
        return
    met = of.intervals.filter(pl.col(column).is_not_null(), where)
    for row in met.unique(["configuration", column], maintain_order=True).to_dicts():
        file = of.files[row["source"]]
        yield Statement(row["configuration"], row[column], file, row["position"])


def interfaces(of: RawEvidence) -> Iterator[Statement]:
    """The interfaces that carried the load of a configuration: of each run and system
    the one with most bytes, as a row of ``interface_interval``."""
    rows = of.tables["interface_interval"].filter(pl.col("mtu") > 0)
    if rows.is_empty():
        return
    moved = pl.col("bytes_in").fill_null(0) + pl.col("bytes_out").fill_null(0)
    carried = (
        by_configuration(rows, of.windows)
        .with_columns(moved=moved)
        .filter(pl.col("moved") > 0, ~pl.col("interface").str.contains(_LOOPBACK))
    )
    busiest = carried.sort("moved").group_by("run", "system", maintain_order=True)
    for row in busiest.last().to_dicts():
        file = of.files[row["source"]]
        yield Statement(row["configuration"], row, file, row["position"])


def segment_sizes(of: RawEvidence) -> Iterator[Statement]:
    """The largest TCP segment [bytes] of the connections of a configuration, by log."""
    for line in of.lines:
        if mss := of.read.readings[line.log].circumstances.mss:
            rows = of.read.results[line.run]
            position = rows[0]["position"] if rows else None
            yield Statement(line.configuration, mss, line.log, position)


def by_configuration(rows: pl.DataFrame, windows: pl.DataFrame) -> pl.DataFrame:
    """The rows that lie within runs, with ``run`` and ``configuration``."""
    timed = rows.drop("run", strict=False).with_columns(_time("start_utc", "first"))
    last = pl.col("first") + pl.duration(microseconds=pl.col("seconds") * 1e6)
    timed = timed.with_columns(middle=pl.col("first") + (last - pl.col("first")) / 2)
    met = _within_any(timed, windows).join(windows, on="system")
    return met.filter(pl.col("middle").is_between("begin", "end")).drop("middle")


def _within_any(timed: pl.DataFrame, windows: pl.DataFrame) -> pl.DataFrame:
    """The rows that lie in one of the runs of their system, without which each would
    be held against each run."""
    ends = windows.sort("begin").select(
        "system", "begin", until=pl.col("end").cum_max().over("system")
    )
    rows = timed.with_row_index("_row").drop_nulls("middle")
    found = rows.sort("middle").join_asof(
        ends, left_on="middle", right_on="begin", by="system", check_sortedness=False
    )
    within = found.filter(pl.col("until") >= pl.col("middle")).sort("_row")
    return within.select(timed.columns)


def _time(column: str, name: str) -> pl.Expr:
    return pl.col(column).str.to_datetime(time_zone="UTC", strict=False).alias(name)
