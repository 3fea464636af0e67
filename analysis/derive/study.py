"""The facts of one study: values, deltas against the baseline, and run counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.declared.metrics import Metric
from analysis.derive.changes import (
    derive_changes,
    honour_neighbours,
    measure_order,
    resolved_value,
)
from analysis.derive.fallback.knowledge import (
    asked_cells,
    gather_knowledge,
    missing_cells,
)
from analysis.derive.samples import Cell, Sample, Samples, gather_samples
from analysis.derive.scope import Counts, StudyScope, count_runs
from analysis.facts.fact import Fact, Facts, Lineage, RunCount, weakest
from analysis.facts.remark import Remark
from analysis.statistics.median import median_interval
from analysis.statistics.neighbours import Likeness


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
    deltas = derive_changes(scope, cells, samples, alike)
    filled = _fill_gaps(scope, samples) if scope.campaigns else Facts(())
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


def _fill_gaps(scope: StudyScope, samples: Samples) -> Facts:
    """Predicted facts of one study, and gaps where there is no estimate."""
    known = gather_knowledge(scope, samples)
    cells = [*missing_cells(scope, known), *asked_cells(scope)]
    if not cells:
        return Facts(())
    # the models import scipy, which takes a second that most studies need not spend
    from analysis.derive.fallback.estimates import answer_cells, make_facts

    facts, gaps = make_facts(scope, answer_cells(cells, known), known)
    return Facts(tuple(facts), (), tuple(gaps))


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
