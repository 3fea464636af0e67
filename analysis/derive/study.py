"""The facts of one study: values, changes against its baselines with what the runs
leave of them, and run counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from analysis.declared.metrics import Metric
from analysis.derive.fallback.knowledge import (
    asked_cells,
    gather_knowledge,
    missing_cells,
)
from analysis.derive.family import judge
from analysis.derive.samples import Cell, Sample, Samples, gather_samples
from analysis.derive.scope import Counts, StudyScope, count_runs
from analysis.facts.fact import Fact, Facts, Lineage, RunCount, weakest
from analysis.facts.remark import Remark
from analysis.facts.sentences import inside
from analysis.facts.units import format_percent, format_value
from analysis.statistics.counts import count_change, count_interval, count_rate
from analysis.statistics.drift import without_drift
from analysis.statistics.log_ratio import LogRatio
from analysis.statistics.median import Interval, median_interval
from analysis.statistics.median_change import Change, measure_change, percent
from analysis.statistics.modes import mixed_modes
from analysis.statistics.neighbours import Likeness, in_blocks, likeness, stretches
from analysis.statistics.sessions import (
    are_paired,
    session_change,
    session_interval,
)
from analysis.statistics.statistic import CONFIDENCE

Alike = Mapping[tuple[str, str | None], Likeness]
_ROUNDING = 1e-9  # points of percent
_A_DIGIT = 1.0  # points of percent from which a resolution takes one of a change's


def derive_study(scope: StudyScope) -> Facts:
    """All facts of a study, and how many runs each of its samples used.

    Its changes have no verdicts yet: those are judged with others, as a family.
    """
    counts = count_runs(scope)
    samples = _complete(gather_samples(scope.evidence, scope.study.campaigns), counts)
    cells = [cell for cell in scope.cells() if cell in samples]
    alike = measure_order({cell: samples[cell] for cell in cells})
    values = [
        _value(
            scope, cell, samples[cell], alike.get((cell.metric, cell.role), Likeness())
        )
        for cell in cells
    ]
    deltas = derive_changes(scope, cells, samples, alike)
    filled = _fill_gaps(scope, samples) if scope.campaigns else Facts(())
    return Facts((*values, *deltas, *filled.facts), tuple(counts.values()), filled.gaps)


def _complete(samples: Samples, counts: Counts) -> Samples:
    """The samples, each with a warning of the runs that are not in it."""

    def complete(cell: Cell) -> Sample:
        sample = samples[cell]
        warnings = _absent(counts.get(cell[:2]), sample)
        return replace(sample, warnings=sample.warnings + warnings)

    return Samples(samples, complete)


def _absent(count: RunCount | None, sample: Sample) -> tuple[Remark, ...]:
    if count is None:
        return ()
    total, warnings = count.used + count.excluded, []
    if count.excluded:
        seen = {"excluded": count.excluded, "total": total}
        warnings.append(Remark("excluded", values=seen))
    lacking = count.used - len(sample.values)
    if lacking:
        warnings.append(Remark("missing", values={"missing": lacking, "total": total}))
    return tuple(warnings)


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
    """The fact of one configuration's metric; no interval for fewer than six runs, if
    they are not in several sessions."""
    metric = scope.metrics[cell.metric]
    value, n = float(np.median(sample.values)), len(sample.values)
    interval = median_interval(sample.values)
    if sample.per is not None:
        value, interval = count_rate(*sample.counted), count_interval(*sample.counted)
        alike = Likeness()
    elif sample.in_sessions:  # which are independent of one another, whatever runs are
        ends, alike = session_interval(sample.medians, value), Likeness()
        interval = Interval(*ends, CONFIDENCE) if ends else None
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
        sessions=sample.session_count,
    )
    return resolved_value(honour_neighbours(fact, alike), sample.resolution)


def _rule(metric: Metric, sample: Sample) -> str:
    rule_text = (sample.of_part and metric.rule_of_part) or metric.rule
    rule = f"median over runs of {rule_text}"
    if sample.per is not None:
        rule = f"of all runs together: {rule_text}"
    left_out = (
        f"; {one.words}" for one in sample.warnings if one.kind == "ends_left_out"
    )
    rule += "".join(left_out)
    if sample.in_sessions:
        rule += f"; interval over {sample.session_count} sessions"
    if not sample.evidence:
        return rule
    what = "CPU time from" if metric.evidence == "cpu" else "from"
    return f"{rule}; {what} {' and from '.join(sample.evidence)}"


class Pair(NamedTuple):
    """Two samples that are compared, and the names of their configurations."""

    baseline: Sample
    test: Sample
    names: tuple[str, str]

    @property
    def started(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The starts of both sides in seconds; empty where they are not known."""
        return self.baseline.started, self.test.started

    @property
    def sessions(self) -> int | None:
        """How many sessions the side with fewer has; None where one is not known."""
        counts = self.baseline.session_count, self.test.session_count
        return None if None in counts else min(filter(None, counts))

    @property
    def in_sessions(self) -> bool:
        """Whether both sides have sessions enough to be compared by these."""
        return self.baseline.in_sessions and self.test.in_sessions

    @property
    def ordered(self) -> bool:
        """Whether the order is known: each run of a side has a start of its own."""
        return all(starts and len({*starts}) == len(starts) for starts in self.started)


