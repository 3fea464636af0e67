"""What stands before others: both sides, the margin with its unit, and the facts."""

from __future__ import annotations

import pytest

from analysis.report.language.changes import Ranks, changes_between
from analysis.report.language.claim import ClaimFacts
from analysis.report.language.claims import parse_claim
from analysis.report.language.reading import Workloads
from analysis.report.language.scope import Scope, UnknownError
from tests.report.language.small import METRICS, change, outcome, value

RR1, RR10, RR40 = "RR1(1kB)", "RR10(4kB)", "RR40(100B)"
MOVED = (change(RR1, -10), change(RR10, -30), change(RR40, -25))
LEVELS = tuple(
    value(name, number, "new") for name, number in ((RR1, 50), (RR10, 80), (RR40, 64))
)
NOISY = (change(RR1, -10), change(RR10, -30, half=40), change(RR40, -25))
ROLES = tuple(
    change("STR1(1B/1MB)", size, metric="cpu_cost", role=role)
    for role, size in (("receiver", -70), ("sender", -30))
)


@pytest.mark.parametrize(
    ("text", "facts", "holds", "left", "right", "margin", "unit"),
    [
        ("latency falls most for RR10(4kB)", MOVED, True,
         "−30% for RR10(4kB) and −25% for RR40(100B)", "the larger fall first",
         5, "points"),
        ("latency falls most for RR40(100B)", MOVED, False,
         "−25% for RR40(100B) and −30% for RR10(4kB)", "the larger fall first",
         -5, "points"),
        ("latency falls least for RR1(1kB)", MOVED, True,
         "−10% for RR1(1kB) and −25% for RR40(100B)", "the smaller fall first",
         15, "points"),
        ("latency rises most for RR1(1kB)", MOVED, True,
         "−10% for RR1(1kB) and −25% for RR40(100B)", "the larger rise first",
         15, "points"),
        ("latency falls more for RR40(100B) than for RR1(1kB)", MOVED, True,
         "−25% for RR40(100B) and −10% for RR1(1kB)", "the larger fall first",
         15, "points"),
        ("latency of new is highest for RR10(4kB)", LEVELS, True,
         "80.0 µs for RR10(4kB) and 64.0 µs for RR40(100B)", "the larger value first",
         25, "%"),
        ("latency of new is lowest for RR40(100B)", LEVELS, False,
         "64.0 µs for RR40(100B) and 50.0 µs for RR1(1kB)", "the smaller value first",
         -28, "%"),
        ("latency of new is lower for RR1(1kB) than for RR10(4kB)", LEVELS, True,
         "50.0 µs for RR1(1kB) and 80.0 µs for RR10(4kB)", "the smaller value first",
         37.5, "%"),
        ("latency falls more for RR10(4kB) than for RR1(1kB)", NOISY, False,
         "−30% for RR10(4kB) and −10% for RR1(1kB), and −30% is within noise",
         "the larger fall first", 0, "points"),
        ("latency falls less for RR1(1kB) than for RR10(4kB)", NOISY, False,
         "−10% for RR1(1kB) and −30% for RR10(4kB), and −30% is within noise",
         "the smaller fall first", 0, "points"),
        ("latency falls less for RR10(4kB) than for RR1(1kB)", NOISY, False,
         "−30% for RR10(4kB) and −10% for RR1(1kB)",
         "the smaller fall first", -20, "points"),
        ("cpu_cost of receiver falls more than cpu_cost of sender", ROLES, True,
         "−70% of receiver for STR1(1B/1MB) and −30% of sender for STR1(1B/1MB)",
         "the larger fall first", 40, "points"),
    ],
)  # fmt: skip
def test_both_sides_and_the_margin(text, facts, holds, left, right, margin, unit):
    found = outcome(text, *facts).deciding
    assert (found.holds, found.left, found.right) == (holds, left, right)
    assert (found.margin, found.unit) == (pytest.approx(margin), unit)


