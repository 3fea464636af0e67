"""The facts of one study: values, deltas against the baseline, and run counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from analysis.declared.metrics import Metric
from analysis.derive.delta import judge
from analysis.derive.fallback.fill import fill_gaps
from analysis.derive.noise import change_threshold
from analysis.derive.order import (
    Alike,
    Pair,
    honour_neighbours,
    honour_order,
    measure_order,
)
from analysis.derive.resolution import (
    change_text,
    resolution_alone,
    resolved_value,
    widen,
)
from analysis.derive.samples import Cell, Sample, Samples, gather_samples
from analysis.derive.scope import Counts, StudyScope, count_runs
from analysis.facts.fact import Fact, Facts, Lineage, RunCount, weakest
from analysis.facts.remark import Remark
from analysis.facts.sentences import inside
from analysis.statistics.median import median_interval
from analysis.statistics.median_change import Change, measure_change
from analysis.statistics.neighbours import Likeness
from analysis.statistics.statistic import CONFIDENCE


def derive_study(scope: StudyScope) -> Facts:
    """All facts of a study, and how many runs each of its samples used.

    Its changes have no verdicts yet: those are judged with others, as a family.
    """
    counts = count_runs(scope)
    samples = _complete(gather_samples(scope.evidence, scope.study.campaigns), counts)
    cells = [cell for cell in scope.cells() if cell in samples]
    alike = measure_order({cell: samples[cell] for cell in cells})
    values = [
        _value(scope, cell, samples[cell], alike[cell.metric, cell.role])
        for cell in cells
    ]
    deltas = _deltas(scope, cells, samples, alike)
    filled = fill_gaps(scope, samples) if scope.campaigns else Facts(())
    return Facts((*values, *deltas, *filled.facts), tuple(counts.values()), filled.gaps)


def _complete(samples: Samples, counts: Counts) -> Samples:
    """The samples, each with a warning of the runs that are not in it."""

    def complete(cell: Cell) -> Sample:
        sample = samples[cell]
        told = _absent(counts.get(cell[:2]), sample)
        return replace(sample, warnings=sample.warnings + told)

    return Samples(samples, complete)


def _absent(count: RunCount | None, sample: Sample) -> tuple[Remark, ...]:
    if count is None:
        return ()
    total, found = count.used + count.excluded, []
    if count.excluded:
        seen = {"excluded": count.excluded, "total": total}
        found.append(Remark("excluded", values=seen))
    lacking = count.used - len(sample.values)
    if lacking:
        found.append(Remark("missing", values={"missing": lacking, "total": total}))
    return tuple(found)


def _deltas(
    scope: StudyScope, cells: Sequence[Cell], samples: Samples, alike: Alike
) -> Iterator[Fact]:
    """The deltas of the study, before adjustment and verdict."""
    for cell in cells:
        if cell.configuration not in scope.study.tests:
            continue
        against = scope.study.baseline_of(cell.configuration)
        baseline = samples.get(cell._replace(configuration=against))
        if baseline is None:
            continue
        pair = Pair(baseline, samples[cell], (against, cell.configuration))
        change, told = _change(scope, cell, pair, alike)
        alone = resolution_alone(pair)
        if change is not None and alone is not None:
            delta = _delta(scope, cell, widen(change, alone), alone, pair)
            threshold = _threshold(scope, cell, samples, alike)
            told += _hidden(scope, cell, alone, pair, threshold)
            yield replace(delta, threshold=threshold, warnings=delta.warnings + told)


def _hidden(
    scope: StudyScope, cell: Cell, alone: Change, pair: Pair, threshold: float
) -> tuple[Remark, ...]:
    """What is to be said where the resolution alone leaves a change inconclusive."""
    metric, floor = scope.metrics[cell.metric], scope.study.noise.floor
    exact = replace(alone, low=alone.value, high=alone.value)
    verdicts = [judge(c, 0.0, metric.better, floor, threshold) for c in (exact, alone)]
    none = resolution_alone(pair._replace(test=pair.baseline))
    if verdicts[0] == verdicts[1] or none is None:
        return ()
    seen = {
        "metric": inside(metric.label),
        "unit": metric.unit,
        "resolution": max(s.resolution or 0.0 for s in pair[:2]),
        "hidden": none.high,
    }
    return (Remark("resolution", values=seen),)


def _change(
    scope: StudyScope, cell: Cell, pair: Pair, alike: Alike
) -> tuple[Change | None, tuple[Remark, ...]]:
    key = scope.key(cell, delta=True)
    change = measure_change(pair.baseline.values, pair.test.values, key)
    if change is None:
        return None, ()
    return honour_order(change, pair, alike[cell.metric, cell.role])


def _threshold(scope: StudyScope, cell: Cell, samples: Samples, alike: Alike) -> float:
    """The declared floor, or what the control shows noise alone to do if it is more.

    A study has one control, which is held against its own baseline.
    """
    study = scope.study
    noise, name = study.noise, study.noise.control or ""
    control = cell._replace(configuration=name)
    against = study.baseline_of(name)
    baseline = cell._replace(configuration=against)
    if control == cell or control not in samples or baseline not in samples:
        return noise.floor
    pair = Pair(samples[baseline], samples[control], (against, name))
    change, _ = _change(scope, control, pair, alike)
    return change_threshold(noise.floor, change.interval if change else None)


def _delta(
    scope: StudyScope, cell: Cell, change: Change, alone: Change, pair: Pair
) -> Fact:
    baseline, test, (against, _) = pair
    n = min(len(baseline.values), len(test.values))
    files = tuple(sorted({*baseline.files, *test.files}))
    return Fact(
        **scope.about(cell),
        key=scope.key(cell, delta=True),
        kind="delta",
        baseline=against,
        value=change.value,
        unit="%",
        n=n,
        low=change.low,
        high=change.high,
        confidence=CONFIDENCE if change.interval else 0.0,
        origin=weakest([*baseline.origins, *test.origins]),
        printed=change_text(alone),
        p_value=change.p_value,
        warnings=_pair_warnings(pair),
        lineage=Lineage("", baseline.runs + test.runs, files),
        resolution=((alone.high or 0.0) - (alone.low or 0.0)) or None,
    )


def _pair_warnings(pair: Pair) -> tuple[Remark, ...]:
    """The warnings of both samples, each with its configuration, and of their tools."""
    told = tuple(
        replace(warning, subject=name)
        for name, sample in zip(pair.names, pair[:2], strict=True)
        for warning in sample.warnings
        if warning.kind != "few"
    )
    sides = tuple(", ".join(sample.tools) for sample in pair[:2])
    if not all(sides) or sides[0] == sides[1]:
        return told
    seen = {"names": pair.names, "tools": sides}
    return (*told, Remark("tools", values=seen))


def _value(scope: StudyScope, cell: Cell, sample: Sample, alike: Likeness) -> Fact:
    """The fact of one configuration's metric; no interval for fewer than six runs."""
    metric = scope.metrics[cell.metric]
    value, n = float(np.median(sample.values)), len(sample.values)
    interval = median_interval(sample.values)
    fact = Fact(
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
        printed="",
        warnings=sample.warnings,
        samples=tuple(map(float, sample.values)),
        lineage=Lineage(_rule(metric, sample), sample.runs, sample.files),
    )
    return resolved_value(honour_neighbours(fact, alike), sample.resolution)


def _rule(metric: Metric, sample: Sample) -> str:
    own = (sample.of_part and metric.rule_of_part) or metric.rule
    rule = f"median over runs of {own}"
    if not sample.evidence:
        return rule
    what = "CPU time from" if metric.evidence == "cpu" else "from"
    return f"{rule}; {what} {' and from '.join(sample.evidence)}"