def derive_changes(
    scope: StudyScope, cells: Sequence[Cell], samples: Samples, alike: Alike
) -> Iterator[Fact]:
    """The changes of the study, before adjustment and verdict."""
    for cell in cells:
        if cell.configuration not in scope.study.tests:
            continue
        against = scope.study.baseline_of(cell.configuration)
        baseline = samples.get(cell._replace(configuration=against))
        if baseline is None:
            continue
        pair = Pair(baseline, samples[cell], (against, cell.configuration))
        if scope.metrics[cell.metric].per:
            # a control with few events would hide all: its interval is no noise
            delta = _count_delta(scope, cell, pair)
            yield replace(delta, threshold=scope.study.noise.floor)
            continue
        change, warnings = change_in_order(pair, alike[cell.metric, cell.role])
        alone = resolution_alone(pair)
        if change is not None and alone is not None:
            delta = _delta(scope, cell, widen_by_resolution(change, alone), alone, pair)
            threshold = _threshold(scope, cell, samples, alike)
            warnings += _hidden(scope, cell, alone, pair, threshold)
            yield replace(
                delta, threshold=threshold, warnings=delta.warnings + warnings
            )


def _count_delta(scope: StudyScope, cell: Cell, pair: Pair) -> Fact:
    """The change of a count; printed as from nothing where there is no ratio."""
    sides = pair.baseline.counted, pair.test.counted
    change = count_change(*sides, pair.in_sessions)
    delta = _delta(scope, cell, change, Change(change.value), pair)
    before, after = (count_rate(*side) for side in sides)
    if before:
        return delta
    delta = replace(delta, error=None, degrees=None)  # nothing is detectable by ratios
    unit = scope.metrics[cell.metric].unit
    if not after:
        return replace(delta, printed="0 in all runs")
    none = Remark("from_none", values={"baseline": pair.names[0]})
    return replace(
        delta,
        printed=f"from 0 to {format_value(after, unit)}",
        warnings=(none, *delta.warnings),
    )


def _hidden(
    scope: StudyScope, cell: Cell, alone: Change, pair: Pair, threshold: float
) -> tuple[Remark, ...]:
    """What is to be said where the resolution alone leaves a change inconclusive."""
    metric, floor = scope.metrics[cell.metric], scope.study.noise.floor
    verdicts = [
        judge(replace(alone, low_90=low, high_90=high, low=low, high=high),
              0.0, metric.better, floor, threshold)
        for low, high in ((alone.value, alone.value), alone.interval or (0.0, 0.0))
    ]  # fmt: skip
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
    change, _ = change_in_order(pair, alike[control.metric, control.role])
    interval = change.interval if change else None
    return max(noise.floor, *map(abs, interval)) if interval else noise.floor


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
        low_90=change.low_90,
        high_90=change.high_90,
        error=change.ratio.error if change.ratio else None,
        degrees=change.ratio.degrees if change.ratio else None,
        confidence=CONFIDENCE if change.interval else 0.0,
        origin=weakest([*baseline.origins, *test.origins]),
        printed=change_text(alone),
        p_value=change.p_value,
        warnings=_pair_warnings(pair),
        lineage=Lineage(_method(pair), baseline.runs + test.runs, files),
        resolution=((alone.high or 0.0) - (alone.low or 0.0)) or None,
        sessions=pair.sessions,
    )


