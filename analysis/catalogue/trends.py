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
from analysis.declared.vocabulary import Origin
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


_Samples = list[tuple[str, str, Values]]  # campaign, configuration, one value a run


def find_trends(
    evidence: RunEvidence,
    campaigns: Mapping[str, Campaign],
    metrics: Mapping[str, Metric],
) -> tuple[Trend, ...]:
    """All trends over two campaigns or more, those with changes first."""
    if len(campaigns) < 2:
        return ()
    found: dict[_Kind, _Samples] = {}
    for name, cell, values, origins in sorted(
        _samples(evidence, metrics),
        key=lambda one: (campaigns[one[0]].measured.start, one[0]),
    ):
        kind = _kind(cell, origins, campaigns[name])
        found.setdefault(kind, []).append((name, cell.configuration, values))
    trends = [
        _trend(kind, once, campaigns, metrics[kind.metric])
        for kind, samples in found.items()
        if len(once := _first_of_each(samples)) > 1
    ]
    order = list(metrics)
    return tuple(sorted(trends, key=lambda trend: _order(trend, order)))


def _samples(
    evidence: RunEvidence, metrics: Mapping[str, Metric]
) -> Iterator[tuple[str, Cell, Values, list[Origin]]]:
    """Of each campaign and cell the values, in the order of the runs, and the origins;
    cells in the order of their first runs."""
    wanted = [name for name, metric in metrics.items() if _is_told(metric)]
    rows = evidence.values.filter(pl.col("metric").is_in(wanted))
    in_order = rows.select(*Cell._fields, *RUN_ORDER, "value", "origin").sort(
        RUN_ORDER, maintain_order=True
    )
    cells = in_order.group_by("campaign", *Cell._fields, maintain_order=True)
    for campaign, *cell, values, origins in cells.agg(
        "value", pl.col("origin").unique()
    ).iter_rows():
        yield campaign, Cell(*cell), np.array(values), origins


def _is_told(metric: Metric) -> bool:
    """Metrics with a better direction; others in another unit say nothing more."""
    return metric.better != "none" and not metric.repeats


def _kind(cell: Cell, origins: list[Origin], campaign: Campaign) -> _Kind:
    label = campaign.configurations[cell.configuration].label
    origin = weakest(origins)
    return _Kind(cell.metric, cell.role or "", cell.workload, label, origin)


def _first_of_each(samples: _Samples) -> _Samples:
    """One sample a campaign: of configurations that are called alike the first."""
    first: dict[str, tuple[str, str, Values]] = {}
    for one in samples:
        first.setdefault(one[0], one)
    return list(first.values())


def _order(trend: Trend, metrics: list[str]) -> tuple[object, ...]:
    workload = parse_workload(trend.workload).order
    place = metrics.index(trend.metric)
    return not trend.changes, place, trend.role, workload, trend.configuration


def _trend(
    kind: _Kind, samples: _Samples, campaigns: Mapping[str, Campaign], metric: Metric
) -> Trend:
    found = levels([values for *_, values in samples])
    return Trend(
        kind.metric,
        metric.label,
        format_unit(metric.unit),
        kind.role,
        kind.workload,
        kind.configuration,
        kind.origin,
        tuple(_point(name, values, campaigns[name]) for name, _, values in samples),
        tuple(_level_of_each(found)) if found else (),
        tuple(_changes(found, samples, campaigns)) if found else (),
        found is not None,
    )


def _point(name: str, values: Values, campaign: Campaign) -> TrendPoint:
    interval = median_interval(values)
    low, high = (interval.low, interval.high) if interval else (None, None)
    date = campaign.measured.start.isoformat()
    return TrendPoint(name, date, median(values), low, high, len(values))


def _level_of_each(found: Levels) -> Iterator[float]:
    for level in found.levels:
        yield from [level.value] * (level.end - level.first)


def _changes(
    found: Levels, samples: _Samples, campaigns: Mapping[str, Campaign]
) -> Iterator[TrendChange]:
    for change in found.changes:
        (name, *_), before, after = (
            samples[change.at],
            *(
                _declared(campaigns[campaign], configuration)
                for campaign, configuration, _ in samples[change.at - 1 : change.at + 1]
            ),
        )
        yield TrendChange(
            name,
            change.percent,
            change.low,
            change.high,
            tuple(_differences(before, after)),
        )


def _declared(campaign: Campaign, configuration: str) -> dict[str, object]:
    details = campaign.configurations[configuration].details
    return {**campaign.hardware, **campaign.software, **details}


def _differences(
    before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[str]:
    for key in dict.fromkeys([*before, *after]):
        first, last = (of.get(key, "not told") for of in (before, after))
        if first != last:
            yield f"{key}: {first} → {last}"
