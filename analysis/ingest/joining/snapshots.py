"""CPU time of a run from counters that were read before and after it.

Clock ticks of /proc/stat tell that of a machine, a control group that of one side. The
snapshot with less is the one before.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import polars as pl

from analysis.declared.campaign import RUNS_FILE, Campaign
from analysis.errors import Issue, Place
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.joining.assign import CampaignReading, Frames, readings_of
from analysis.ingest.linux.procstat import BOOT_WOBBLE
from analysis.ingest.reading import LOST
from analysis.ingest.tables.store import join_frames

_TICKS = ("busy_ticks", "idle_ticks", "steal_ticks")
_KEY = ["run", "system"]


def tick_intervals(
    counters: pl.DataFrame, runs: pl.DataFrame, campaign: Campaign
) -> pl.DataFrame:
    """One ``cpu_interval`` row for each run and machine with two snapshots.

    ``seconds`` is the run's window, ``busy_seconds`` the busy ticks divided by HZ,
    without what the hypervisor stole, ``busy_pct`` the share of the accounted ticks
    that were not idle, and ``coverage`` the accounted ticks ÷ (seconds × CPUs × HZ).
    """
    of_runs = counters.filter(pl.col("run").is_not_null())
    each, whole = (
        of_runs.filter(pl.col("cpu") != "all"),
        of_runs.filter(pl.col("cpu") == "all"),
    )
    in_snapshots = each.group_by(*_KEY, "source").len().group_by(_KEY)
    cpus = in_snapshots.agg(online_cpus=pl.col("len").min().cast(pl.Float64))
    ticks = pl.sum_horizontal(*_TICKS)
    moved = _differences(whole, _TICKS, ticks).join(cpus, on=_KEY, how="left")
    hertz = {s.host or id: s.hz for id, s in campaign.systems.items()}
    start, end = (
        pl.col(c).str.to_datetime(time_zone="UTC") for c in ("start_utc", "end_utc")
    )
    rows = (
        moved.join(runs, on="run", how="inner")
        .with_columns(
            hz=pl.col("system").replace_strict(
                hertz, default=100, return_dtype=pl.Int64
            ),
            seconds=(end - start).dt.total_microseconds() / 1e6,
        )
        .with_columns(
            cpu_type=pl.lit("CP"),
            basis=pl.lit("procstat"),
            scope=pl.lit("system"),
            busy_seconds=pl.col("busy_ticks") / pl.col("hz"),
            busy_seconds_resolution=1 / pl.col("hz"),
            busy_pct=(ticks - pl.col("idle_ticks")) * 100 / ticks,
            steal_pct=pl.col("steal_ticks") * 100 / ticks,
            coverage=ticks / (pl.col("seconds") * pl.col("online_cpus") * pl.col("hz")),
        )
    )
    return join_frames("cpu_interval", [rows])


def _differences(
    snapshots: pl.DataFrame, columns: Sequence[str], total: pl.Expr
) -> pl.DataFrame:
    """How far counters moved between two snapshots of a run and system, where they did;
    the place is the later's."""
    return (
        snapshots.sort(*_KEY, total)
        .group_by(_KEY, maintain_order=True)
        .agg(
            *(pl.col(c).last() - pl.col(c).first() for c in columns),
            pl.col("^.*_resolution$").max(),
            pl.col("source", "position").last(),
            snapshots=pl.len(),
        )
        .filter(pl.col("snapshots") == 2, total > 0)
    )


