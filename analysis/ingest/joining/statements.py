"""What the files of a campaign say of things that are declared.

Each function gives the statements of one sort. ``campaign init`` proposes what they
say, and the comparisons hold what is declared against them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import polars as pl

from analysis.declared.campaign import RUNS_FILE, Campaign
from analysis.errors import Place
from analysis.ingest.campaign.calls import load_of_call, profiles_of
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.clock import utc_text
from analysis.ingest.joining.assign import (
    CampaignReading,
    Frames,
    files_of,
    readings_of,
)
from analysis.ingest.joining.runs import run_table
from analysis.ingest.logs.checks import FIGURES
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import IN_BYTES

_RELEASE = re.compile(r"ZV(\d\d)(\d\d)\d\d|V(\d+)R(\d+)")  # of SMF, of RMF
_LOOPBACK = "LOOPBACK"
_MANY = 100_000  # transactions, which are counted one by one
_CAPTURED = ("cpu_interval", "run_cpu")
_FIGURES = ("transactions", "seconds", *FIGURES)
_START = '"t_start"'  # where meta.json tells the window of a run
_BY_PROFILE = "uperf"  # the tool whose profile tells sizes and clients
_LASTING = 5.0  # seconds: a connection that is shorter tells nothing of a clock
_ALIKE = 2.0  # seconds that a tool takes to connect, to begin and to end
_CARRIED = 0.01  # of the bytes of a client, as runs of one workload differ by more
_FEWEST = 3  # connections that tell of a clock together
_NEARLY_ALL = 0.9  # others connect beside a benchmark
_TRANSACTIONS = ("RR", "CRR")  # of a stream, tools are told the size of a write


class Statement(NamedTuple):
    """What a file says ``about`` a machine, a configuration or a run by its name, or
    about the campaign, which has none here. ``position`` is a line, a byte offset, or a
    text of the line."""

    about: str
    value: Any
    file: str
    position: int | str | None = None


Statements = Iterator[Statement]


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

    def circumstance(self, name: str) -> Iterator[tuple[RunLine, str, Any]]:
        """What the CPU files of each run tell of a circumstance; nothing where they do
        not."""
        for line in self.lines:
            for file, reading in readings_of(line, self.read.readings):
                if value := getattr(reading.circumstances, name):
                    yield line, file, value

    def statement(self, about: str, value: Any, row: dict[str, Any]) -> Statement:
        """What a row of a table says."""
        return Statement(about, value, self.files[row["source"]], row["position"])

    def place(self, said: Statement) -> Place:
        """Where it is said: the line, or the byte offset of the record."""
        path, at = self.read.checked.folder / said.file, said.position
        if isinstance(at, str):
            with RawFile(path) as raw:
                before, at_it, _ = raw.read_bytes().partition(at.encode())
            at = before.count(b"\n") + 1 if at_it else None
        reading = self.read.readings.get(said.file)
        if reading and reading.format in IN_BYTES:
            return Place(str(path), offset=at)
        return Place(str(path), at)

    @cached_property
    def windows(self) -> pl.DataFrame:
        """One row a run and machine, with ``configuration``, ``begin`` and ``end``."""
        roles = [
            {"run": line.run, "system": self.campaign.systems[system].host or system}
            for line in self.lines
            for system in line.roles.values()
        ]
        times = [_time("start_utc", "begin"), _time("end_utc", "end")]
        named = pl.DataFrame(roles, {"run": pl.String, "system": pl.String})
        known = run_table(self.read).select("run", "configuration", *times)
        return named.join(known, on="run").drop_nulls()

    def in_runs(self, table: str) -> pl.DataFrame:
        """The rows of a table of systems that lie within runs, with the ``run`` and its
        ``configuration``."""
        rows = self.tables[table]
        return rows if rows.is_empty() else _within(rows, self.windows)

    @cached_property
    def intervals(self) -> pl.DataFrame:
        """The rows of ``cpu_interval`` that lie within runs."""
        return self.in_runs("cpu_interval")


# Machines and the campaign


def cpu_counts(evidence: RawEvidence) -> Statements:
    """:class:`CpuCount` of each machine, by file: in intervals and in snapshots of its
    clock ticks."""
    columns = ("system", "online_cpus", "scope", "source", "position")
    intervals = evidence.tables["cpu_interval"].filter(
        pl.col("cpu_type") == "CP", pl.col("online_cpus") > 0
    )
    snapshots = (
        evidence.tables["cpu_counter"]
        .filter(pl.col("cpu") != "all")
        .group_by("system", "source", maintain_order=True)
        .agg(online_cpus=pl.len().cast(pl.Float64), position=pl.col("position").min())
        .with_columns(scope=pl.lit("system"))
    )
    both = pl.concat([intervals.select(columns), snapshots.select(columns)])
    counts = both.drop_nulls("system").group_by("system", "source", maintain_order=True)
    for row in counts.agg(
        least=pl.col("online_cpus").min(),
        most=pl.col("online_cpus").max(),
        of_lpar=pl.col("scope").is_null().any(),
        position=pl.col("position").first(),
    ).to_dicts():
        count = CpuCount(row["least"], row["most"], row["of_lpar"])
        yield evidence.statement(row["system"], count, row)


def cpus_used(evidence: RawEvidence) -> Statements:
    """On how many CPUs the processes of a system ran in a run."""
    for line, file, cpus in evidence.circumstance("role_cpus"):
        for role in filter(line.roles.__contains__, cpus):
            at = f"cpuacct_{role}_percpu_s"
            yield Statement(line.roles[role], cpus[role], file, at)


def implied_cpus(evidence: RawEvidence) -> Statements:
    """The CPUs that a system has by a log: netperf's service demand implies them, as
    its log proves its rate with it, and tells no other number."""
    for line in evidence.lines:
        cpus = evidence.read.readings[line.log].circumstances.role_cpus or {}
        for role in filter(line.roles.__contains__, cpus):
            yield Statement(line.roles[role], cpus[role], line.log)


def dedication(evidence: RawEvidence) -> Statements:
    """Whether the CPs of a machine are dedicated."""
    known = evidence.tables["cpu_interval"].drop_nulls("dedicated")
    rows = known.unique(["system", "dedicated"], keep="first", maintain_order=True)
    for row in rows.to_dicts():
        yield evidence.statement(row["system"], row["dedicated"], row)


class ClockError(NamedTuple):
    """By how many seconds a clock is ahead of that of the logs, by how many of the TCP
    connections that may be of runs."""

    seconds: float
    connections: int
    of: int


def clocks(evidence: RawEvidence) -> Statements:
    """How far the clock of a machine is ahead of that of the logs: the distance at
    which most of its TCP connections lie that last as long as a run and carried the
    bytes of one of its clients."""
    length = (pl.col("end") - pl.col("begin")).dt.total_microseconds() / 1e6
    middle = pl.col("begin").dt.timestamp() / 1e6 + length / 2
    spans = {"length": length, "middle": middle}
    ended = evidence.tables["tcp_connection"].with_row_index("at")
    timed = ended.with_columns(_time("start_utc", "begin"), _time("end_utc", "end"))
    told = evidence.tables["benchmark"].select(
        "run", moved=pl.col("bytes_per_second") * pl.col("seconds") / pl.col("clients")
    )
    runs = evidence.windows.with_columns(**spans).join(told, on="run")
    carried = (pl.col("bytes_in") + pl.col("bytes_out")) / pl.col("moved") - 1
    apart = pl.col("middle") - pl.col("middle_of_run")
    pairs = (
        timed.with_columns(**spans)
        .filter(pl.col("length") >= _LASTING)
        .join(runs, on="system", suffix="_of_run")
        .filter((pl.col("length") - pl.col("length_of_run")).abs() <= _ALIKE)
        .filter(carried.abs() <= _CARRIED)
        .with_columns(apart=apart, near=apart.round())
    )
    # Each counts at its whole second and at both beside, as a tool takes some time.
    beside = [pl.col("near") + step for step in (-1, 0, 1)]
    for (system,), alike in pairs.group_by("system", maintain_order=True):
        near = alike.with_columns(near=pl.concat_list(beside)).explode("near")
        counts = near.group_by("near").agg(pl.col("at").n_unique(), pl.median("apart"))
        best = counts.sort(-pl.col("at").cast(int), pl.col("near").abs()).row(
            0, named=True
        )
        of = alike["at"].n_unique()
        if best["at"] >= _FEWEST and 2 * best["at"] > of:
            error = ClockError(best["apart"], best["at"], of)
            yield evidence.statement(str(system), error, alike.row(0, named=True))


def connection_roles(evidence: RawEvidence) -> Statements:
    """The role that nearly all TCP connections of a machine's runs have."""
    span = _time("end_utc", "end") - _time("start_utc", "begin")
    rows = evidence.tables["tcp_connection"].drop_nulls("role")
    rows = rows.with_columns(seconds=span.dt.total_microseconds() / 1e6)
    of_runs = rows if rows.is_empty() else _within(rows, evidence.windows)
    for (system,), alike in of_runs.group_by("system", maintain_order=True):
        ((role, count),) = Counter(alike["role"].to_list()).most_common(1)
        if count >= _NEARLY_ALL * alike.height:
            yield evidence.statement(str(system), role, alike.row(0, named=True))