def _method(pair: Pair) -> str:
    """How the change is judged, before its p-value is adjusted."""
    if pair.test.per is not None:
        units = "sessions" if pair.in_sessions else "runs"
        return (
            "ratio of two rates of counts; interval and test on logarithms, by how "
            f"the {units} scatter"
        )
    if not pair.in_sessions:
        how = "Welch's interval and test on logarithms, and Mann-Whitney's test"
    elif are_paired(pair.baseline.medians, pair.test.medians):
        how = f"Student's interval on logarithms, within {pair.sessions} sessions"
    else:
        how = "Welch's interval and test of the medians of sessions, on logarithms"
    return f"ratio of medians; {how}"


def _pair_warnings(pair: Pair) -> tuple[Remark, ...]:
    """The warnings of both samples, each with its configuration; of modes that they
    share, and of their tools."""
    baseline, test, names = pair
    warnings = tuple(
        replace(warning, subject=name)
        for name, sample in zip(names, (baseline, test), strict=True)
        for warning in sample.warnings
        if warning.kind != "few"
    )
    if pair.test.per is None and (modes := mixed_modes(baseline.values, test.values)):
        warnings += (Remark("mixture", values={"names": names} | modes),)
    sides = tuple(", ".join(sample.tools) for sample in (baseline, test))
    if not all(sides) or sides[0] == sides[1]:
        return warnings
    seen = {"names": names, "tools": sides}
    return (*warnings, Remark("tools", values=seen))


def measure_order(samples: Mapping[Cell, Sample]) -> Alike:
    """How alike neighbouring runs are, by metric and role, over all their samples."""
    samples_of: dict[tuple[str, str | None], list[Sample]] = {}
    for cell, sample in samples.items():
        if sample.per is not None:  # of counts near zero there is nothing to correlate
            continue
        samples_of.setdefault((cell.metric, cell.role), []).append(sample)
    return {
        key: likeness([sample.in_order for sample in alike])
        for key, alike in samples_of.items()
    }


def honour_neighbours(value: Fact, alike: Likeness) -> Fact:
    """The value with the interval that runs leave it which surely resemble their
    neighbours, and what is to be said of them."""
    if not alike.sure or value.low is None or value.high is None or value.low <= 0:
        return value
    wider = alike.runs_as_one**0.5
    low, high = (
        value.value * (end / value.value) ** wider for end in (value.low, value.high)
    )
    warning = Remark("neighbours", values=_seen(alike))
    return replace(value, low=low, high=high, warnings=(*value.warnings, warning))


def change_in_order(
    pair: Pair, alike: Likeness
) -> tuple[Change | None, tuple[Remark, ...]]:
    """The change with the interval and p-value that sessions and the order of the runs
    leave it, and what is to be said of the order."""
    sides = pair.baseline.values, pair.test.values
    if pair.in_sessions:
        return _change_of_sessions(pair)
    plain = measure_change(*sides)
    if plain is None or plain.interval is None:
        return plain, ()
    if not pair.ordered:
        warning = Remark("order_unknown", values=_seen(alike))
        return measure_change(*sides, alike.runs_as_one), (warning,)
    if not in_blocks(*pair.started):
        return plain, ()
    drifted = _beside_drift(pair)
    held = measure_change(*sides, alike.runs_as_one, [drifted] if drifted else [])
    kind = "alike" if alike.runs_as_one > 1 else "in_blocks"
    return held, (Remark(kind, values=_seen(alike) | _stretches(pair)),)


def _change_of_sessions(pair: Pair) -> tuple[Change | None, tuple[Remark, ...]]:
    """The same by the medians of sessions. Of sessions that both sides have, it is told
    where one side always came first; others may come in blocks as runs do."""
    runs = pair.baseline.values, pair.test.values
    medians = pair.baseline.medians, pair.test.medians
    if are_paired(*medians):
        return session_change(*runs, *medians), _first(pair)
    blocks = pair._replace(baseline=pair.baseline.by_session, test=pair.test.by_session)
    if not (blocks.ordered and in_blocks(*blocks.started)):
        return session_change(*runs, *medians), ()
    drifted = _beside_drift(blocks)
    held = session_change(*runs, *medians, [drifted] if drifted else [])
    return held, (Remark("in_blocks", values=_seen(Likeness()) | _stretches(pair)),)


