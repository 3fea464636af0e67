"""CPU time of a run from the /proc/stat snapshots before and after it."""

from __future__ import annotations

import datetime as dt

import polars as pl

from analysis.declared.campaign import RUNS_FILE, Campaign
from analysis.errors import Issue, Place
from analysis.ingest.campaign.check import CheckedCampaign
from analysis.ingest.campaign.runs import RunLine
from analysis.ingest.joining.assign import CampaignReading, Frames, readings_of
from analysis.ingest.joining.run_table import LOST
from analysis.ingest.tables.store import join_frames

_WOBBLE = 2.0  # seconds by which btime may differ without a new start
_TICKS = ("busy_ticks", "idle_ticks", "steal_ticks")


def tick_intervals(
    counters: pl.DataFrame, runs: pl.DataFrame, campaign: Campaign
) -> pl.DataFrame:
    """One ``cpu_interval`` row for each run and machine with two snapshots.

    The snapshot with fewer ticks is the one before. ``seconds`` is the run's window,
    ``busy_seconds`` the busy ticks divided by HZ, without what the hypervisor stole,
    ``busy_pct`` the share of the accounted ticks that were not idle, and ``coverage``
    the accounted ticks ÷ (seconds × CPUs × HZ).
    """
    pairs = _differences(counters).join(runs, on="run", how="inner")
    hertz = {s.host or id: s.hz for id, s in campaign.systems.items()}
    ticks = pl.sum_horizontal(*_TICKS)
    times = [
        pl.col(c).str.to_datetime(time_zone="UTC") for c in ("start_utc", "end_utc")
    ]
    rows = pairs.with_columns(
        hz=pl.col("system").replace_strict(hertz, default=100, return_dtype=pl.Int64),
        seconds=(times[1] - times[0]).dt.total_microseconds() / 1e6,
    ).with_columns(
        cpu_type=pl.lit("CP"),
        basis=pl.lit("procstat"),
        scope=pl.lit("system"),
        busy_seconds=pl.col("busy_ticks") / pl.col("hz"),
        busy_seconds_resolution=1 / pl.col("hz"),
        busy_pct=(ticks - pl.col("idle_ticks")) * 100 / ticks,
        steal_pct=pl.col("steal_ticks") * 100 / ticks,
        coverage=ticks / (pl.col("seconds") * pl.col("online_cpus") * pl.col("hz")),
    )
    return join_frames("cpu_interval", [rows])


def _differences(counters: pl.DataFrame) -> pl.DataFrame:
    """Ticks between a run's two snapshots of a system; its place is the later's."""
    key = ["run", "system"]
    each = counters.filter(pl.col("run").is_not_null(), pl.col("cpu") != "all")
    cpus = (
        each.group_by(*key, "source")
        .len()
        .group_by(key)
        .agg(online_cpus=pl.col("len").min().cast(pl.Float64))
    )
    whole = counters.filter(pl.col("run").is_not_null(), pl.col("cpu") == "all")
    pairs = (
        whole.sort(*key, pl.sum_horizontal(*_TICKS))
        .group_by(key, maintain_order=True)
        .agg(
            *(pl.col(c).last() - pl.col(c).first() for c in _TICKS),
            pl.col("source", "position").last(),
            snapshots=pl.len(),
        )
    )
    moved = pairs.filter(pl.col("snapshots") == 2, pl.sum_horizontal(*_TICKS) > 0)
    return moved.join(cpus, on=key, how="left")