def kernels(evidence: RawEvidence) -> Statements:
    """Releases of kernels, by file."""
    for file, reading in sorted(evidence.read.readings.items()):
        if release := reading.circumstances.release:
            yield Statement("", release, file, release)


def utc_offsets(evidence: RawEvidence) -> Statements:
    """How far the clock of a system was ahead of UTC [h], by file."""
    for file, reading in sorted(evidence.read.readings.items()):
        if (offset := reading.circumstances.utc_offset) is not None:
            yield Statement("", offset, file)


def tools(evidence: RawEvidence) -> Statements:
    """The tool of each log, in the order of the runs."""
    for said in each_tool(evidence):
        yield said._replace(about="", value=said.value[0])


def starts(evidence: RawEvidence) -> Statements:
    """When each run began (UTC): as a file of it says, else as ``runs.csv`` does."""
    windows: dict[str, Statement] = {}
    for line, file, window in evidence.circumstance("window"):
        windows.setdefault(line.run, Statement("", window[0], file, _START))
    for line in evidence.lines:
        rows = [row for row in evidence.read.results[line.run] if row["start_utc"]]
        if line.run in windows:
            yield windows[line.run]
        elif rows:
            yield Statement("", rows[0]["start_utc"], line.log, rows[0]["position"])
        elif line.start:
            yield Statement("", utc_text(line.start), RUNS_FILE, line.line)


