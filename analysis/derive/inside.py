"""What happens inside runs, by the intervals that their logs tell.

A campaign declares its ``warm_up`` and ``cut_off`` in seconds. They are left out of the
rate and the throughput of its runs, which then are those of the intervals between. All
else that a log tells is of the whole run. A warm-up that is not declared is proposed
where more than half of the runs of a configuration's workload show one
(:func:`warm_up_within`), and a run is warned of whose level changes
(:func:`level_within`); neither changes a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, Campaign, campaign_folder
from analysis.declared.metrics import Metric
from analysis.derive.gates import BENCHMARK, BY_INTERVAL, WHOLE, Flag, by_interval
from analysis.errors import Issue, Place
from analysis.facts.series import RunSeries
from analysis.statistics.levels import level_within, warm_up_within
from analysis.statistics.statistic import Values

FIGURES = ("rate", "bytes_per_second")
_NEAR = 0.05  # of an interval: how far it may reach into what is left out
_MOST = 40  # intervals of a run by which its levels are judged
_MOST_DRAWN = 300  # of a run in a series
_DIGITS = 6  # of a value in a series
# Where intervals of a log overlap it is of several tests at once, which nothing tells
# apart.
_INTERVALS = """
WITH logs AS (
    SELECT campaign, run, count(DISTINCT source) AS logs FROM benchmark GROUP BY ALL
)
SELECT concat_ws('/', campaign, run) AS id, source, logs, start_s, seconds, rate,
    bytes_per_second, omitted IS NOT DISTINCT FROM 1 AS omitted
FROM interval JOIN logs USING (campaign, run)
WHERE seconds > 0 AND start_s IS NOT NULL
WINDOW log AS (PARTITION BY campaign, run, source)
QUALIFY sum(seconds) OVER log <= 1.05 * (max(start_s + seconds) OVER log
    - min(start_s) OVER log)
