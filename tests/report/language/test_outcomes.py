from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.facts.fact import Estimate, Fact, Facts
from analysis.facts.remark import Remark
from analysis.report.language.claims import evaluate, parse_claim
from analysis.report.language.scope import Scope, Selection, UnknownError
from tests.report.language.small import METRICS, change, outcome, study, value

RR1, RR10, RR40 = "RR1(1kB)", "RR10(4kB)", "RR40(100B)"
FALLS = (change(RR1, -37), change(RR10, -12))
MIXED = (change(RR1, -37), change(RR10, +12))
SLOWER = (*FALLS, change(RR40, 5))
STILL = (change(RR1, 0.4, half=1.0),)
WIDE = (change(RR1, 3.0, half=9.0),)
COST = (
    change("STR3(1B/20MB)", -30, metric="cpu_cost", role="client"),
    change("STR3(1B/20MB)", -10, metric="cpu_cost", role="server"),
)
SAVINGS = tuple(
    change(f"RR60({size}kB)", -saved) for size, saved in ((4, 5), (8, 9), (32, 20))
)
TWINS = (
    value(RR1, 100, "old", samples=(95.0, 100.0, 130.0)),
    value(RR1, 80, "new", samples=(70.0, 80.0, 110.0)),
)
RATES = tuple(replace(twin, metric="rate") for twin in TWINS)
MODES_SEEN = {"lower_runs": 3, "lower": 13, "upper_runs": 7, "upper": 55}
MODES = value(RR1, 50, "new", warnings=(Remark("bimodal", values=MODES_SEEN),))


LONGER = tuple(
    change("STR3(1B/20MB)", percent, metric=metric, role="sender", half=1.0)
    for metric, percent in (
        ("instructions_per_transaction", 33), ("cycles_per_instruction", 0.4),
        ("cpu_frequency", -0.2),
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "facts", "holds", "margin"),
    [
        ("latency falls for RR*", FALLS, True, 12),
        ("latency falls for RR*", MIXED, False, -12),
        ("latency rises for RR10(4kB)", MIXED, True, 12),
        ("latency falls for RR* beyond noise", FALLS, True, 10),
        ("latency falls for RR* beyond noise", WIDE, False, -12),
        ("latency falls by 10% to 40% for RR*", FALLS, True, 2),
        ("latency falls by 20% to 40% for RR*", FALLS, False, -8),
        ("latency falls by at least 10%", FALLS, True, 2),
        ("latency falls by about 40% for RR1(1kB)", FALLS, True, 1),
        ("latency falls by up to 37%", FALLS, True, 0.5),
        ("latency falls by up to 36%", FALLS, False, -0.5),
        ("latency falls by up to 37%", MIXED, False, None),
        ("latency falls by 20% to 30% on average for RR*", FALLS, True, 4.5),
        ("latency falls by 30% to 40% on average for RR*", FALLS, False, -4.5),
        ("latency halves for RR1(1kB)", (change(RR1, -50),), True, 5),
        ("latency halves for RR1(1kB)", FALLS, False, -8),
        ("latency doubles", (change(RR1, 103),), True, 17),
        ("latency improves", FALLS, True, 10),
        ("latency worsens", FALLS, False, -39),
        ("instructions_per_transaction of sender rises by at least 30%",
         LONGER, True, 3),
        ("cycles_per_instruction of sender is comparable", LONGER, True, 0.6),
        ("cpu_frequency of sender is comparable", LONGER, True, 0.8),
        ("instructions_per_transaction of sender is comparable", LONGER, False, None),
        ("latency is comparable", STILL, True, 0.6),
        ("latency is comparable", WIDE, False, -10),
        ("latency is comparable", (change(RR1, 1.2, half=0.3),), True, 0.5),
        ("latency is comparable", (change(RR1, -1.2, half=0.3),), True, 0.5),
        ("latency is inconclusive", WIDE, True, 10),
        ("latency is inconclusive", STILL, False, -0.6),
        ("latency is improved", FALLS, True, 10),
        ("cpu_cost of client falls by 30%", COST, True, 0.5),
        ("cpu_cost of server falls by 30%", COST, False, -19.5),
        ("no comparison is regressed", FALLS, True, None),
        ("no comparison is improved", FALLS, False, None),
        ("no comparison is improved for RR40(100B)", SLOWER, True, None),
        ("latency saving grows with payload over RR60(4kB..32kB)", SAVINGS, True, 4),
        ("latency saving shrinks with payload", SAVINGS, False, -11),
        ("latency gain grows with payload", SAVINGS, False, -11),
        ("latency of new is below latency of old", TWINS, True, 25),
        ("latency of new is above latency of old", TWINS, False, -20),
        ("latency of new is below 90% of latency of old", TWINS, True, 12.5),
        ("latency of new is below 100 µs", TWINS, True, 25),
        ("latency of new is below 64 µs", TWINS, False, -20),
        ("latency of new is below latency of old in every run", TWINS, False, None),
        ("rate of new is below rate of old in all runs but one", RATES, True, None),
        ("rate of new is below rate of old in all runs but 2", RATES, False, None),
        ("latency of new is bimodal", (MODES,), True, None),
        ("latency of new is not bimodal", (MODES,), False, None),
        ("latency scatters more for RR1(1kB) than for RR10(4kB)",
         (change(RR1, 3, half=9), change(RR10, 3, half=4)), True, 10),
        ("latency scatters more for RR10(4kB) than for RR1(1kB)",
         (change(RR1, 3, half=9), change(RR10, 3, half=4)), False, -10),
    ],
)  # fmt: skip
def test_a_claim_has_a_verdict_and_a_margin(
    text: str, facts: tuple[Fact, ...], holds: bool, margin: float | None
) -> None:
    found = outcome(text, *facts)
    assert found.holds is holds
    assert found.deciding.left
    assert found.deciding.right
    if margin is not None:
        assert found.deciding.margin == pytest.approx(margin, abs=0.3)


