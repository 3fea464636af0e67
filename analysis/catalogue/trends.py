"""The same workload over campaigns: a trend of medians, with its change points.

A trend is of one metric, role and workload, of configurations that are called alike in
all campaigns and have one origin: measured values never join generated ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from analysis.declared.campaign import Campaign
from analysis.declared.metrics import Metric
from analysis.declared.workload import parse_workload
from analysis.derive.samples import RUN_ORDER, Cell, RunEvidence
from analysis.facts.fact import weakest
from analysis.facts.units import format_unit
from analysis.statistics.levels import Levels, levels
from analysis.statistics.median import median, median_interval
from analysis.statistics.statistic import Values


@dataclass(frozen=True)
class TrendPoint:
    """A campaign's median, and its interval of 95% where it has runs enough."""

    campaign: str
    date: str
    value: float
    low: float | None
    high: float | None
    runs: int


@dataclass(frozen=True)
class TrendChange:
    """A change of level that begins with a campaign, in percent with its interval.

    ``differs`` is what is declared otherwise than in the campaign before.
    """

    campaign: str
    percent: float
    low: float
    high: float
    differs: tuple[str, ...]


@dataclass(frozen=True)
class Trend:
    """One value over campaigns, the earliest first; ``tested`` where there were enough
    campaigns and runs to look for changes. ``levels`` has one number a point."""

    metric: str
    label: str
    unit: str
    role: str
    workload: str
    configuration: str
    origin: str
    points: tuple[TrendPoint, ...]
    levels: tuple[float, ...]
    changes: tuple[TrendChange, ...]
    tested: bool

    @property
    def name(self) -> str:
        """What it is of, in words."""
        named = (self.label, self.role, self.workload, self.configuration)
        return ", ".join(filter(None, named))


class _Kind(NamedTuple):
    """What samples of one trend have in common; ``configuration`` is a label."""

    metric: str
    role: str
    workload: str
    configuration: str
    origin: str


def find_trends(
    evidence: RunEvidence,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> tuple[Trend, ...]:
    """All trends over two campaigns or more, those with changes first.

    Only metrics with a better direction: others in another unit say nothing more. Of
    configurations of one campaign that are called alike, the first counts. Counts have
    no trend: levels are ratios, and of nothing there is none.
    """
    if len(campaigns) < 2:
        return ()
    wanted = [
        id
        for id, metric in metrics.items()
        if metric.better != "none" and not (metric.repeats or metric.per)
    ]
    rows = evidence.values.filter(pl.col("metric").is_in(wanted))
    in_order = rows.select(*Cell._fields, *RUN_ORDER, "value", "origin").sort(
        RUN_ORDER, maintain_order=True
    )
    cells = in_order.group_by("campaign", *Cell._fields, maintain_order=True)
    samples = cells.agg("value", pl.col("origin").unique()).rows()
    kinds: dict[_Kind, dict[str, tuple[str, Values]]] = {}
    for name, *fields, values, origins in sorted(
        samples, key=lambda row: (campaigns[row[0]].measured.start, row[0])
    ):
        cell = Cell(*fields)
        label = campaigns[name].configurations[cell.configuration].label
        role, origin = cell.role or "", weakest(origins)
        kind = _Kind(cell.metric, role, cell.workload, label, origin)
        sample = cell.configuration, np.array(values)
        kinds.setdefault(kind, {}).setdefault(name, sample)
    trends = [
        _trend(kind, samples_of, campaigns, metrics[kind.metric])
        for kind, samples_of in kinds.items()
        if len(samples_of) > 1
    ]
    order = list(metrics)
    return tuple(
        sorted(
            trends,
            key=lambda trend: (
                not trend.changes,
                order.index(trend.metric),
                trend.role,
                parse_workload(trend.workload).order,
                trend.configuration,
            ),
        )
    )


def _trend(
    kind: _Kind,
    samples: Mapping[str, tuple[str, Values]],
    campaigns: Mapping[str, Campaign],
    metric: Metric,
) -> Trend:
    """``samples`` are of each campaign the configuration and one value a run."""
    tested = levels([values for _, values in samples.values()])
    steps = tested.levels if tested else ()
    return Trend(
        kind.metric,
        metric.label,
        format_unit(metric.unit),
        kind.role,
        kind.workload,
        kind.configuration,
        kind.origin,
        tuple(_point(n, values, campaigns[n]) for n, (_, values) in samples.items()),
        tuple(s.value for s in steps for _ in range(s.end - s.first)),
        tuple(_changes(tested, samples, campaigns)) if tested else (),
        tested is not None,
    )


def _point(name: str, values: Values, campaign: Campaign) -> TrendPoint:
    interval = median_interval(values)
    low, high = (interval.low, interval.high) if interval else (None, None)
    date = campaign.measured.start.isoformat()
    return TrendPoint(name, date, median(values), low, high, len(values))


def _changes(
    tested: Levels,
    samples: Mapping[str, tuple[str, Values]],
    campaigns: Mapping[str, Campaign],
) -> Iterator[TrendChange]:
    declared = [_declared(campaigns[n], id) for n, (id, _) in samples.items()]
    names = list(samples)
    for change in tested.changes:
        before, after = declared[change.at - 1 : change.at + 1]
        differs = tuple(
            f"{key}: {before.get(key, 'not told')} → {after.get(key, 'not told')}"
            for key in dict.fromkeys([*before, *after])
            if before.get(key, "not told") != after.get(key, "not told")
        )
        ends = change.percent, change.low, change.high
        yield TrendChange(names[change.at], *ends, differs)


def _declared(campaign: Campaign, configuration: str) -> dict[str, object]:
    details = campaign.configurations[configuration].details
    return {**campaign.hardware, **campaign.software, **details}