def with_coverage(runs: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """Runs with ``tick_coverage`` from their intervals, where no file tells it."""
    least = intervals.group_by("run").agg(counted=pl.col("coverage").min())
    joined = runs.join(least, on="run", how="left", maintain_order="left")
    coverage = pl.coalesce("tick_coverage", "counted")
    return joined.with_columns(tick_coverage=coverage).drop("counted")


def tick_cpu(intervals: pl.DataFrame, checked: CheckedCampaign) -> pl.DataFrame:
    """``run_cpu`` rows of the roles that had their machine to themselves in a run.

    A machine with two roles of a run cannot say which of them used its time.
    """
    alone = []
    for line in checked.runs:
        systems = checked.campaign.systems
        machines = {r: systems[name].host or name for r, name in line.roles.items()}
        used = list(machines.values())
        alone += [
            (line.run, role, line.roles[role], machine)
            for role, machine in machines.items()
            if used.count(machine) == 1
        ]
    rows = intervals.join(
        _texts(alone, "run", "role", "own", "system"), on=_KEY, how="inner"
    ).with_columns(
        system="own",
        cpu_seconds="busy_seconds",
        cpu_seconds_resolution="busy_seconds_resolution",
        method="basis",
    )
    return join_frames("run_cpu", [rows])


def cgroup_cpu(counters: pl.DataFrame, checked: CheckedCampaign) -> pl.DataFrame:
    """``run_cpu`` rows for each run and system with two snapshots.

    The role is that of the system in the run, which runs.csv names beside the file
    (``SYSTEM=FILE``).
    """
    roles = [
        (line.run, system, role)
        for line in checked.runs
        for role, system in line.roles.items()
    ]
    usage = pl.col("usage_seconds")
    of_runs = counters.drop_nulls(_KEY)
    rows = (
        _differences(of_runs, ["usage_seconds", "system_seconds"], usage)
        .join(_texts(roles, "run", "system", "role"), on=_KEY, how="inner")
        .with_columns(
            cpu_seconds=usage,
            cpu_seconds_resolution="usage_seconds_resolution",
            cpu_type=pl.lit("CP"),
            coverage=pl.lit(1.0),
            method=pl.lit("cgroup"),
            scope=pl.lit("cgroup"),
        )
    )
    return join_frames("run_cpu", [rows])


def energy_used(counters: pl.DataFrame) -> pl.DataFrame:
    """``run_counter`` rows for each run and machine with two snapshots of its energy.

    A counter that is smaller after the run began anew at the end of its range, once;
    one whose range is not known then tells nothing, nor do the other packages.
    """
    moment = pl.col("read_utc").str.to_datetime(time_zone="UTC")
    moved = pl.col("joules").last() - pl.col("joules").first()
    used = (
        counters.drop_nulls([*_KEY, "read_utc"])
        .with_columns(moment=moment)
        .sort(*_KEY, "zone", "moment")
        .group_by(*_KEY, "zone", maintain_order=True)
        .agg(
            moved=moved,
            around=moved + pl.col("range_joules").last(),
            seconds=(
                pl.col("moment").last() - pl.col("moment").first()
            ).dt.total_microseconds()
            / 1e6,
            source=pl.col("source").last(),
            position=pl.col("position").last(),
            snapshots=pl.len(),
        )
        .with_columns(
            joules=pl.when(pl.col("moved") >= 0).then("moved").otherwise("around")
        )
        .group_by(_KEY, maintain_order=True)
        .agg(
            pl.col("joules").sum(),
            pl.col("seconds").min(),
            pl.col("source", "position").first(),
            known=pl.col("joules").is_not_null().all()
            & (pl.col("snapshots") == 2).all(),
        )
        .filter("known", pl.col("joules") >= 0, pl.col("seconds") > 0)
        .with_columns(scope=pl.lit("system"), basis=pl.lit("powercap"))
    )
    return join_frames("run_counter", [used])


def _texts(rows: Sequence[tuple[str, ...]], *columns: str) -> pl.DataFrame:
    return pl.DataFrame(rows, dict.fromkeys(columns, pl.String), orient="row")


def check_snapshots(tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Runs with another number of snapshots than two, although all are readable, and
    runs whose system started anew between them: ticks count since then."""
    ticks = tables["cpu_counter"].filter(pl.col("cpu") == "all")
    groups = tables["cgroup_counter"]
    energy = tables["energy_counter"].unique([*_KEY, "source"])
    return [
        *_check_number(ticks, "/proc/stat", evidence),
        *_check_boots(ticks, evidence),
        *_check_number(groups, "the control group", evidence),
        *_check_number(energy, "energy_uj", evidence),
    ]


def _check_number(
    counters: pl.DataFrame, kind: str, evidence: CampaignReading
) -> list[Issue]:
    """``counters`` has one row a snapshot of this kind."""
    checked, issues = evidence.checked, []
    counts = counters.drop_nulls(_KEY).group_by(_KEY).len()
    lines = {line.run: line for line in checked.runs}
    for run, system, count in counts.filter(pl.col("len") != 2).sort(_KEY).rows():
        read = readings_of(lines[run], evidence.readings)
        if not any(reading.status in LOST for _, reading in read):
            what = f"a run has two snapshots of {kind} of {system!r}, not {count}"
            mend = "name the one before and the one after the run in the column cpu"
            where = Place(str(checked.folder / RUNS_FILE), lines[run].line)
            issues.append(Issue(what, where, mend))
    return issues


def _check_boots(ticks: pl.DataFrame, evidence: CampaignReading) -> list[Issue]:
    checked = evidence.checked
    boots = {
        checked.files[file]: dt.datetime.fromisoformat(boot).timestamp()
        for file, reading in evidence.readings.items()
        if (boot := reading.circumstances.boot_utc)
    }
    source = pl.col("source")
    known = ticks.filter(pl.col("run").is_not_null()).with_columns(
        boot=source.replace_strict(boots, default=None, return_dtype=pl.Float64)
    )
    apart = pl.col("boot").max() - pl.col("boot").min()
    again = known.group_by(_KEY).agg(apart=apart).filter(pl.col("apart") > BOOT_WOBBLE)
    lines = {line.run: line.line for line in checked.runs}
    return [
        Issue(
            f"{system!r} was started anew between the snapshots of /proc/stat",
            Place(str(checked.folder / RUNS_FILE), lines[run]),
            "measure the run again, or leave both snapshots out of the column cpu",
        )
        for run, system, _ in again.sort(_KEY).rows()
    ]