def test_growth_is_looked_at_within_one_shape_and_number_of_clients() -> None:
    numbers = {"RR1(1kB)": 9, "RR1(4kB)": 12, "RR10(2kB)": 1, "RR10(8kB)": 2}
    facts = [value(name, number, "new") for name, number in numbers.items()]
    assert outcome("latency of new grows with payload", *facts).holds
    assert not outcome("latency of new shrinks with payload", *facts).holds
    clients = [value(f"RR{n}(1kB)", 5.0 * n, "new") for n in (1, 2, 40)]
    assert outcome("latency of new grows with clients over RR*", *clients).holds


def test_a_metric_without_a_better_direction_can_rise_beyond_noise() -> None:
    clear = change(RR1, 14, metric="utilisation", role="server", verdict=None)
    assert outcome("utilisation of server rises beyond noise", clear).holds
    dim = change(RR1, 14, metric="utilisation", role="server", verdict="inconclusive")
    assert not outcome("utilisation of server rises beyond noise", dim).holds


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (
            (change(RR1, -0.8, half=0.1, verdict="improved"),),
            "less than the 1 declared",
        ),
        (FALLS, ""),
    ],
)
def test_a_narrow_claim_is_fragile(facts: tuple[Fact, ...], why: str) -> None:
    found = outcome("latency falls for RR*", *facts)
    assert found.holds
    assert why in found.fragile
    assert bool(found.fragile) == bool(why)
    assert found.state == ("fragile" if why else "holds")


@pytest.mark.parametrize(
    ("text", "origin", "complaint"),
    [
        ("latency falls", "modelled", "is predicted to"),
        ("latency is predicted to fall", "measured", "say it plainly"),
        ("latency is predicted to fall", "published", "say it plainly"),
        ("latency is predicted to fall", "synthetic", "say it plainly"),
    ],
)
def test_predictions_need_their_words(text: str, origin: str, complaint: str) -> None:
    with pytest.raises(UnknownError) as caught:
        outcome(text, change(RR1, -37, origin=origin))
    assert ("predicted values" if origin == "modelled" else origin) in str(caught.value)
    assert complaint in caught.value.mend


def test_the_right_words_for_a_prediction_pass() -> None:
    assert outcome("latency is predicted to fall", change(RR1, -9, origin="modelled"))
    assert outcome("latency falls", change(RR1, -9, origin="published"))
    assert outcome("latency falls", change(RR1, -9, origin="synthetic"))


def estimated(workload: str, percent: float, half: float = 2.0) -> Fact:
    """A change that the fallback predicted from synthetic runs: nothing was tested."""
    estimate = Estimate("generation", "generation transfer", "1", "so", "published")
    found = change(workload, percent, half=half, origin="synthetic", estimate=estimate)
    return replace(found, n=0, verdict=None, p_value=None, p_adjusted=None)


