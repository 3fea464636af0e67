"""The comparisons that are judged together: their adjustment and their verdicts.

Among many comparisons some look significant by luck. The family is what the p-values
are adjusted over: the comparisons of a study or, where the edition asks for it, of all
its studies. Only what can move by itself counts. A metric that repeats another, as CPU
cost per MB repeats CPU cost per transaction, is the same comparison; and so is one that
follows from others, as the latency of clients that only wait follows from their rate,
if the runs show that it does. Each then changes only where that comparison does, and
where its own p-value says so too. The primary metrics of a study are judged among
themselves, the others among all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from analysis.declared.edition import Family
from analysis.declared.metrics import Metric
from analysis.declared.study import Noise
from analysis.facts.fact import Fact, Facts, Verdict
from analysis.facts.remark import Remark
from analysis.facts.units import how_many
from analysis.statistics.median_change import STATISTIC, Change
from analysis.statistics.power import POWER, ChangeRule, median_error
from analysis.statistics.ranks import SIGNIFICANT, Adjustment, can_tell, least_runs
from analysis.statistics.sessions import SEVERAL

ADJUSTMENTS = {"holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}
_LEAST = 1e-6  # of a ratio, and of its standard error where all runs are equal
FOLLOWS = 0.9  # of the variance over runs of what follows, which its metrics explain

Key: TypeAlias = tuple[str, str, str, str | None, str]
"""Of a comparison: study, workload, configuration, role, and metric without repeats."""


def judge_studies(
    studies: Mapping[str, Facts],
    noises: Mapping[str, Noise],
    metrics: Mapping[str, Metric],
    family: Family = "study",
) -> list[Facts]:
    """The facts of an edition's studies, whose deltas get adjusted p-values, verdicts
    and what the number of their runs leaves them. What was predicted stays."""
    families = [facts.facts for facts in studies.values()]
    if family == "edition":
        families = [tuple(fact for facts in families for fact in facts)]
    judged = {
        delta.key: delta
        for facts in families
        for delta in _judge_family(facts, noises, metrics, family)
    }
    return [
        replace(facts, facts=tuple(judged.get(f.key, f) for f in facts.facts))
        for facts in studies.values()
    ]


def _judge_family(
    facts: Sequence[Fact],
    noises: Mapping[str, Noise],
    metrics: Mapping[str, Metric],
    family: Family,
) -> list[Fact]:
    """The deltas with p-values adjusted over their comparisons, and their verdicts.

    ``noises`` by study; all of one family have the same adjustment.
    """
    deltas = [f for f in facts if f.kind == "delta" and f.estimate is None]
    if not deltas:
        return []
    method = noises[deltas[0].study].adjust
    counted = count_comparisons(facts, metrics)
    p_values: dict[Key, float | None] = {}
    primary = set[Key]()
    for delta in sorted(deltas, key=lambda d: bool(metrics[d.metric].repeats)):
        key, named = _key(delta, metrics), noises[delta.study].primary
        if counted[key] == (key,) and p_values.get(key) is None:
            p_values[key] = delta.p_value
        if len(counted[key]) == 1 and (not named or delta.metric in named):
            primary.update(counted[key])
    main = {key: p for key, p in p_values.items() if key in primary}
    adjusted = _adjusted(p_values, method) | _adjusted(main, method)
    judged = []
    for delta in deltas:
        keys = counted[_key(delta, metrics)]
        over = main if primary.issuperset(keys) else p_values
        chances = [adjusted[key] for key in keys if key in adjusted]
        chance = None
        if delta.p_value is not None and chances:
            chance = max(delta.p_value, min(chances))
        tested = {key for key, p in over.items() if p is not None}
        rule = (
            f"; {ADJUSTMENTS[method]} over {how_many(len(tested), 'comparison')}"
            + " of primary metrics" * (len(main) < len(p_values) and over is main)
            + " of the edition" * (family == "edition")
            + _counted_as(deltas, counted, tested, metrics)
        )
        floor = noises[delta.study].floor
        count = len(over) if chance is None else len(tested)
        verdict = _judged(_told(delta, count, method), chance, floor, rule)
        if chance is not None and (
            _in_sessions(delta) or can_tell(delta.n, _other(delta), count, method)
        ):
            clear = {key for key in tested if adjusted[key] <= SIGNIFICANT}
            level = _level(len(tested), len(clear.difference(keys)), method)
            verdict = _with_power(verdict, level, floor)
        judged.append(verdict)
    return judged


def _counted_as(
    deltas: Sequence[Fact],
    counted: Mapping[Key, tuple[Key, ...]],
    tested: set[Key],
    metrics: Mapping[str, Metric],
) -> str:
    """How the comparisons of an adjustment are those that a page counts: some of these
    repeat or follow from others, and some of the others are neither better nor
    worse, ``, which stand for 24 that are reported``."""
    shown = sum(
        delta.better != "none" and delta.p_value is not None
        for delta in deltas
        if tested.issuperset(counted[_key(delta, metrics)])
    )
    neutral = sum(metrics[key[-1]].better == "none" for key in tested)
    words = f", {neutral:,} of them neither better nor worse" * bool(neutral)
    if shown != len(tested) - neutral:
        stand = "stands" if len(tested) == 1 else "stand"
        words += f", which {stand} for {shown:,} that are reported"
    return words


def _level(comparisons: int, clear: int, method: Adjustment) -> float:
    """The p-value up to which one more change is called one, beside so many others of
    the family that are."""
    if method == "holm":
        return SIGNIFICANT / (comparisons - clear)
    return SIGNIFICANT * (clear + 1) / comparisons


def _with_power(delta: Fact, level: float, floor: float) -> Fact:
    """With the smallest change that the runs show, and a warning of one that is only
    just significant: of such changes those are seen that chance made larger, so that
    their size is exaggerated (A. Gelman and J. Carlin, Perspectives on Psychological
    Science 9, 2014, 641)."""
    if delta.error is None or delta.degrees is None or delta.verdict is None:
        return delta
    runs, median = (delta.n, _other(delta)), median_error(delta.n)
    if _in_sessions(delta):
        runs, median = (0, 0), 1.0
    ratio = max(1 + delta.value / 100, _LEAST)
    step = math.asinh((delta.resolution or 0.0) / 200 / ratio)  # as far as it hides
    limit = math.log1p((floor if delta.threshold is None else delta.threshold) / 100)
    rule = ChangeRule(max(delta.error, _LEAST), delta.degrees, level, runs=runs)
    limited = replace(rule, threshold=max(limit - step, 0.0), median=median)
    if math.isfinite(shift := step + limited.smallest_shift()):
        delta = replace(delta, detectable=math.expm1(shift) * 100)
    if delta.verdict not in ("improved", "regressed") or delta.value <= -100:
        return delta
    if (chance := rule.power(abs(math.log1p(delta.value / 100)))) >= POWER:
        return delta
    warning = Remark("exaggerated", values={"chance": chance})
    return replace(delta, warnings=(*delta.warnings, warning))


def count_comparisons(
    facts: Iterable[Fact], metrics: Mapping[str, Metric]
) -> dict[Key, tuple[Key, ...]]:
    """The comparisons of facts, each with those that it counts as: itself, or those
    that it follows from."""
    values, deltas = dict[Key, Fact](), dict[Key, Fact]()
    for f in facts:
        if f.kind == "delta" and f.estimate is None:
            deltas.setdefault(_key(f, metrics), f)
        elif f.samples:
            values[f.study, f.workload, f.configuration, f.role, f.metric] = f
    order = {name: place for place, name in enumerate(metrics)}
    counted = dict[Key, tuple[Key, ...]]()
    for key in sorted(deltas, key=lambda key: order[key[-1]]):
        parents = [
            _compared((*key[:3], key[3], name), counted, metrics)
            for name in metrics[key[-1]].follows
        ]
        known = [parent for parent in parents if parent is not None]
        counted[key] = (key,)
        if known and len(known) == len(parents):
            tied = [deltas[key], *(deltas[parent] for parent in known)]
            if _follows(tied, values):
                counted[key] = tuple(k for parent in known for k in counted[parent])
    return {key: counted[key] for key in deltas}


def _key(fact: Fact, metrics: Mapping[str, Metric]) -> Key:
    metric = metrics[fact.metric].repeats or fact.metric
    return (fact.study, fact.workload, fact.configuration, fact.role, metric)


def _compared(
    wanted: Key, known: Mapping[Key, tuple[Key, ...]], metrics: Mapping[str, Metric]
) -> Key | None:
    """The comparison of a metric, or of one that follows from it alone; of a role or
    of the whole run."""
    study, workload, configuration, role, name = wanted
    names = [name, *(n for n, metric in metrics.items() if metric.follows == (name,))]
    keys = [(study, workload, configuration, r, n) for n in names for r in (role, None)]
    return next((key for key in keys if key in known), None)


def _follows(deltas: Sequence[Fact], values: Mapping[Key, Fact]) -> bool:
    """Whether the first change follows from the others: by least squares on the
    logarithms of the runs, within each side."""
    sides = []
    for name in (deltas[0].configuration, deltas[0].baseline or ""):
        keys = [(d.study, d.workload, name, d.role, d.metric) for d in deltas]
        if not all(key in values for key in keys):
            return False
        runs = [
            dict(zip(value.lineage.runs, value.samples, strict=True))
            for value in map(values.__getitem__, keys)
        ]
        shared = [run for run in runs[0] if all(run in one for one in runs)]
        table = np.array([[one[run] for one in runs] for run in shared])
        if not len(table) or table.min() <= 0:
            return False
        logs = np.log(table)
        sides.append(logs - logs.mean(axis=0))
    logs = np.concatenate(sides)
    first, others = logs[:, 0], logs[:, 1:]
    left = first - others @ np.linalg.lstsq(others, first, rcond=None)[0]
    spread = float(first @ first)
    return spread > 0 and float(left @ left) <= (1 - FOLLOWS) * spread


def _adjusted(
    p_values: Mapping[Key, float | None], method: Adjustment
) -> dict[Key, float]:
    tested = {key: p for key, p in p_values.items() if p is not None}
    return dict(zip(tested, adjust(list(tested.values()), method), strict=True))


def _told(delta: Fact, comparisons: int, method: Adjustment) -> Fact:
    """With what the number of its runs leaves it: nothing shown, or no verdict."""
    if _in_sessions(delta):
        return delta  # Student's test of few sessions may say as much as of many runs
    least = least_runs(comparisons, method)
    if delta.n < STATISTIC.smallest:
        few = Remark("untested", values={"n": delta.n, "least": least})
        # a percentage of a single run would pretend to more than is known
        printed = delta.printed if delta.n > 1 else f"need n ≥ {least}"
        return replace(delta, printed=printed, warnings=(few, *delta.warnings))
    if can_tell(delta.n, _other(delta), comparisons, method):
        return delta
    seen = {"n": delta.n, "comparisons": comparisons, "least": least}
    few = Remark("few_for_all", values=seen)
    return replace(delta, warnings=(few, *delta.warnings))


def _in_sessions(delta: Fact) -> bool:
    """Whether the change is judged by its sessions, which no ranks confirm."""
    return delta.sessions is not None and delta.sessions >= SEVERAL


def _other(delta: Fact) -> int:
    """How many runs the side has that does not have the fewest."""
    return len(delta.lineage.runs) - delta.n


def _judged(delta: Fact, p_adjusted: float | None, floor: float, rule: str) -> Fact:
    ends = delta.low, delta.high, delta.p_value, delta.low_90, delta.high_90
    change = Change(delta.value, *ends)
    threshold = floor if delta.threshold is None else delta.threshold
    verdict = judge(change, p_adjusted, delta.better, floor, threshold)
    if verdict and any(warning.voids for warning in delta.warnings):
        verdict = "inconclusive"  # a change of the machine is no result
    return replace(
        delta,
        p_adjusted=p_adjusted,
        verdict=verdict,
        lineage=replace(delta.lineage, rule=f"{delta.lineage.rule}{rule}"),
    )


def adjust(p_values: Sequence[float], method: Adjustment) -> list[float]:
    """The p-values of one family, adjusted for their number, in the given order.

    By Holm's step-down procedure (Scand. J. Statist. 6, 1979, 65-70), or by that of
    Y. Benjamini and Y. Hochberg (J. R. Statist. Soc. B 57, 1995, 289-300).
    """
    p = np.asarray(p_values, dtype=np.float64)
    order, n = np.argsort(p, kind="stable"), len(p)
    if method == "holm":
        steps = np.maximum.accumulate(p[order] * (n - np.arange(n)))
    else:
        each = p[order] * (n / np.arange(1, n + 1))
        steps = np.minimum.accumulate(each[::-1])[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1)
    return [float(x) for x in adjusted]


def judge(
    change: Change,
    p_adjusted: float | None,
    better: Literal["lower", "higher", "none"],
    floor: float,
    threshold: float,
) -> Verdict | None:
    """The verdict on a change; ``floor`` and ``threshold`` in percent.

    A change counts where the interval leaves out zero, the adjusted p-value is at most
    0.05 and the value reaches ``threshold``. It is comparable where two one-sided tests
    at 5% say that it lies inside the declared ``floor``, so where the interval of 90%
    does (D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987): noise may raise the
    bar for a change, but it must not make two things equal. Anything else is
    inconclusive. None: not tested, or a clear change of a metric of which neither
    direction is better.
    """
    if change.low is None or change.high is None or p_adjusted is None:
        return None
    apart = change.low > 0 or change.high < 0
    if p_adjusted <= SIGNIFICANT and apart and abs(change.value) >= threshold:
        if better == "none":
            return None
        gained = (change.value > 0) == (better == "higher")
        return "improved" if gained else "regressed"
    low, high = change.low_90, change.high_90
    inside = low is not None and high is not None and -floor <= low <= high <= floor
    return "comparable" if inside else "inconclusive"
