"""What a family makes of changes made by hand: p-values, verdicts, words, warnings."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.declared.metrics import read_metrics
from analysis.derive.family import judge_studies
from analysis.facts.fact import Estimate, Facts, Lineage
from analysis.facts.remark import Remark
from analysis.facts.units import how_many
from tests.report.language.small import change, value

METRICS = read_metrics()
HOLM = SimpleNamespace(adjust="holm", floor=2.0, primary=())
BH = SimpleNamespace(adjust="benjamini-hochberg", floor=2.0, primary=())
BOOST = Remark("boost", values={"runs": 1, "of": 10, "boosts": ("x",)})


def rule(name: str, count: int) -> str:
    return f"how; {name} over {how_many(count, 'comparison')}"


def delta(workload: str, percent: float, p_value: float | None, **fields: Any):
    """A change of ten runs a side, not judged yet."""
    runs = tuple(f"r{n}" for n in range(fields.pop("runs", 20)))
    made = change(
        workload, percent, p_value=p_value, lineage=Lineage("how", runs), **fields
    )
    return replace(made, verdict=None, p_adjusted=None)


def judged(*facts, noise=HOLM, family: Any = "study") -> list:
    (found,) = judge_studies({"speed": Facts(facts)}, {"speed": noise}, METRICS, family)
    return list(found.facts)


RR = [f"RR{n}(1kB)" for n in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("noise", "adjusted", "name"),
    [
        (HOLM, [0.03, 0.06, 0.06, 0.02], "Holm"),
        (BH, [0.02, 0.04, 0.04, 0.02], "Benjamini-Hochberg"),
    ],
)
def test_p_values_are_adjusted_in_the_order_of_the_facts(noise, adjusted, name) -> None:
    facts = [
        delta(w, -9, p) for w, p in zip(RR, (0.01, 0.04, 0.03, 0.005), strict=True)
    ]
    found = judged(*facts, noise=noise)
    assert [f.p_adjusted for f in found] == pytest.approx(adjusted)
    assert [f.verdict for f in found] == [
        "improved" if p <= 0.05 else "inconclusive" for p in adjusted
    ]
    assert {f.lineage.rule for f in found} == {rule(name, 4)}
    assert [f.lineage.runs for f in found] == [f.lineage.runs for f in facts]


def test_a_metric_that_repeats_another_counts_once_with_its_p_value() -> None:
    of = {"role": "client", "half": 0.5}
    cost = delta(RR[0], -9, 0.01, metric="cpu_cost", **of)
    per_mb = delta(RR[0], -9, 0.02, metric="cpu_cost_per_mb", **of)
    server = delta(RR[0], -9, 0.04, metric="cpu_cost", role="server", half=0.5)
    for facts in ((cost, per_mb, server), (per_mb, server, cost)):
        found = {f.key: f.p_adjusted for f in judged(*facts)}
        assert found[cost.key] == found[per_mb.key] == pytest.approx(0.02)
        assert found[server.key] == pytest.approx(0.04)
    doubtful = {f.key: f for f in judged(cost, replace(per_mb, p_value=0.3))}
    assert doubtful[per_mb.key].p_adjusted == 0.3  # its interval has zero inside


SPREAD = np.array([1.0, 1.03, 0.98, 1.01, 0.97, 1.02])
OTHER = np.array([1.02, 0.99, 1.0, 0.96, 1.01, 1.03])


def sides(metric: str, runs: np.ndarray, role: str | None = None) -> list:
    """The values of both sides; the runs of the second are the first ones turned."""
    names = tuple(f"r{n}" for n in range(len(runs)))
    return [
        value(
            RR[0], 1.0, name, metric, role, tuple(samples), lineage=Lineage("", names)
        )
        for name, samples in (("old", runs), ("new", 2 * runs[::-1]))
    ]


@pytest.mark.parametrize(("latency", "counted"), [(1 / SPREAD, 1), (OTHER, 2)])
def test_latency_counts_with_the_rate_that_it_follows(latency, counted) -> None:
    first = delta(RR[0], 30, 0.02, metric="rate")
    second = delta(RR[0], -30, 0.01, metric="latency")
    facts = *sides("rate", SPREAD), *sides("latency", latency), first, second
    found = {f.key: f for f in judged(*facts)}
    rate, follower = found[first.key], found[second.key]
    stands = ", which stands for 2 that are reported" if counted == 1 else ""
    assert rate.lineage.rule == rule("Holm", counted) + stands
    assert rate.p_adjusted == 0.02
    assert (
        follower.p_adjusted == 0.02
    )  # alone twice 0.01, with the rate that of the rate
    unchanged = replace(first, p_value=0.5)
    found = {f.key: f for f in judged(*facts[:-2], unchanged, second)}
    assert found[second.key].p_adjusted == (0.5 if counted == 1 else 0.02)


def test_utilisation_counts_with_cost_and_the_rate_or_what_follows_from_it() -> None:
    of = {"role": "client"}
    cost = delta(RR[0], 9, 0.2, metric="cpu_cost", **of)
    latency = delta(RR[0], -9, 0.001, metric="latency")
    busy = delta(RR[0], 9, 0.01, metric="utilisation", **of)
    values = [
        *sides("latency", SPREAD),
        *sides("cpu_cost", OTHER, "client"),
        *sides("utilisation", OTHER / SPREAD, "client"),
    ]
    found = {f.key: f for f in judged(*values, busy, cost, latency)}
    assert found[busy.key].lineage.rule == rule("Holm", 2)
    assert found[busy.key].p_adjusted == 0.01  # as the latency changed
    found = {f.key: f for f in judged(*values[2:], busy, cost)}
    neutral = ", 1 of them neither better nor worse"  # no rate explains it
    assert found[busy.key].lineage.rule == rule("Holm", 2) + neutral


def test_primary_metrics_are_judged_among_themselves_and_others_among_all() -> None:
    noise = SimpleNamespace(adjust="holm", floor=2.0, primary=("rate",))
    rates = [delta(w, 9, 0.02, metric="rate") for w in RR[:2]]
    costs = [delta(w, 9, 0.03, metric="cpu_cost", role="client") for w in RR[:2]]
    found = judged(*rates, *costs, noise=noise)
    assert [f.p_adjusted for f in found] == pytest.approx([0.04, 0.04, 0.08, 0.08])
    assert found[0].lineage.rule == rule("Holm", 2) + " of primary metrics"
    assert found[2].lineage.rule == rule("Holm", 4)


def test_what_was_not_tested_is_counted_but_not_adjusted_over() -> None:
    bare = delta(RR[1], -9, None, low=None, high=None, n=3, runs=6)
    found, untested = judged(delta(RR[0], -9, 0.03), bare)
    assert found.p_adjusted == 0.03
    assert found.lineage.rule == rule("Holm", 1)
    assert (untested.p_adjusted, untested.verdict) == (None, None)
    assert [(w.kind, dict(w.values)) for w in untested.warnings] == [
        ("untested", {"n": 3, "least": 4})
    ]
    assert untested.printed == bare.printed


@pytest.mark.parametrize(("n", "printed"), [(1, "need n ≥ 4"), (2, "−9.0%")])
def test_one_run_gives_no_percentage(n: int, printed: str) -> None:
    bare = delta(RR[0], -9, None, low=None, high=None, n=n, runs=2 * n)
    assert judged(bare)[0].printed == printed


def test_values_and_predictions_stay_as_they_are() -> None:
    estimate = Estimate("generation", "generation transfer", "1", "so", "published")
    kept = value(RR[0], 9, "new"), delta(RR[1], -9, 0.03, estimate=estimate)
    *found, one = judged(*kept, delta(RR[0], -9, 0.03))
    assert found == list(kept)
    assert one.p_adjusted == 0.03


@pytest.mark.parametrize(
    ("n", "runs", "comparisons", "least"),
    [(4, 8, 1, None), (4, 8, 3, None), (4, 8, 4, 5), (4, 9, 4, None)],
)
def test_few_runs_for_all_comparisons_are_said(n, runs, comparisons, least) -> None:
    of = {"n": n, "runs": runs, "warnings": (Remark("order_unknown", values={}),)}
    first, *_ = judged(*[delta(w, -9, 0.001, **of) for w in RR[:comparisons]])
    kinds = [w.kind for w in first.warnings]
    assert kinds == (["few_for_all"] if least else []) + ["order_unknown"]
    if least:
        told = {"n": n, "comparisons": comparisons, "least": least}
        assert dict(first.warnings[0].values) == told


def test_a_change_of_the_machine_is_no_result() -> None:
    plain, void, equal = judged(
        delta(RR[0], -9, 0.001),
        delta(RR[1], -9, 0.001, warnings=(BOOST,)),
        delta(RR[2], 0.1, 0.9, half=0.5, warnings=(BOOST,)),
    )
    assert (plain.verdict, void.verdict) == ("improved", "inconclusive")
    assert equal.verdict == "inconclusive"


@pytest.mark.parametrize(
    ("threshold", "verdict"),
    [(None, "improved"), (0.0, "improved"), (9.5, "inconclusive")],
)
def test_the_threshold_of_a_change_comes_before_the_floor(threshold, verdict) -> None:
    assert judged(delta(RR[0], -9, 0.001, threshold=threshold))[0].verdict == verdict
    small = delta(RR[0], -1.9, 0.001, half=1.5, threshold=threshold)
    expected = "improved" if threshold == 0 else "inconclusive"
    assert judged(small)[0].verdict == expected


@pytest.mark.parametrize(("family", "times"), [("study", 1), ("edition", 2)])
def test_studies_are_judged_alone_or_together(family: Any, times: int) -> None:
    one, other = delta(RR[0], -9, 0.01), delta(RR[0], -9, 0.02, study="b")
    other = replace(other, key=other.key.replace("speed", "b"))
    studies = {"speed": Facts((one,)), "b": Facts((other, value(RR[0], 1, "new")))}
    found = judge_studies(studies, {"speed": HOLM, "b": HOLM}, METRICS, family)
    assert [f.p_adjusted for facts in found for f in facts.facts] == pytest.approx(
        [0.01 * times, 0.02, None]
    )
    over = rule("Holm", times) + (" of the edition" if times > 1 else "")
    assert found[1].facts[0].lineage.rule == over


def test_a_study_without_changes_has_no_family() -> None:
    facts = Facts((value(RR[0], 9, "new"),))
    for family in ("study", "edition"):
        assert judge_studies({"speed": facts}, {}, METRICS, family) == [facts]


# The smallest change that runs show

MANY = {"error": 0.01, "degrees": 18.0, "n": 11, "runs": 22}  # ranks follow


def shown(*facts, noise=HOLM) -> list[float | None]:
    return [fact.detectable for fact in judged(*facts, noise=noise)]


def test_the_smallest_change_is_that_of_books() -> None:
    # 2.959 standard errors for t with 18 degrees at 5%, and no limit
    [size] = shown(delta(RR[0], 0.5, 0.9, threshold=0.0, **MANY))
    assert size == pytest.approx((math.exp(0.02959) - 1) * 100, abs=0.03)


def test_a_limit_makes_the_smallest_change_larger() -> None:
    facts = [delta(RR[0], 0.5, 0.9, threshold=t, **MANY) for t in (0.0, 5.0)]
    [small], [large] = (shown(fact) for fact in facts)
    assert small < 5 < large < small + 5


@pytest.mark.parametrize(("noise", "ratio"), [(HOLM, 1.0), (BH, 1.0)])
def test_the_level_is_that_beside_the_clear_changes_of_the_family(noise, ratio) -> None:
    quiet = delta(RR[0], 0.5, 0.9, threshold=0.0, **MANY)
    open_ones = [delta(w, 0.5, 0.9, **MANY) for w in RR[1:]]
    clear = [delta(w, -30, 1e-6, **MANY) for w in RR[1:]]
    [alone], [among, *_], [beside, *_] = (
        shown(quiet, *others, noise=noise) for others in ((), open_ones, clear)
    )
    assert among > alone
    assert beside == pytest.approx(alone * ratio)


def test_of_too_few_runs_for_the_family_no_change_is_shown() -> None:
    few = {"error": 0.01, "degrees": 4.8, "n": 4, "runs": 8}
    assert shown(*[delta(w, 0.5, 0.9, **few) for w in RR])[0] is None
    assert shown(delta(RR[0], 0.5, 0.9, **few))[0] is not None


def test_a_resolution_hides_what_is_smaller() -> None:
    [fine], [coarse] = (
        shown(delta(RR[0], 0.5, 0.9, resolution=step, **MANY)) for step in (None, 40)
    )
    assert coarse > 20 > fine


@pytest.mark.parametrize(
    ("percent", "verdict", "warned"),
    [
        (-2.5, "improved", True),
        (-3.5, "improved", False),
        (-2.5, "inconclusive", False),
    ],
)
def test_a_change_that_is_only_just_significant_says_so(percent, verdict, warned):
    p_value = 0.02 if verdict == "improved" else 0.2
    made = delta(RR[0], percent, p_value, half=2.4, threshold=0.0, **MANY)
    [found] = judged(made)
    assert found.verdict == verdict
    said = [str(w) for w in found.warnings if w.kind == "exaggerated"]
    assert bool(said) is warned
    if said:
        assert "of true changes of this size 6" in said[0]


def test_sessions_show_what_so_few_runs_could_not() -> None:
    few = {"error": 0.01, "degrees": 4.0, "n": 5, "runs": 10, "threshold": 0.0}
    of_family = [delta(w, 0.5, 0.9, **few) for w in (RR * 10)[:40]]
    assert shown(replace(of_family[0], sessions=5), *of_family[1:4])[0] is not None