def _first(pair: Pair) -> tuple[Remark, ...]:
    """That one side ran before the other in all sessions, where that is so."""
    if not pair.ordered:
        return ()
    spans = [
        {
            session: [at for at, own in zip(side.started, side.sessions, strict=True)
                      if own == session]
            for session in side.medians
        }
        for side in pair[:2]
    ]  # fmt: skip
    for one, other in ((0, 1), (1, 0)):
        if all(max(spans[one][id]) < min(spans[other][id]) for id in spans[one]):
            names = {"first": pair.names[one], "then": pair.names[other]}
            return (Remark("same_order", values=names),)
    return ()


def _seen(alike: Likeness) -> dict[str, Any]:
    correlation = max(alike.correlation, 0.0)
    return {"correlation": correlation, "runs_as_one": alike.runs_as_one}


def _stretches(pair: Pair) -> dict[str, Any]:
    """Which configuration came first, and how many runs of it, and so on."""
    blocks = stretches(*pair.started)
    sides = tuple(pair.names[side] for side, _ in blocks)
    return {"sides": sides, "lengths": tuple(length for _, length in blocks)}


def _beside_drift(pair: Pair) -> LogRatio | None:
    """What the change is if the machine drifts on over all runs."""
    starts = [np.asarray(side) for side in pair.started]
    order = np.argsort(np.argsort(np.concatenate(starts), kind="stable")).astype(float)
    places = (order[: len(starts[0])], order[len(starts[0]) :])
    return without_drift(pair.baseline.values, pair.test.values, places)


def resolved_value(value: Fact, resolution: float | None) -> Fact:
    """The value with its resolution, in its interval and its print. The interval of
    what cannot be negative begins at zero, and is a step long at least. Equal runs
    whose resolution is not known have no interval."""
    printed = format_value(value.value, value.unit, resolution)
    value = replace(value, printed=printed, resolution=resolution)
    if value.low is None or value.high is None:
        return value
    if not resolution and value.low == value.high:
        return replace(value, low=None, high=None, confidence=0.0)
    half = (resolution or 0.0) / 2
    low, high = value.low - half, value.high + half
    if low < 0 <= value.low:
        low, high = 0.0, max(high, 2 * half)
    return replace(value, low=low, high=high)


def resolution_alone(pair: Pair) -> Change | None:
    """The change with the interval that the resolution of both sides alone leaves it;
    None where the baseline may be zero, so that there is no ratio."""
    sides = [(float(np.median(s.values)), (s.resolution or 0.0) / 2) for s in pair[:2]]
    (before, less), (after, more) = sides
    if before <= less:
        return None
    low = percent(max(after - more, 0.0), before + less)
    return Change(percent(after, before), low, percent(after + more, before - less))


def widen_by_resolution(change: Change, alone: Change) -> Change:
    """The change with its intervals widened by that of the resolution alone; without
    one where nothing tells why all runs are equal."""
    if change.interval is None or alone.interval is None:
        return change
    low, high = change.interval
    less, more = (end - change.value for end in alone.interval)
    if high + more - low - less < _ROUNDING:
        return Change(change.value)
    return replace(
        change,
        low=_moved(low, less),
        high=_moved(high, more),
        low_90=_moved(change.low_90, less),
        high_90=_moved(change.high_90, more),
    )


def _moved(end: float | None, by: float) -> float | None:
    return None if end is None else max(end + by, -100.0)


def change_text(alone: Change) -> str:
    """A change in print, to the digit of what the resolution leaves open on either
    side; ``< 67%`` where the resolution alone hides it."""
    low, high = alone.interval or (0.0, 0.0)
    if low <= 0 <= high and high - low >= _A_DIGIT:
        return f"< {format_percent(max(-low, high)).lstrip('+')}"
    return format_percent(alone.value, (high - low) / 2)