def test_one_estimate_among_the_facts_makes_a_claim_a_prediction() -> None:
    facts = (change(RR10, -12, origin="synthetic"), estimated(RR1, -37))
    with pytest.raises(UnknownError, match="predicted values"):
        outcome("latency falls for RR*", *facts)
    found = outcome("latency is predicted to fall for RR*", *facts)
    assert found.holds
    assert not found.fragile


def test_a_range_with_both_signs_makes_a_prediction_fragile() -> None:
    found = outcome("latency is predicted to fall", estimated(RR1, -3, half=5.0))
    assert found.state == "fragile"
    assert "both signs" in found.fragile


def test_a_prediction_is_never_beyond_noise() -> None:
    claim = "latency is predicted to fall beyond noise"
    assert not outcome(claim, estimated(RR1, -37)).holds


@pytest.mark.parametrize(
    ("text", "facts", "complaint", "hint"),
    [
        ("cpu_cost falls", COST, "each role", "cpu_cost of client"),
        ("latency of young falls", FALLS, "'young'", "new"),
        ("latency of old falls", FALLS, "no role or configuration 'old'", "new"),
        ("latency is below 9 µs", TWINS, "several configurations", "latency of old"),
        ("latency falls for STR*", FALLS, "for workload 'STR*'", "RR1(1kB)"),
        ("throughput falls", FALLS, "no delta of throughput", ""),
        ("latency of new is below 9 ms", TWINS, "not in 'ms'", "µs"),
        ("latency of new is below rate of old", TWINS, "unlike", "latency"),
        ("latency of new grows with payload", TWINS, "nothing to compare", "one shape"),
        ("latency of new of old is below 1 µs", TWINS, "too much", "at most"),
        ("no comparison is improved for STR*", FALLS, "no such", "workloads"),
        ("latency of new is below latency of old in every run",
         (value(RR1, 1, "old"), value(RR1, 1, "new")), "no runs to compare", "values"),
    ],
)  # fmt: skip
def test_what_does_not_exist_is_named(
    text: str, facts: tuple[Fact, ...], complaint: str, hint: str
) -> None:
    with pytest.raises(UnknownError) as caught:
        outcome(text, *facts)
    assert complaint in str(caught.value)
    assert hint in caught.value.mend


def test_several_tests_must_be_told_apart() -> None:
    facts = (change(RR1, -9, test="new"), change(RR1, 9, test="newer"))
    both = ("new", "newer")
    assert outcome("latency of new falls", *facts, tests=both).holds
    assert outcome("latency of newer rises", *facts, tests=both).holds
    with pytest.raises(UnknownError, match="several tests"):
        outcome("latency falls", *facts, tests=both)


def test_a_false_claim_names_line_both_sides_margin_and_cure() -> None:
    issue = outcome("latency rises for RR1(1kB)", *FALLS).failure
    text = str(issue)
    assert "o.md:7: this claim is false: latency rises for RR1(1kB)" in text
    assert "the data say: −37% for RR1(1kB)" in text
    assert "the claim demands: above 0.0% (off by 37.0 points)" in text
    assert "mend: change the claim" in text


def test_a_fragile_claim_says_by_how_little_it_holds() -> None:
    found = outcome("latency falls by at most 15% for RR10(4kB)", *FALLS)
    assert found.state == "holds"
    found = outcome("latency falls by at most 12.4% for RR10(4kB)", *FALLS)
    assert "it holds by 0.40 points" in str(found.fragility)


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("falls by at least 35%", ""),
        ("falls by at least 36.5%", "the interval of RR1(1kB) reaches to −36%"),
        ("falls by at most 39%", ""),
        ("falls by at most 37.5%", "the interval of RR1(1kB) reaches to −38%"),
        ("falls by 35% to 39%", ""),
        ("falls by 36.5% to 39%", "the interval of RR1(1kB) reaches to −36%"),
        ("falls by 35% to 37.5%", "the interval of RR1(1kB) reaches to −38%"),
        ("falls by about 37%", ""),
        ("falls by 37%", ""),
        ("falls by up to 37%", ""),
    ],
)
def test_a_size_is_judged_by_the_end_of_the_interval(claim: str, why: str) -> None:
    fact = change("RR1(1kB)", -37, half=1)
    scope = Scope(Facts((fact,)), {"speed": study()}, METRICS, "speed")
    found = evaluate(parse_claim(f"latency {claim} for RR1(1kB)", METRICS), scope, 0.1)
    assert (found.holds, found.fragile) == (True, why)