@pytest.mark.parametrize(("noise", "holds"), [(RR1, True), (RR10, False)])
def test_noise_counts_where_it_would_lead(noise: str, holds: bool) -> None:
    facts = [change(n, p, verdict="inconclusive" if n == noise else None)
             for n, p in ((RR1, -10), (RR10, -30))]  # fmt: skip
    assert outcome("latency falls most for RR10(4kB)", *facts).holds == holds
    assert outcome("latency falls least for RR1(1kB)", *facts).holds == holds


def test_noise_of_changes_says_nothing_of_values() -> None:
    facts = (*LEVELS, change(RR10, 1.0, verdict="inconclusive"))
    assert outcome("latency of new is highest for RR10(4kB)", *facts).holds


@pytest.mark.parametrize("text", ["highest for RR1(1kB)", "lowest for RR1(1kB)"])
def test_equal_values_stand_before_none(text: str) -> None:
    twins = (value(RR1, 50, "new"), value(RR10, 50, "new"))
    found = outcome(f"latency of new is {text}", *twins)
    assert (found.holds, found.deciding.margin) == (False, 0.0)


@pytest.mark.parametrize("other", [0.0, -20.0])
def test_the_margin_is_a_share_of_the_other_value_where_it_has_one(other) -> None:
    twins = (value(RR1, 10, "new"), value(RR10, other, "new"))
    found = outcome("latency of new is highest for RR1(1kB)", *twins).deciding
    assert found.margin == pytest.approx(150 if other else 10)


def test_all_sides_are_facts_of_the_claim() -> None:
    most = outcome("latency falls most for RR10(4kB)", *MOVED)
    assert [f.workload for f in most.facts] == [RR10, RR1, RR40]
    assert [f.workload for f in most.deciding.facts] == [RR10, RR40]


@pytest.mark.parametrize(
    ("margin", "state"),
    [(5.0, "holds"), (1.0, "holds"), (0.5, "fragile"), (-0.5, "fails"), (-2, "fails")],
)
def test_a_rank_by_little_is_fragile(margin: float, state: str) -> None:
    facts = (change(RR1, -10), change(RR10, -10 - margin))
    found = outcome("latency falls most for RR10(4kB)", *facts)
    assert found.state == state
    assert found.deciding.margin == pytest.approx(margin)


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("latency of new is highest", Ranks("value", True, most=True)),
        ("latency of new is lowest", Ranks("value", False, most=True)),
        ("latency falls most", Ranks("fall", True, most=True)),
        ("latency falls least", Ranks("fall", False, most=True)),
        ("latency rises most", Ranks("rise", True, most=True)),
    ],
)
def test_each_rank_is_read(text: str, rank: Ranks) -> None:
    assert parse_claim(f"{text} for RR*", METRICS).form == rank


@pytest.mark.parametrize(
    "text",
    [
        "latency of new is higher for RR*",
        "latency falls less for RR*",
        "latency falls most for RR1(1kB) than for RR10(4kB)",
        "latency falls more for RR1(1kB) than latencie of new",
    ],
)
def test_a_rank_says_what_it_is_compared_with(text: str) -> None:
    with pytest.raises(UnknownError):
        parse_claim(text, METRICS)


@pytest.mark.parametrize(
    ("fact", "found"),
    [
        (change(RR1, -10), True),
        (change(RR1, -10, test="old", baseline="new"), True),
        (change(RR10, -10), False),
        (change(RR1, -10, metric="rate"), False),
        (change(RR1, -10, role="client"), False),
        (change(RR1, -10, test="newer"), False),
        (change(RR1, -10, baseline="older"), False),
        (change(RR1, -10, study="other"), False),
        (value(RR1, -10, "new", baseline="old"), False),
    ],
)
def test_the_change_between_two_sides(fact, found: bool) -> None:
    from analysis.facts.fact import Facts
    from tests.report.language.small import study

    scope = Scope(Facts((fact,)), {"speed": study()}, METRICS, "speed")
    sides = (value(RR1, 90, "new"),), (value(RR1, 100, "old"),)
    sources = ClaimFacts(scope, None, Workloads())
    assert changes_between(sources, *sides) == ([fact] if found else [])
    assert changes_between(sources, *sides[::-1]) == ([fact] if found else [])