def with_coverage(runs: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """Runs with ``tick_coverage`` from their intervals, where no file tells it."""
    least = intervals.group_by("run").agg(counted=pl.col("coverage").min())
    joined = runs.join(least, on="run", how="left", maintain_order="left")
    return joined.with_columns(
        tick_coverage=pl.coalesce("tick_coverage", "counted")
    ).drop("counted")


def tick_cpu(intervals: pl.DataFrame, checked: CheckedCampaign) -> pl.DataFrame:
    """``run_cpu`` rows of the roles that had their machine to themselves in a run.

    A machine with two roles of a run cannot say which of them used its time.
    """
    schema = dict.fromkeys(("run", "role", "own", "system"), pl.String)
    alone = [
        (line.run, role, system, machine)
        for line in checked.runs
        for role, system, machine in _alone(line, checked.campaign)
    ]
    roles = pl.DataFrame(alone, schema, orient="row")
    rows = intervals.join(roles, on=["run", "system"], how="inner").select(
        "run",
        "role",
        "cpu_type",
        "coverage",
        "source",
        "position",
        "scope",
        system="own",
        cpu_seconds="busy_seconds",
        cpu_seconds_resolution="busy_seconds_resolution",
        method="basis",
    )
    return join_frames("run_cpu", [rows])


def _alone(line: RunLine, campaign: Campaign) -> list[tuple[str, str, str]]:
    machines = {
        role: campaign.systems[system].host or system
        for role, system in line.roles.items()
    }
    used = list(machines.values())
    return [
        (role, line.roles[role], machine)
        for role, machine in machines.items()
        if used.count(machine) == 1
    ]


def check_ticks(tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Runs with another number of snapshots of the clock ticks than two."""
    return check_snapshots(_whole(tables), "/proc/stat", evidence)


def check_groups(tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Runs with another number of snapshots of a control group than two."""
    return check_snapshots(tables["cgroup_counter"], "the control group", evidence)


def _whole(tables: Frames) -> pl.DataFrame:
    """The counters of all CPUs together: one row a snapshot."""
    return tables["cpu_counter"].filter(pl.col("cpu") == "all")


def check_snapshots(
    counters: pl.DataFrame, of: str, evidence: CampaignReading
) -> list[Issue]:
    """Runs with another number of snapshots than two, although all are readable.

    ``counters`` has one row a snapshot, ``of`` names what they are of.
    """
    checked, readings = evidence.checked, evidence.readings
    where = str(checked.folder / RUNS_FILE)
    found = (
        counters.filter(pl.col("run").is_not_null(), pl.col("system").is_not_null())
        .group_by("run", "system")
        .len()
        .filter(pl.col("len") != 2)
        .sort("run", "system")
    )
    lines = {line.run: line for line in checked.runs}
    issues = []
    for run, system, count in found.rows():
        line = lines[run]
        if any(r.status in LOST for _, r in readings_of(line, readings)):
            continue
        what = f"a run has two snapshots of {of} of {system!r}, not {count}"
        mend = "name the one before and the one after the run in the column cpu"
        issues.append(Issue(what, Place(where, line.line), mend))
    return issues


def check_boots(tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Runs whose system started anew between its snapshots: ticks count since then."""
    checked, readings = evidence.checked, evidence.readings
    boots = {
        checked.files[file]: _seconds(boot)
        for file, reading in readings.items()
        if (boot := reading.circumstances.boot_utc)
    }
    known = (
        _whole(tables)
        .filter(pl.col("run").is_not_null())
        .select(
            "run",
            "system",
            boot=pl.col("source").replace_strict(
                boots, default=None, return_dtype=pl.Float64
            ),
        )
    )
    apart = pl.col("boot").max() - pl.col("boot").min()
    found = known.group_by("run", "system").agg(apart=apart).sort("run", "system")
    lines = {line.run: line.line for line in checked.runs}
    mend = "measure the run again, or leave both snapshots out of the column cpu"
    return [
        Issue(
            f"{system!r} was started anew between the snapshots of /proc/stat",
            Place(str(checked.folder / RUNS_FILE), lines[run]),
            mend,
        )
        for run, system, seconds in found.rows()
        if seconds is not None and seconds > _WOBBLE
    ]


def _seconds(time: str) -> float:
    return dt.datetime.fromisoformat(time).timestamp()