# Configurations


def cpus_in_runs(evidence: RawEvidence) -> Statements:
    """How many CPUs were online in the runs of a configuration, and in those of all."""
    cps = (pl.col("cpu_type") == "CP") & (pl.col("online_cpus") > 0)
    for said in _in_runs(evidence, "online_cpus", cps):
        yield said
        yield said._replace(about="")


def releases(evidence: RawEvidence) -> Statements:
    """Version and release of z/OS in the runs of a configuration."""
    for said in _in_runs(evidence, "release"):
        if match := _RELEASE.match(said.value):
            numbers = tuple(int(number) for number in match.groups() if number)
            yield said._replace(value=numbers)


def machine_types(evidence: RawEvidence) -> Statements:
    """The types of the CPCs, such as 9175, in the runs of a configuration."""
    return _in_runs(evidence, "machine_type")


def _in_runs(
    evidence: RawEvidence, column: str, where: pl.Expr | bool = True
) -> Statements:
    """Values of intervals that lie within runs, about their configuration."""
    if evidence.intervals.is_empty():
        return
    met = evidence.intervals.filter(pl.col(column).is_not_null(), where)
    for row in met.unique(["configuration", column], maintain_order=True).to_dicts():
        yield evidence.statement(row["configuration"], row[column], row)


def interfaces(evidence: RawEvidence) -> Statements:
    """The interfaces that carried the load of a configuration: of each run and system
    the one with most bytes, as a row of ``interface_interval``."""
    rows = evidence.in_runs("interface_interval")
    if rows.is_empty():
        return
    moved = pl.col("bytes_in").fill_null(0) + pl.col("bytes_out").fill_null(0)
    carried = rows.with_columns(moved=moved).filter(
        pl.col("mtu") > 0,
        pl.col("moved") > 0,
        ~pl.col("interface").str.contains(_LOOPBACK),
    )
    busiest = carried.sort("moved").group_by("run", "system", maintain_order=True)
    for row in busiest.last().to_dicts():
        yield evidence.statement(row["configuration"], row, row)


def segment_sizes(evidence: RawEvidence) -> Statements:
    """The largest TCP segment [bytes] of the connections of a configuration, by log."""
    for line in evidence.lines:
        if mss := evidence.read.readings[line.log].circumstances.mss:
            rows = evidence.read.results[line.run]
            position = rows[0]["position"] if rows else None
            yield Statement(line.configuration, mss, line.log, position)


# Runs


def results(evidence: RawEvidence) -> Statements:
    """The rows of each run's log."""
    for line in evidence.lines:
        for row in evidence.read.results[line.run]:
            yield Statement(line.run, row, line.log, row.get("position"))


def each_tool(evidence: RawEvidence) -> Statements:
    """Tool and line of runs.csv of each log, about a workload on a configuration."""
    for line in evidence.lines:
        if tool := evidence.read.readings[line.log].tool_name:
            yield Statement(repeated(line), (tool, line.line), line.log, 1)


def repeated(line: RunLine) -> str:
    """What the repetitions of a run have in common."""
    return f"{line.workload.name} on {line.configuration}"


def labels(evidence: RawEvidence) -> Statements:
    """What drivers call each run."""
    for line, file, named in evidence.circumstance("labels"):
        yield Statement(line.run, named, file, '"note"')


