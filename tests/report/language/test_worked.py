"""Claims worked out by hand: both sides in words, and the exact margin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.facts.fact import Fact
from analysis.facts.remark import Remark
from analysis.report.language.changes import Amount, Moves
from analysis.report.language.claim import Evidence, Outcome
from analysis.report.language.claims import parse_claim
from analysis.report.language.levels import Order
from analysis.report.language.reading import Subject
from analysis.report.language.scope import UnknownError
from tests.report.language.small import METRICS, change, outcome, value

RR1, RR10, RR40 = "RR1(1kB)", "RR10(4kB)", "RR40(100B)"
FALLS = (change(RR1, -37), change(RR10, -12))
OLD = value(RR1, 100, "old", samples=(90.0, 100.0, 110.0))
NEW = value(RR1, 80, "new", samples=(75.0, 80.0, 95.0))
SAVED = (change("RR60(4kB)", -5), change("RR60(8kB)", -9))
STEPS = (value("RR1(1kB)", 10, "new"), value("RR1(2kB)", 15, "new"))
SEEN = Remark(
    "bimodal", values={"lower_runs": 3, "lower": 13, "upper_runs": 7, "upper": 55}
)


def decided(text: str, *facts: Fact) -> Evidence:
    return outcome(text, *facts).deciding


@pytest.mark.parametrize(
    ("text", "facts", "left", "right", "margin"),
    [
        ("latency falls for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "below 0.0%", 37),
        ("latency rises for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "above 0.0%", -37),
        ("latency falls by at least 30% for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "below −30%", 7),
        ("latency falls by 20% to 40% for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "between −40% and −20%", 3),
        ("latency falls by 37% for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "rounded −37%", 0.5),
        ("latency falls by up to 37%", FALLS,
         "−37% for RR1(1kB)", "rounded −37%", 0.5),
        ("latency falls by less than 40% for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "between −40% and 0.0%", 3),
        ("latency falls by less than 30% for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "between −30% and 0.0%", -7),
        ("latency falls by more than 30% for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "below −30%", 7),
        ("latency falls by 36.5% to 38% for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "between −38% and −36%", 0.5),
        ("latency falls by 36% to 37% for RR1(1kB)", FALLS,
         "−37% for RR1(1kB)", "between −37% and −36%", 0),
        ("latency falls on average", FALLS,
         "−26% on average over 2 workloads", "below 0.0%", None),
        ("latency falls for RR1(1kB) beyond noise", FALLS,
         "−37% for RR1(1kB), −39 to −35%, p 0.001",
         "below −2.0%, interval without 0, p at most 0.05", 35),
        ("latency falls for RR10(4kB) beyond noise",
         (change(RR10, -12, threshold=11.0),),
         "−12% for RR10(4kB), −14 to −10%, p 0.001",
         "below −11%, interval without 0, p at most 0.05", 1),
        ("latency rises for RR1(1kB) beyond noise", (change(RR1, 12),),
         "+12% for RR1(1kB), +10 to +14%, p 0.001",
         "above +2.0%, interval without 0, p at most 0.05", 10),
        ("latency improves for RR1(1kB)", FALLS,
         "−37% for RR1(1kB), −39 to −35%, p 0.001",
         "improved: below −2.0%, interval without 0, p at most 0.05", 35),
        ("latency is comparable", (change(RR1, 0.5, half=1.0),),
         "+0.5% for RR1(1kB), −0.5 to +1.5%: comparable",
         "90% interval within ±2%", 0.5),
        ("latency is comparable", (change(RR1, -0.5, half=1.0),),
         "−0.5% for RR1(1kB), −1.5 to +0.5%: comparable",
         "90% interval within ±2%", 0.5),
        ("latency is inconclusive", (change(RR1, 3, half=9.0),),
         "+3.0% for RR1(1kB), −6.0 to +12%: inconclusive",
         "90% interval reaches beyond ±2%", 10),
        ("no comparison is regressed", FALLS,
         "none of 2 comparisons", "none regressed", None),
        ("no comparison is improved or regressed", FALLS,
         "latency for RR1(1kB) −37% (improved), latency for RR10(4kB) −12% (improved)",
         "none improved or regressed", None),
        ("latency of new is below latency of old", (OLD, NEW),
         "80.0 µs for RR1(1kB) on new", "below 100 µs for RR1(1kB) on old", 25),
        ("latency of old is above latency of new", (OLD, NEW),
         "100 µs for RR1(1kB) on old", "above 80.0 µs for RR1(1kB) on new", 25),
        ("latency of new is below 90% of latency of old", (OLD, NEW),
         "80.0 µs for RR1(1kB) on new",
         "below 90.0 µs (90% of 100 µs for RR1(1kB) on old)", 12.5),
        ("latency of new is below 100 µs", (NEW,),
         "80.0 µs for RR1(1kB) on new", "below 100 µs", 25),
        ("latency of new is below latency of old in every run", (OLD, NEW),
         "2 of 3 runs on new are below every run on old for RR1(1kB)",
         "3 of 3", -500 / 90),
        ("latency of new is below latency of old in all runs but one", (OLD, NEW),
         "2 of 3 runs on new are below every run on old for RR1(1kB)",
         "2 of 3", 500 / 90),
        ("latency saving grows with payload", SAVED,
         "9.0% saving for RR60(8kB)", "more than 5.0% saving for RR60(4kB)", 4),
        ("latency gain shrinks with payload", SAVED,
         "−9.0% gain for RR60(8kB)", "less than −5.0% gain for RR60(4kB)", 4),
        ("latency of new grows with payload", STEPS,
         "15.0 µs for RR1(2kB)", "more than 10.0 µs for RR1(1kB)", 50),
        ("latency of new shrinks with payload", STEPS,
         "15.0 µs for RR1(2kB)", "less than 10.0 µs for RR1(1kB)", -100 / 3),
        ("latency scatters more for RR1(1kB) than for RR10(4kB)",
         (change(RR1, 3, half=9), change(RR10, 3, half=4)),
         "−6.0 to +12% for RR1(1kB)", "wider than −1.0 to +7.0% for RR10(4kB)", 10),
        ("latency of new is bimodal", (replace(NEW, warnings=(SEEN,)),),
         "3 runs near 13.0, 7 runs near 55.0 for RR1(1kB)", "two groups of runs", None),
        ("latency of new is not bimodal", (NEW,),
         "one group for RR1(1kB)", "one group of runs", None),
    ],
)  # fmt: skip
def test_a_claim_prints_both_sides_and_its_margin(text, facts, left, right, margin):
    found = decided(text, *facts)
    assert (found.left, found.right) == (left, right)
    if margin is not None:
        assert found.margin == pytest.approx(margin, abs=1e-9)
    elif "average" not in text:
        assert found.margin is None


@pytest.mark.parametrize(
    ("text", "facts", "unit"),
    [
        ("latency saving grows with payload", SAVED, "points"),
        ("latency of new grows with payload", STEPS, "%"),
        ("latency of new is below 100 µs", (NEW,), "%"),
        ("latency of new is below latency of old in every run", (OLD, NEW), "%"),
        ("latency falls", FALLS, "points"),
        ("latency scatters more for RR1(1kB) than for RR10(4kB)", FALLS, "points"),
    ],
)
def test_the_unit_of_a_margin(text, facts, unit):
    assert decided(text, *facts).unit == unit


def test_a_role_is_named_with_the_comparison_that_is_against_a_claim():
    cost = change("STR3(1B/20MB)", -30, metric="cpu_cost", role="client")
    said = decided("no comparison is improved", cost).left
    assert said == "cpu_cost of client for STR3(1B/20MB) −30% (improved)"


def test_p_values_are_cut_at_a_thousandth():
    for p, words in ((0.00099, "p <0.001"), (0.001, "p 0.001"), (0.0312, "p 0.031")):
        found = decided("latency falls beyond noise", change(RR1, -37, p_adjusted=p))
        assert found.left.endswith(words)


def test_the_verdict_alone_does_not_make_a_change_beyond_noise():
    """The way that the claim says counts, too; a margin is never for a false claim."""
    wrong = change(RR1, 12, verdict="improved")
    assert not outcome("latency falls beyond noise", wrong).holds
    against = change(RR1, -12, verdict="inconclusive")  # only the rank test says no
    found = decided("latency falls beyond noise", against)
    assert (found.holds, found.margin) == (False, 0.0)


@pytest.mark.parametrize(("other", "holds"), [(0.5, True), (3.0, True), (30.0, False)])
def test_a_peak_suffers_no_clear_change_the_other_way(other, holds):
    half = 5.0 if other == 3.0 else 0.1
    beside = change(RR10, other, half=half)
    assert outcome("latency falls by up to 37%", FALLS[0], beside).holds is holds


def test_a_small_clear_change_the_other_way_is_against_a_peak():
    beside = change(RR10, 0.5, half=0.1, verdict="regressed")
    found = outcome("latency falls by up to 37%", FALLS[0], beside)
    assert not found.holds
    assert found.deciding.right == "not clearly above 0%"
    assert found.deciding.left == "+0.5% for RR10(4kB)"


def test_nothing_neither_falls_nor_rises():
    still = change(RR1, 0.0, half=1.0)
    assert not outcome("latency falls", still).holds
    assert not outcome("latency rises", still).holds
    assert decided("latency falls", still).margin == -2.0  # up to the limit


def test_a_change_of_nothing_goes_no_way_whatever_its_verdict():
    still = change(RR10, 0.0, verdict="regressed")
    for way in ("falls", "rises"):
        assert not outcome(f"latency {way}", still).holds
        assert not outcome(f"latency {way} beyond noise", still).holds
    assert outcome("latency falls by up to 37%", change(RR1, -37), still).holds


@pytest.mark.parametrize("limit", [None, 0.0])
def test_without_a_limit_the_interval_decides(limit):
    found = decided(
        "latency falls beyond noise", change(RR1, -10, half=0.5, threshold=limit)
    )
    assert (found.holds, found.margin) == (True, 9.5)
    assert found.right == "below 0.0%, interval without 0, p at most 0.05"


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("halves", (-45, -55), (-44.9, -55.1, 50)),
        ("doubles", (80, 120), (79.9, 120.1, -100)),
        ("triples", (170, 230), (169.9, 230.1, -200)),
        ("at least halves", (-50, -90), (-49.9, 50)),
        ("at least doubles", (100, 900), (99.9, -100)),
        ("at least triples", (200, 900), (199.9, -200)),
        ("rises by less than 20%", (0.1, 20), (-0.1, 20.1)),
        ("rises by at most 20%", (0.1, 20), (-0.1, 20.1)),
        ("rises by at least 20%", (20, 90), (19.9, -20)),
        ("rises by about 20%", (18, 22), (17.9, 22.1)),
        ("rises by 20%", (19.5, 20.5), (19.4, 20.6)),
        ("rises by 0.5%", (0.45, 0.55), (0.44, 0.56)),
    ],
)
def test_the_ends_of_an_amount(text, inside, outside):
    def holds(percent):
        fact = change(RR1, percent, verdict="improved" if percent < 0 else "regressed")
        return outcome(f"latency {text}", fact).holds

    assert [p for p in inside if not holds(p)] == []
    assert [p for p in outside if holds(p)] == []


@pytest.mark.parametrize(
    ("bound", "inside", "outside"),
    [
        ("payload > 1kB", ("RR1(1025B)",), ("RR1(1kB)", "RR1(1023B)")),
        ("payload >= 1kB", ("RR1(1kB)",), ("RR1(1023B)",)),
        ("payload < 1kB", ("RR1(1023B)", "RR1(0B)"), ("RR1(1kB)",)),
        ("payload ≤ 1kB", ("RR1(1kB)", "RR1(0B)"), ("RR1(1025B)",)),
        ("payload = 1kB", ("RR1(1kB)",), ("RR1(1023B)", "RR1(1025B)")),
        ("payload > 1kB and payload < 4kB", ("RR1(2kB)",), ("RR1(1kB)", "RR1(4kB)")),
        ("all workloads with payload >= 1kB", ("RR1(1kB)",), ("RR1(512B)",)),
    ],
)
def test_the_ends_of_a_payload_bound(bound, inside, outside):
    chosen = parse_claim(f"latency falls for {bound}", METRICS).workloads
    assert [name for name in inside if not chosen.fits(name)] == []
    assert [name for name in outside if chosen.fits(name)] == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("latency falls for payload about 1kB", "'about' is not understood"),
        ("latency of A is below B in all runs but many", "'B' is neither"),
        ("rate of A is below rate of B in all runs but many", "not a small number"),
        ("rate of A is below rate of B in all runs but 12345", "not a small number"),
        ("latency falls than for RR*", "'than for' goes with"),
        ("latency at least grows", "'grows' is not understood after"),
        ("latency falls by 20% to", "ends too early"),
        ("latency falls for RR*(1kB", "is not a workload"),
        ("latency scatters for RR*", "'for' is not understood"),
        ("no comparison is worse", "'worse' is not understood"),
        ("latency of A is below 1234567890123 µs", "neither a number"),
        ("latency falls for RR6(4kB..x)", "is not a size"),
        ("latency rises by 5.5.5%", "is not a percentage"),
        ("latency falls for RR* twice", "'twice' is not understood"),
    ],
)
def test_what_is_not_understood_is_said(text, complaint):
    with pytest.raises(UnknownError, match=complaint):
        parse_claim(text, METRICS)


@pytest.mark.parametrize(
    ("words", "runs"), [("no", 0), ("one", 1), ("three", 3), ("nine", 9), ("12", 12)]
)
def test_small_numbers_may_be_words(words, runs):
    text = f"rate of A is above rate of B in all runs but {words}"
    assert parse_claim(text, METRICS).form == Order(
        True, Subject("rate", ("B",)), runs=runs
    )


def test_a_range_may_have_equal_ends():
    found = parse_claim("latency falls by 20% to 20%", METRICS).form
    assert found == Moves(-1, Amount(20, 20))
    sizes = parse_claim("latency falls for RR6(4kB..4kB)", METRICS).workloads
    assert sizes.fits("RR6(4kB)")


@pytest.mark.parametrize(
    "text",
    [
        "latency falls by 20% to 40% for RR*",
        "latency improves",
        "latency is comparable",
        "no comparison is improved",
        "latency of new is below 60% of latency of old",
        "latency of new is below 100 µs",
        "latency of new grows with payload",
        "latency of new is bimodal",
        "latency scatters more for RR1(1kB) than for RR10(4kB)",
    ],
)
def test_a_claim_is_a_value(text):
    """Equal claims are one key of a dictionary, which only values can be."""
    assert len({parse_claim(text, METRICS), parse_claim(text, METRICS)}) == 1


def test_evidence_cannot_be_changed_later():
    found = outcome("latency falls", *FALLS)
    for thing, name in ((found, "fragile"), (found.deciding, "holds")):
        with pytest.raises(AttributeError):
            setattr(thing, name, "")


def test_workloads_in_one_shape_alone_make_a_series():
    facts = (
        value("RR1(1kB)", 1, "new"),
        value("CRR1(2kB)", 2, "new"),
        value("RR2(4kB)", 3, "new"),
    )
    with pytest.raises(UnknownError) as caught:
        outcome("latency of new grows with payload", *facts)
    assert str(caught.value) == (
        "nothing to compare: 3 workloads, none alike but for payload"
    )


def test_growth_is_strict_and_step_by_step():
    def grows(*numbers):
        sizes = zip((1, 2, 4), numbers, strict=False)
        facts = [value(f"RR1({size}kB)", n, "new") for size, n in sizes]
        return outcome("latency of new grows with payload", *facts).holds

    assert grows(1, 2, 3)
    assert not grows(1, 1)
    assert not grows(1, 3, 2)


def test_clients_make_a_series_of_equal_sizes():
    facts = [value(f"RR{n}(1kB)", v, "new") for n, v in ((1, 3), (2, 4), (8, 5))]
    other = value("RR4(1kB/2kB)", 1, "new")
    assert outcome("latency of new grows with clients", *facts, other).holds


def test_a_limit_of_nothing_has_no_margin():
    nothing = value(RR1, 0, "old")
    assert (
        decided("latency of new is above latency of old", nothing, NEW).margin is None
    )
    slight = value(RR1, 0.5, "old")
    found = decided("latency of new is above latency of old", slight, NEW)
    assert found.margin == pytest.approx(15_900)


def test_equal_values_are_neither_above_nor_below():
    twin = value(RR1, 100, "new")
    for side in ("above", "below"):
        found = outcome(f"latency of new is {side} latency of old", OLD, twin)
        assert not found.holds
        assert found.deciding.margin == 0.0


def test_runs_on_the_edge_are_out_of_line():
    old = value(RR1, 100, "old", samples=(100.0, 110.0))
    new = value(RR1, 100, "new", samples=(90.0, 100.0))
    text = "latency of new is below latency of old in all runs but one"
    assert outcome(text, old, new).holds


def test_runs_beside_zero_have_a_margin_of_nothing():
    old = value(RR1, 1, "old", samples=(-1.0, 0.0))
    new = value(RR1, 1, "new", samples=(1.0, 2.0))
    text = "latency of new is above latency of old in every run"
    assert decided(text, old, new).margin == 0.0


def test_both_sides_need_the_workload():
    with pytest.raises(UnknownError, match=r"RR10\(4kB\) was not measured on both"):
        outcome(
            "latency of new is below latency of old",
            OLD, NEW, value(RR10, 5, "new"),
        )  # fmt: skip


def test_rates_may_be_limited_in_either_unit():
    rate = value(RR1, 900, "new", metric="rate")
    for unit in ("1/s", "trans/s"):
        assert outcome(f"rate of new is above 800 {unit}", rate).holds
    with pytest.raises(UnknownError) as caught:
        outcome("rate of new is above 800 kHz", rate)
    assert str(caught.value) == "rate is not in 'kHz'"
    assert caught.value.mend == "its unit is trans/s"


def test_a_change_without_an_interval_cannot_scatter():
    for end in ("low", "high"):
        bare = replace(change(RR1, 3), n=3, **{end: None})
        with pytest.raises(
            UnknownError, match=r"RR1\(1kB\) has no interval \(3 runs\)"
        ):
            outcome(
                "latency scatters more for RR1(1kB) than for RR10(4kB)", bare, FALLS[1]
            )


def test_a_change_without_an_interval_says_so():
    bare = replace(change(RR1, -37), low=None, high=None, verdict=None, p_adjusted=None)
    found = decided("latency is comparable", bare)
    assert (found.holds, found.margin) == (False, None)
    assert found.left == "−37% for RR1(1kB), no interval: changed"
    assert found.right == "comparable"


@pytest.mark.parametrize(
    ("text", "fact", "holds", "margin"),
    [
        # another rule than the limit decided, so the limit gives no distance
        ("is comparable", change(RR1, 1, half=0.5, verdict="improved"), False, None),
        ("is comparable", change(RR1, 5, half=0.5, verdict="comparable"), True, 0.0),
        ("is inconclusive", change(RR1, 5, half=9, verdict="improved"), False, None),
        ("is comparable", change(RR1, 1, half=1.0, verdict="comparable"), True, 0.0),
    ],
)
def test_the_verdict_goes_before_the_limit(text, fact, holds, margin):
    found = decided(f"latency {text}", fact)
    assert (found.holds, found.margin) == (holds, margin)


@pytest.mark.parametrize(
    ("size", "fragile"), [(-37.0, False), (-1.0, False), (-0.99, True)]
)
def test_a_margin_under_the_declared_one_is_fragile(size, fragile):
    found = outcome("latency falls", change(RR1, size, half=0.1, verdict="improved"))
    assert bool(found.fragile) is fragile


@pytest.mark.parametrize(
    ("low", "high", "fragile"),
    [(-5, -1, False), (-5, 0.0, True), (-5, 1, True), (None, -1, True)],
)
def test_a_prediction_whose_range_reaches_zero_is_fragile(low, high, fragile):
    from tests.report.language.test_outcomes import estimated

    fact = replace(estimated(RR1, -3), low=low, high=high)
    found = outcome("latency is predicted to fall", fact)
    said = "the range predicted for RR1(1kB) has both signs"
    assert found.fragile == (said if fragile else "")


def test_a_claim_names_the_first_prediction_that_it_rests_on():
    facts = [change(w, -9, origin="modelled") for w in (RR1, RR10)]
    with pytest.raises(UnknownError) as caught:
        outcome("latency falls", *facts)
    assert str(caught.value) == (
        f"the claim rests on predicted values ({facts[0].key}) and does not say so"
    )


def test_an_end_that_is_not_known_counts_as_zero():
    for percent, verb in ((37, "rises"), (-37, "falls")):
        bare = replace(change(RR1, percent), low=None, high=None)
        found = decided(f"latency {verb} beyond noise", bare)
        assert (found.holds, found.margin) == (True, 0.0)


def test_the_narrowest_evidence_decides():
    assert decided("latency falls", *FALLS).left == "−12% for RR10(4kB)"
    mixed = (*FALLS, change(RR40, 5))
    assert decided("latency falls", *mixed).left == "+5.0% for RR40(100B)"


def with_margin(found: float | None, unit: str = "points") -> Outcome:
    evidence = Evidence(False, "this", "that", found, unit)
    claim = replace(parse_claim("latency falls", METRICS, 7), file="o.md")
    return Outcome(claim, evidence, FALLS, "so")


@pytest.mark.parametrize(
    ("found", "words"),
    [(0.0, "0.00 points"), (-0.994, "0.99 points"), (1.0, "1.0 points"),
     (12.34, "12.3 points"), (-1234.5, "1,234.5 points")],
)  # fmt: skip
def test_the_size_of_a_margin(found, words):
    assert with_margin(found).deciding.size == words
    assert with_margin(found).margin == words
    assert with_margin(found, "%").deciding.size == words.replace(" points", "%")


def test_without_a_margin_nothing_is_said_of_it():
    bare = with_margin(None)
    assert bare.margin == "–"
    assert bare.deciding.size == "0.00 points"
    assert str(bare.failure) == (
        "o.md:7: this claim is false: latency falls\n"
        "  the data say: this\n"
        "  the claim demands: that\n"
        "  mend: change the claim and the sentences that say so, or find why the data "
        "moved"
    )
    assert str(bare.fragility) == (
        "o.md:7: this claim is fragile: latency falls\n"
        "  it holds, and so: this; demanded: that\n"
        "  mend: say less, or measure more runs"
    )


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("no comparison is regressed", True),
        ("no comparison is improved", False),
        ("every comparison is improved or comparable", True),
        ("every comparison is improved", False),
        ("latency falls most for RR40(1kB)", True),
        ("latency falls most for RR1(1kB)", False),
        ("latency falls least for RR10(1kB)", True),
        ("latency falls more for RR40(1kB) than for RR1(1kB)", True),
        ("latency falls less for RR40(1kB) than for RR1(1kB)", False),
        ("latency rises most for RR10(1kB)", False),
    ],
)
def test_shares_and_ranks_of_changes(claim, holds):
    facts = (
        change("RR1(1kB)", -10),
        change("RR10(1kB)", 0.1, half=0.5),
        change("RR40(1kB)", -30),
    )
    assert outcome(claim, *facts).holds == holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("latency of new is highest for RR40(1kB)", True),
        ("latency of new is lowest for RR40(1kB)", False),
        ("latency of new is higher for RR40(1kB) than for RR1(1kB)", True),
        ("latency of new is lower for RR40(1kB) than for RR1(1kB)", False),
    ],
)
def test_claims_of_highest_and_higher_look_at_values(claim, holds):
    facts = (value("RR1(1kB)", 10, "new"), value("RR40(1kB)", 90, "new"))
    assert outcome(claim, *facts).holds == holds


def test_a_rank_between_roles():
    facts = [
        change("STR1(1B/1MB)", size, metric="cpu_cost", role=role)
        for role, size in (("receiver", -70), ("sender", -30))
    ]
    more = "cpu_cost of receiver falls more than cpu_cost of sender"
    less = "cpu_cost of sender falls more than cpu_cost of receiver"
    assert outcome(more, *facts).holds
    assert not outcome(less, *facts).holds


def test_a_rank_needs_others_to_compare_with():
    with pytest.raises(UnknownError, match="nothing else to compare with"):
        outcome("latency falls most for RR1(1kB)", change(RR1, -30))
    with pytest.raises(UnknownError, match="than what"):
        outcome("latency falls more for RR1(1kB)", change(RR1, -30))


def test_what_noise_explains_neither_falls_nor_stands_before_another():
    noise = change(RR1, -30, half=40)
    assert noise.verdict == "inconclusive"
    for claim in ("latency falls", "latency falls on average"):
        found = outcome(claim, noise)
        assert not found.holds
        assert "noise" in found.deciding.left
    sides = (noise, value(RR1, 70, "new"), value(RR1, 100, "old"))
    found = outcome("latency of new is below latency of old", *sides)
    assert not found.holds
    assert "within noise (inconclusive)" in found.deciding.left
    assert (found.deciding.right, found.deciding.margin) == (
        "a change beyond noise", 0.0,
    )  # fmt: skip