def test_at_least_half_as_much_again_is_fragile_where_it_may_be_39_percent() -> None:
    fact = change("RR1(1kB)", 54, low=39.0, high=70.0)
    found = outcome("latency rises by at least 50% for RR1(1kB)", fact)
    assert found.state == "fragile"
    assert "reaches to +39%" in str(found.fragility)


@pytest.mark.parametrize(
    ("claim", "ends", "why"),
    [
        ("latency of new is below 100 µs", (70, 90), ""),
        ("latency of new is below 100 µs", (70, 104), "RR1(1kB) reaches to 104 µs"),
        ("latency of new is above 60 µs", (70, 104), ""),
        ("latency of new is above 60 µs", (59, 104), "RR1(1kB) reaches to 59.0 µs"),
        ("latency of new is below 50% of latency of old", (75, 85), ""),
        # 0.4 times e to the root of the squares of ln 95/80 and ln 200/190
        ("latency of new is below 45% of latency of old", (75, 95), "47.9% of that"),
        ("latency of new is above 39% of latency of old", (78, 81), "38.2% of that"),
        ("latency of new is below latency of old", (75, 95), ""),
        ("latency differs by at most 160% between old and new", (78, 81), "161.9%"),
        ("latency differs by at most 165% between old and new", (78, 81), ""),
    ],
)
def test_a_size_of_values_is_judged_by_their_intervals(claim, ends, why) -> None:
    new = value(RR1, 80.0, "new", low=float(ends[0]), high=float(ends[1]))
    old = value(RR1, 200.0, "old", low=190.0, high=208.0)
    found = outcome(claim, new, old)
    assert found.holds
    assert bool(found.fragile) == bool(why)
    assert why in found.fragile


numbers = st.floats(-90, 300, allow_nan=False).filter(lambda x: abs(x) > 1e-6)


@given(st.lists(numbers, min_size=1, max_size=5, unique=True))
def test_falls_and_rises_exclude_each_other(percents: list[float]) -> None:
    facts = [change(f"RR{n + 1}(1kB)", p) for n, p in enumerate(percents)]
    falls, rises = outcome("latency falls", *facts), outcome("latency rises", *facts)
    assert not (falls.holds and rises.holds)
    moved = all(abs(p) > 2 for p in percents)  # beyond the limit, and the interval
    assert falls.holds == (moved and all(p < 0 for p in percents))
    assert rises.holds == (moved and all(p > 0 for p in percents))


@given(st.lists(numbers, min_size=1, max_size=5, unique=True), st.integers(0, 90))
def test_the_margin_is_positive_exactly_where_the_claim_holds(
    percents: list[float], low: int
) -> None:
    facts = [change(f"RR{n + 1}(1kB)", p) for n, p in enumerate(percents)]
    found = outcome(f"latency falls by at least {low}%", *facts)
    assert found.deciding.margin is not None
    assert found.holds == (found.deciding.margin >= 0 and max(percents) < 0)


@given(numbers, st.floats(0.5, 2))
def test_a_shift_within_the_margin_never_flips_a_claim(
    percent: float, share: float
) -> None:
    text = "latency falls by 10% to 60%"
    before = outcome(text, change(RR1, percent))
    margin = before.deciding.margin or 0.0
    for sign in (-1, 1):
        moved = change(RR1, percent + sign * 0.99 * abs(margin))
        assert outcome(text, moved).holds == before.holds


@given(st.lists(st.floats(1, 500), min_size=2, max_size=6, unique=True))
def test_below_and_above_mirror_each_other(samples: list[float]) -> None:
    old, new = value(RR1, samples[0], "old"), value(RR1, samples[1], "new")
    below = outcome("latency of new is below latency of old", old, new)
    above = outcome("latency of old is above latency of new", old, new)
    assert below.holds == above.holds
    assert below.deciding.margin == pytest.approx(above.deciding.margin)


def test_a_study_of_values_has_no_change_to_claim() -> None:
    alone = study().model_copy(update={"tests": ()})
    scope = Scope(Facts((value(RR1, 120.0, "old"),)), {"s": alone}, METRICS, "s")
    facts = tuple(replace(f, study="s") for f in scope.facts.facts)
    scope = replace(scope, facts=Facts(facts))
    assert evaluate(parse_claim("latency is above 100 µs", METRICS, 7), scope, 1).holds
    with pytest.raises(UnknownError, match="has no tests"):
        evaluate(parse_claim("latency falls", METRICS, 7), scope, 1)
    with pytest.raises(UnknownError, match="has no tests"):
        scope.select(Selection("delta", "latency", RR1))
