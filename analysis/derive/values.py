"""Value facts: the median over runs, with its interval."""

from __future__ import annotations

import numpy as np

from analysis.declared.metrics import Metric
from analysis.derive.samples import Cell, Sample
from analysis.derive.scope import StudyScope
from analysis.facts.fact import Fact, Lineage, weakest
from analysis.facts.units import format_value
from analysis.statistics.median import median_interval


def value_fact(scope: StudyScope, cell: Cell, sample: Sample) -> Fact:
    """The fact of one configuration's metric; no interval for fewer than six runs."""
    metric = scope.metrics[cell.metric]
    value, n = float(np.median(sample.values)), len(sample.values)
    interval = median_interval(sample.values)
    return Fact(
        **scope.about(cell),
        key=scope.key(cell),
        kind="value",
        baseline=None,
        value=value,
        unit=metric.unit,
        n=n,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        confidence=interval.confidence if interval else 0.0,
        origin=weakest(list(sample.origins)),
        printed=format_value(value, metric.unit),
        warnings=sample.warnings,
        samples=tuple(map(float, sample.values)),
        lineage=Lineage(_rule(metric, sample), sample.runs, sample.files),
    )


def _rule(metric: Metric, sample: Sample) -> str:
    rule = f"median over runs of {metric.rule}"
    if not sample.evidence:
        return rule
    return f"{rule}; CPU time from {' and from '.join(sample.evidence)}"
