"""The comparisons that are judged together: their adjustment and their verdicts.

Among many comparisons some look significant by luck. The family is what the p-values
are adjusted over: the comparisons of a study or, where the edition asks for it, of all
its studies. A metric that repeats another, as CPU cost per MB repeats CPU cost per
transaction, is the same comparison and counts once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis.declared.edition import Family
from analysis.declared.metrics import Metric
from analysis.declared.study import Noise
from analysis.derive.delta import adjust, judge
from analysis.facts.fact import Fact, Facts
from analysis.facts.kinds import KINDS
from analysis.facts.remark import Remark
from analysis.statistics.median_change import RESAMPLES, STATISTIC, Change
from analysis.statistics.ranks import Adjustment, can_tell, least_runs

ADJUSTMENTS = {"holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}
_BY_LUCK = ("improved", "regressed", None)


def judge_studies(
    studies: Mapping[str, Facts],
    noises: Mapping[str, Noise],
    metrics: Mapping[str, Metric],
    family: Family = "study",
) -> list[Facts]:
    """The facts of an edition's studies, whose deltas get adjusted p-values, verdicts
    and what the number of their runs leaves them. What was predicted stays."""
    asked = {
        id: [f for f in facts.facts if f.kind == "delta" and f.estimate is None]
        for id, facts in studies.items()
    }
    families = list(asked.values())
    if family == "edition":
        families = [[delta for deltas in families for delta in deltas]]
    judged = {
        delta.key: delta
        for deltas in families
        for delta in _judge_family(deltas, noises, metrics, family)
    }
    return [
        replace(facts, facts=tuple(judged.get(f.key, f) for f in facts.facts))
        for facts in studies.values()
    ]


def _judge_family(
    deltas: Sequence[Fact],
    noises: Mapping[str, Noise],
    metrics: Mapping[str, Metric],
    family: Family,
) -> list[Fact]:
    """The deltas with p-values adjusted over all of them, and their verdicts.

    ``noises`` by study; all of one family have the same adjustment.
    """
    if not deltas:
        return []
    method = noises[deltas[0].study].adjust
    found: dict[tuple, float | None] = {}
    for delta in sorted(deltas, key=lambda d: bool(metrics[d.metric].repeats)):
        found.setdefault(_comparison(delta, metrics), delta.p_value)
    tested = {key: p for key, p in found.items() if p is not None}
    adjusted = dict(zip(tested, adjust(list(tested.values()), method), strict=True))
    rule = (
        f"ratio of medians; interval by bootstrap with {RESAMPLES:,} resamples; "
        "Mann-Whitney and Yuen's tests, "
        f"{ADJUSTMENTS[method]} over {len(tested)} comparisons"
        + (" of the edition" if family == "edition" else "")
    )
    return [
        _judged(
            _told(delta, len(found), method),
            adjusted.get(_comparison(delta, metrics)),
            noises[delta.study].floor,
            rule,
        )
        for delta in deltas
    ]


def _comparison(delta: Fact, metrics: Mapping[str, Metric]) -> tuple:
    """What is compared; the same for a metric and for one that repeats it."""
    metric = metrics[delta.metric].repeats or delta.metric
    return (delta.study, delta.workload, delta.role, delta.configuration, metric)


def _told(delta: Fact, comparisons: int, method: Adjustment) -> Fact:
    """With what the number of its runs leaves it: nothing shown, or no verdict."""
    least = least_runs(comparisons, method)
    if delta.n < STATISTIC.smallest:
        few = Remark("untested", values={"n": delta.n, "least": least})
        # a percentage of a single run would pretend to more than is known
        printed = delta.printed if delta.n > 1 else f"need n ≥ {least}"
        return replace(delta, printed=printed, warnings=(few, *delta.warnings))
    other = len(delta.lineage.runs) - delta.n
    if can_tell(delta.n, other, comparisons, method):
        return delta
    seen = {"n": delta.n, "comparisons": comparisons, "least": least}
    few = Remark("few_for_all", values=seen)
    return replace(delta, warnings=(few, *delta.warnings))


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
