"""The facts of one study: values, deltas against the baseline, and run counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from analysis.declared.edition import Noise
from analysis.derive.delta import adjust, judge
from analysis.derive.fallback.fill import fill_gaps
from analysis.derive.fallback.sources import PredictionSources
from analysis.derive.noise import change_threshold
from analysis.derive.samples import Cell, Sample, gather_samples
from analysis.derive.scope import Counts, StudyScope, count_runs
from analysis.derive.values import value_fact
from analysis.facts.fact import Fact, Facts, Lineage, RunCount, weakest
from analysis.facts.kinds import KINDS
from analysis.facts.remark import Remark
from analysis.facts.units import format_percent
from analysis.statistics.median_change import (
    RESAMPLES,
    STATISTIC,
    Change,
    measure_change,
)
from analysis.statistics.statistic import CONFIDENCE

Samples = Mapping[Cell, Sample]
Pair = tuple[Sample, Sample]  # of the baseline, of the test
_ADJUSTMENTS = {"holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}


def derive_study(scope: StudyScope, sources: PredictionSources | None = None) -> Facts:
    """All facts of a study, and how many runs each of its samples used.

    With ``sources``, models stand in where an arm was not measured.
    """
    counts = count_runs(scope)
    samples = _complete(gather_samples(scope.evidence, scope.study.campaigns), counts)
    cells = [cell for cell in scope.cells() if cell in samples]
    values = [value_fact(scope, cell, samples[cell]) for cell in cells]
    deltas = judge_table(list(_deltas(scope, cells, samples)), scope.study.noise)
    filled = fill_gaps(scope, samples, sources) if sources else Facts(())
    return Facts((*values, *deltas, *filled.facts), tuple(counts.values()), filled.gaps)


def judge_table(deltas: Sequence[Fact], noise: Noise) -> list[Fact]:
    """The deltas with p-values adjusted over the whole table, and their verdicts."""
    tested = {d.key: d.p_value for d in deltas if d.p_value is not None}
    p_values = adjust(list(tested.values()), noise.adjust)
    adjusted = dict(zip(tested, p_values, strict=True))
    rule = (
        f"ratio of medians; interval by bootstrap with {RESAMPLES:,} resamples; "
        f"Mann-Whitney test, {_ADJUSTMENTS[noise.adjust]} over {len(tested)} deltas"
    )
    return [_judged(d, adjusted.get(d.key), noise.floor, rule) for d in deltas]


def _judged(delta: Fact, p_adjusted: float | None, floor: float, rule: str) -> Fact:
    change = Change(delta.value, delta.low, delta.high, delta.p_value)
    threshold = floor if delta.threshold is None else delta.threshold
    verdict = judge(change, p_adjusted, delta.better, floor, threshold)
    if verdict and any(KINDS[w.kind].voids for w in delta.warnings):
        verdict = "inconclusive"  # a change of the machine is no result
    return replace(
        delta,
        p_adjusted=p_adjusted,
        verdict=verdict,
        lineage=replace(delta.lineage, rule=rule),
    )


def _complete(samples: Samples, counts: Counts) -> dict[Cell, Sample]:
    """The samples, each with a warning of the runs that are not in it."""
    return {
        cell: replace(s, warnings=s.warnings + _absent(counts.get(cell[:2]), s))
        for cell, s in samples.items()
    }


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
    scope: StudyScope, cells: Sequence[Cell], samples: Samples
) -> Iterator[Fact]:
    """The deltas of the study, before adjustment and verdict."""
    for cell in cells:
        if cell.configuration not in scope.study.tests:
            continue
        against = scope.study.baseline_of(cell.configuration)
        baseline = samples.get(cell._replace(configuration=against))
        if baseline is None:
            continue
        pair = (baseline, samples[cell])
        change = _change(scope, cell, pair)
        if change is not None:
            threshold = _threshold(scope, cell, samples)
            yield replace(_delta(scope, cell, change, pair), threshold=threshold)


def _change(scope: StudyScope, cell: Cell, pair: Pair) -> Change | None:
    return measure_change(pair[0].values, pair[1].values, scope.key(cell, delta=True))


def _threshold(scope: StudyScope, cell: Cell, samples: Samples) -> float:
    """The declared floor, or what the control shows noise alone to do if it is more.

    A study has one control, which is held against its own baseline.
    """
    study = scope.study
    noise, name = study.noise, study.noise.control or ""
    control = cell._replace(configuration=name)
    baseline = cell._replace(configuration=study.baseline_of(name))
    if control == cell or control not in samples or baseline not in samples:
        return noise.floor
    change = _change(scope, control, (samples[baseline], samples[control]))
    return change_threshold(noise.floor, change.interval if change else None)


def _delta(scope: StudyScope, cell: Cell, change: Change, pair: Pair) -> Fact:
    baseline, test = pair
    against = scope.study.baseline_of(cell.configuration)
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
        # a percentage of a single run would pretend to more than is known
        printed=format_percent(change.value)
        if n > 1
        else f"need n ≥ {STATISTIC.smallest}",
        p_value=change.p_value,
        warnings=_pair_warnings((against, cell.configuration), pair, n),
        lineage=Lineage("", baseline.runs + test.runs, files),
    )


def _pair_warnings(names: tuple[str, str], pair: Pair, n: int) -> tuple[Remark, ...]:
    """The warnings of both samples, each with its configuration."""
    found = []
    if n < STATISTIC.smallest:
        least = STATISTIC.smallest
        found.append(Remark("untested", values={"n": n, "least": least}))
    for name, sample in zip(names, pair, strict=True):
        found += [
            replace(warning, subject=name)
            for warning in sample.warnings
            if warning.kind != "few"
        ]
    return tuple(found)