ORDER BY id, source, start_s
"""


class LevelShift(NamedTuple):
    """Where the level of a run changes [s], and to how many times of what it was."""

    at: float
    ratio: float


@dataclass(frozen=True)
class Inside:
    """The intervals of runs, ``kept`` where they are in the run's value; the seconds
    after which a warm-up is proposed to end, and the change of level, by run; which
    runs are no longer than what is declared to be left out, with their seconds."""

    intervals: pl.DataFrame
    warm_ups: Mapping[str, float]
    changes: Mapping[str, LevelShift]
    too_short: tuple[tuple[str, float], ...]


def look_inside(
    con: duckdb.DuckDBPyConnection,
    runs: pl.DataFrame,
    campaigns: Mapping[str, Campaign],
) -> tuple[Inside, list[Flag]]:
    """What happens inside the given runs, and what is to be said of it."""
    cell = ("campaign", "configuration", "workload")
    told = con.sql(_INTERVALS).pl().join(runs.select("id", *cell), on="id")
    told = told.with_columns(_declared(campaigns, "warm_up", "cut_off"))
    end = (pl.col("start_s") + pl.col("seconds")).alias("end")
    near = _NEAR * pl.col("seconds")
    told = told.with_columns(end, length=end.max().over("id", "source")).with_columns(
        kept=~pl.col("omitted")
        & (pl.col("start_s") >= pl.col("warm_up") - near)
        & (pl.col("end") <= pl.col("length") - pl.col("cut_off") + near)
    )
    warm_ups, changes = _levels(told, cell)
    short = told.filter(pl.col("length") <= pl.col("warm_up") + pl.col("cut_off"))
    too_short = short.group_by("id").agg(pl.col("length").max()).sort("id").rows()
    flags = [Flag(id, "warm_up", BENCHMARK, value=at) for id, at in warm_ups.items()]
    flags += [
        Flag(id, "level_within", BENCHMARK, value=change.ratio)
        for id, change in changes.items()
    ]
    return Inside(told, warm_ups, changes, tuple(too_short)), flags


def _declared(campaigns: Mapping[str, Campaign], *names: str) -> list[pl.Expr]:
    """What campaigns declare under some names, as columns."""
    return [
        pl.col("campaign")
        .replace_strict(
            {id: float(getattr(each, name)) for id, each in campaigns.items()},
            default=0.0,
            return_dtype=pl.Float64,
        )
        .alias(name)
        for name in names
    ]


def _levels(
    told: pl.DataFrame, cell: Iterable[str]
) -> tuple[dict[str, float], dict[str, LevelShift]]:
    """The proposed warm-ups and the changes of level behind them, by run; of several
    logs of a run the first that has one."""
    value = pl.coalesce(FIGURES).alias("value")
    logs = (
        told.filter("kept")
        .with_columns(value)
        .drop_nulls("value")
        .group_by(*cell, "id", "source", maintain_order=True)
        .agg("start_s", "value")
    )
    warm_ups, changes = dict[str, float](), dict[str, LevelShift]()
    for _, group in logs.group_by(*cell, maintain_order=True):
        series = [
            (id, *_together(starts, np.array(values)))
            for id, starts, values in group.select("id", "start_s", "value").rows()
        ]
        lengths = [warm_up_within(values) for _, _, values in series]
        proposed = 2 * sum(map(bool, lengths)) > len(lengths)
        for (id, starts, values), length in zip(series, lengths, strict=True):
            first = length if proposed else 0
            if first:
                warm_ups.setdefault(id, starts[first])
            if change := level_within(values[first:]):
                at, ratio = change
                changes.setdefault(id, LevelShift(starts[first + at], ratio))
    return warm_ups, changes


def _together(starts: list[float], values: Values) -> tuple[list[float], Values]:
    """The intervals of a run; of very many, the means of neighbours, as exact tests of
    these would take seconds."""
    size = -(-len(values) // _MOST)
    firsts = range(0, len(values), size)
    return starts[::size], np.array([values[at : at + size].mean() for at in firsts])


def leave_out(
    runs: pl.DataFrame, inside: Inside, campaigns: Mapping[str, Campaign]
) -> tuple[pl.DataFrame, list[Flag]]:
    """The runs with the rate and throughput of the intervals that are kept, where their
    campaign declares a warm-up or a cut-off; and what is to be said of each.

    What the intervals of a run tell is its figure only if all its logs have some. As
    the bytes of a transaction are the same in all of a run, either figure moves by the
    ratio of the other where its intervals do not tell it.
    """
    asked = runs.with_columns(_declared(campaigns, "warm_up", "cut_off")).filter(
        pl.col("warm_up") + pl.col("cut_off") > 0
    )
    if asked.is_empty():
        return runs, []
    mean = [
        pl.when(pl.col(name).is_not_null().all()).then(
            (pl.col(name) * pl.col("seconds")).sum() / pl.col("seconds").sum()
        ).alias(name)
        for name in FIGURES
    ]  # fmt: skip
    of_run = [
        pl.when(pl.col(name).is_not_null().all()).then(pl.col(name).sum()).alias(name)
        for name in FIGURES
    ]
    known = (
        inside.intervals.filter("kept")
        .group_by("id", "source", "logs")
        .agg(mean)
        .group_by("id", "logs")
        .agg(*of_run, known=pl.len())
        .filter(pl.col("known") == pl.col("logs"))
        .select("id", **{f"{name}_kept": name for name in FIGURES})
        .filter(pl.any_horizontal(pl.col("^.*_kept$").is_not_null()))
        .join(asked.select("id"), on="id", how="semi")
    )
    joined = runs.join(known, on="id", how="left", maintain_order="left")
    ratios = [pl.col(f"{name}_kept") / pl.col(name) for name in FIGURES]
    figures = [
        pl.coalesce(pl.col(f"{name}_kept"), pl.col(name) * other, name).alias(name)
        for name, other in zip(FIGURES, reversed(ratios), strict=True)
    ]
    cut = set(known["id"])
    flags = []
    for id, *seconds in asked.select("id", "warm_up", "cut_off").rows():
        values = dict(zip(("warm_up", "cut_off"), seconds, strict=True))
        kind = "ends_left_out" if id in cut else "ends_in"
        flags.append(Flag(id, kind, BY_INTERVAL, values))
        flags.append(Flag(id, "ends_in", WHOLE, values))
    return joined.with_columns(figures).select(runs.columns), flags


def shorter_than_left_out(
    inside: Inside, campaigns: Mapping[str, Campaign], raw: Path
) -> list[Issue]:
    """Runs of which a declared warm-up and cut-off leave nothing."""
    issues = []
    for id, seconds in inside.too_short:
        name = id.partition("/")[0]
        path, declared = campaign_folder(raw, name) / CAMPAIGN_FILE, campaigns[name]
        entry = "warm_up" if declared.warm_up else "cut_off"
        place = Place(str(path), line_of(load_yaml(path)[1], (entry,)))
        left_out = declared.warm_up + declared.cut_off
        what = f"run {id} has {seconds:.4g} s, of which {left_out:g} s are left out"
        mend = "make warm_up and cut_off shorter, or measure for longer"
        issues.append(Issue(what, place, mend))
    return issues


def series_of(
    inside: Inside,
    runs: pl.DataFrame,
    metrics: Mapping[str, Metric],
    of: tuple[str, str],
    prefix: bool,
) -> list[RunSeries]:
    """A series of each of some runs and metrics whose one log has intervals, for a
    study ``of`` an edition.

    ``prefix`` tells whether runs are named with their campaign, as in facts.
    """
    named = runs.select("id", "run", "origin")
    alone = inside.intervals.filter(pl.col("logs") == 1).join(named, on="id")
    made = []
    for metric, declared in metrics.items():
        if not by_interval(declared):
            continue
        value = pl.sql_expr(declared.expression).round_sig_figs(_DIGITS).alias("value")
        known = alone.with_columns(value).filter(pl.col("value").is_not_null())
        for (id,), rows in known.group_by("id", maintain_order=True):
            first, drawn = rows.row(0, named=True), _drawn(rows)
            change = inside.changes.get(str(id))
            made.append(
                RunSeries(
                    edition=of[0],
                    study=of[1],
                    workload=first["workload"],
                    metric=metric,
                    configuration=first["configuration"],
                    run=str(id) if prefix else first["run"],
                    origin=first["origin"],
                    unit=declared.unit,
                    starts=tuple(drawn["start_s"].round(6)),
                    seconds=tuple(drawn["seconds"].round(6)),
                    values=tuple(drawn["value"]),
                    kept=tuple(drawn["kept"]),
                    warm_up=inside.warm_ups.get(str(id)),
                    changes_at=change and change.at,
                    changes_to=change and change.ratio,
                )
            )
    return made


def _drawn(rows: pl.DataFrame) -> pl.DataFrame:
    """The intervals of a run; of more than a figure can show, neighbours together."""
    size = -(-rows.height // _MOST_DRAWN)
    value, seconds = pl.col("value"), pl.col("seconds")
    return (
        rows.with_row_index()
        .group_by(pl.col("index") // size, pl.col("kept"), maintain_order=True)
        .agg(
            pl.col("start_s").first(),
            ((value * seconds).sum() / seconds.sum()).round_sig_figs(_DIGITS),
            seconds.sum(),
        )
    )