def boots(evidence: RawEvidence) -> Statements:
    """System, start of the system [s] and run of each snapshot, about the session."""
    for line in evidence.lines:
        for entry in line.cpu if line.session else ():
            if boot := evidence.read.readings[entry.file].circumstances.boot_utc:
                started = dt.datetime.fromisoformat(boot).timestamp()
                value = (entry.system or "the system", started, line.run)
                yield Statement(line.session, value, entry.file, "btime")


def commands(evidence: RawEvidence) -> Statements:
    """How the client of each run was called."""
    for line, file, command in evidence.circumstance("command"):
        yield Statement(line.run, command, file, '"client_cmd"')


def run_windows(evidence: RawEvidence) -> Statements:
    """Start and end of each run (UTC), by file."""
    for line, file, window in evidence.circumstance("window"):
        yield Statement(line.run, window, file, _START)


def calls(evidence: RawEvidence) -> Statements:
    """The sizes and clients for which the client of each run was called: by the profile
    of uperf that the command names, else by its options."""
    checked = evidence.read.checked
    profiles = cache(lambda file: profiles_of(checked.folder, [file]))
    for line, file, command in evidence.circumstance("command"):
        log = evidence.read.readings[line.log]
        files = [word for word in command.split() if word in checked.files]
        known = [profile for each in files for profile in profiles(each)]
        load = load_of_call(log, command, known)
        if log.tool_name == _BY_PROFILE:
            yield Statement(line.run, load, file)
        elif load.get("shape") in _TRANSACTIONS:
            sizes = {name: n for name, n in load.items() if name.endswith("_bytes")}
            yield Statement(line.run, sizes, file)


def contents(evidence: RawEvidence) -> Statements:
    """Run and line of each log and capture, about the sha256 of the file. A snapshot
    after one run may be that before the next."""
    for line in evidence.lines:
        for entry in files_of(line):
            reading = evidence.read.readings[entry.file]
            tables = [reading.tables.get(name) for name in _CAPTURED]
            captured = any(table is not None and table.height for table in tables)
            if captured or any(row["seconds"] for row in reading.results):
                digest = evidence.read.checked.files[entry.file]
                yield Statement(digest, (line.run, line.line), entry.file)


def counts(evidence: RawEvidence) -> Statements:
    """Run and line of each log, about all its figures where these have so many digits
    that no other log has them by chance."""
    for line in evidence.lines:
        rows = evidence.read.results[line.run]
        if any((row["transactions"] or 0) >= _MANY for row in rows):
            figures = [[row[name] or 0 for name in _FIGURES] for row in rows]
            # Times that are differences of stamps have no more digits.
            about = repr(
                [[v if isinstance(v, int) else f"{v:.6g}" for v in f] for f in figures]
            )
            yield Statement(about, (line.run, line.line), line.log)


def cpu_times(evidence: RawEvidence) -> Statements:
    """First start, last start and seconds of the intervals of a file that is of one
    run alone."""
    timed = evidence.tables["cpu_interval"].drop_nulls(["run", "start_utc"])
    spans = timed.group_by("run", "source", maintain_order=True).agg(
        first=pl.col("start_utc").min(),
        last=pl.col("start_utc").max(),
        seconds=pl.col("seconds").max(),
        position=pl.col("position").first(),
    )
    for row in spans.to_dicts():
        span = (row["first"], row["last"], row["seconds"])
        yield evidence.statement(row["run"], span, row)


def gateway_counts(evidence: RawEvidence) -> Statements:
    """Since when a gateway counted, and how many requests, in a file of one run."""
    for row in evidence.tables["gateway_interval"].drop_nulls("run").to_dicts():
        yield evidence.statement(
            row["run"], (row["start_utc"], row["transactions"] or 0), row
        )


def _within(rows: pl.DataFrame, windows: pl.DataFrame) -> pl.DataFrame:
    """The rows whose middle lies within runs of their system."""
    half = pl.duration(microseconds=pl.col("seconds") * 1e6) / 2
    timed = (
        rows.drop("run", strict=False)
        .with_row_index("_row")
        .with_columns(_time("start_utc", "middle") + half)
        .drop_nulls("middle")
    )
    # Those in no run go first: else each row would be held against each run.
    ends = windows.sort("begin").select(
        "system", "begin", until=pl.col("end").cum_max().over("system")
    )
    near = (
        timed.sort("middle")
        .join_asof(
            ends,
            left_on="middle",
            right_on="begin",
            by="system",
            check_sortedness=False,
        )
        .filter(pl.col("until") >= pl.col("middle"))
        .select(timed.columns)
        .sort("_row")
        .join(windows, on="system")
    )
    return near.filter(pl.col("middle").is_between("begin", "end"))


def _time(column: str, name: str) -> pl.Expr:
    return pl.col(column).str.to_datetime(time_zone="UTC", strict=False).alias(name)
