from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.report.language.changes import Amount, Is, Moves, ShareIs
from analysis.report.language.claim import Claim, Form
from analysis.report.language.claims import parse_claim
from analysis.report.language.levels import Axis, Grows, Limit, Modes, Order
from analysis.report.language.reading import Subject
from analysis.report.language.scope import UnknownError
from tests.report.language.small import METRICS

WORDS = [
    *(
        "latency",
        "throughput",
        "cpu_cost",
        "of",
        "sender",
        "osh",
        "A",
        "falls",
        "rises",
    ),
    *("fall", "halves", "doubles", "by", "20%", "40%", "20%..40%", "to", "about", "at"),
    *("least", "most", "up", "on", "average", "beyond", "noise", "for", "over", "RR*"),
    *("RR40(100B)", "RR60(4kB..32kB)", "STR*", "payload", ">=", "<=", "32kB", "is"),
    *("not", "comparable", "below", "above", "bimodal", "100", "µs", "saving", "grows"),
    *("with", "clients", "predicted", "be", "no", "comparison", "improved", "or", "in"),
    *(
        "every",
        "run",
        "all",
        "runs",
        "but",
        "one",
        "scatters",
        "more",
        "than",
        "except",
    ),
    *("and", ",", "3%", "%", "..", "("),
]


def read(text: str) -> Claim:
    return parse_claim(text, METRICS)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("latency falls for RR* beyond noise", Moves(-1, beyond_noise=True)),
        ("latency falls beyond noise for RR*", Moves(-1, beyond_noise=True)),
        ("throughput rises for STR*", Moves(1)),
        ("throughput doubles", Moves(1, Amount(80, 120, about=True))),
        ("throughput at least doubles", Moves(1, Amount(100))),
        ("latency halves", Moves(-1, Amount(45, 55, about=True))),
        ("latency falls by 20%", Moves(-1, Amount(19.5, 20.5, about=True))),
        ("latency falls by 5.9%", Moves(-1, Amount(5.9 - 0.05, 5.95, about=True))),
        ("latency falls by 6.25%", Moves(-1, Amount(6.245, 6.255, about=True))),
        ("latency falls by about 20%", Moves(-1, Amount(18, 22, about=True))),
        ("latency falls by at least 20%", Moves(-1, Amount(20))),
        ("latency falls by at most 20%", Moves(-1, Amount(0, 20))),
        ("latency falls by up to 30%", Moves(-1, Amount(29.5, 30.5, True, True))),
        (
            "cpu_cost of sender falls by 20% to 40% on average for STR*",
            Moves(-1, Amount(20, 40), average=True),
        ),
        ("throughput improves for STR*", Is("improved")),
        ("throughput is comparable for RR40(100B)", Is("comparable")),
        (
            "no comparison is improved or regressed",
            ShareIs(False, ("improved", "regressed")),
        ),
        (
            "cpu_cost saving grows with payload over RR60(4kB..32kB)",
            Grows(Axis("payload"), 1),
        ),
        ("latency of osh shrinks with clients over RR*", Grows(Axis("clients"), -1)),
        (
            "latency of osh is below latency of hipersockets for payload >= 32kB",
            Order(False, Subject("latency", ("hipersockets",))),
        ),
        ("latency of osh is below 100 µs", Order(False, Limit(100, "µs"))),
        ("utilisation of A is above 40%", Order(True, Limit(40, "%"))),
        (
            "latency of A is below 70% of latency of B",
            Order(False, Subject("latency", ("B",)), 70.0),
        ),
        (
            "rate of A is above rate of B in every run",
            Order(True, Subject("rate", ("B",)), runs=0),
        ),
        (
            "rate of A is above rate of B in all runs but one",
            Order(True, Subject("rate", ("B",)), runs=1),
        ),
        ("latency of A is not bimodal for RR1(100B)", Modes(False)),
    ],
)
def test_each_form_is_read(text: str, form: Form) -> None:
    claim = read(text)
    assert claim.form == form
    assert claim.text == text
    assert not claim.predicted


def test_subjects_name_roles_and_configurations() -> None:
    assert read("cpu_cost of sender of osh falls").subject == Subject(
        "cpu_cost", ("sender", "osh")
    )
    assert read("cpu_cost saving of sender grows with payload").subject == Subject(
        "cpu_cost", ("sender",), "saving"
    )


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("latency is predicted to fall for RR*", "latency falls for RR*"),
        ("latency is predicted to halve", "latency halves"),
        ("latency is predicted to be comparable", "latency is comparable"),
        ("latency of A is predicted to be below 9 µs", "latency of A is below 9 µs"),
        (
            "latency saving is predicted to grow with payload",
            "latency saving grows with payload",
        ),
    ],
)
def test_a_prediction_says_the_same_in_other_words(text: str, plain: str) -> None:
    assert read(text).predicted
    assert read(text).form == read(plain).form


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("RR*", ["RR1(1kB)", "RR40(100B)"], ["CRR1(1kB)", "STR3(1B/20MB)"]),
        ("RR40(100B)", ["RR40(100B)"], ["RR40(1kB)", "CRR40(100B)"]),
        ("RR60(4kB..32kB)", ["RR60(4kB)", "RR60(32kB)"], ["RR60(64kB)", "RR6(8kB)"]),
        ("RR* and STR*", ["RR1(1kB)", "STR3(1B/20MB)"], ["CRR1(1kB)"]),
        ("RR1(1kB), RR2(1kB) and RR3(1kB)", ["RR2(1kB)"], ["RR4(1kB)"]),
        ("payload >= 32kB", ["RR1(32kB)", "STR3(1B/20MB)"], ["RR1(16kB)"]),
        ("payload < 32kB", ["RR1(16kB)"], ["RR1(32kB)"]),
        ("RR* with payload <= 4kB", ["RR1(4kB)"], ["RR1(8kB)", "CRR1(4kB)"]),
        ("RR* except RR1(1kB)", ["RR2(1kB)"], ["RR1(1kB)"]),
        ("every workload", ["RR1(1kB)", "STR3(1B/20MB)"], []),
    ],
)
def test_workloads_are_chosen(text: str, inside: list[str], outside: list[str]) -> None:
    chosen = read(f"latency falls for {text}").workloads
    assert [name for name in inside if not chosen.fits(name)] == []
    assert [name for name in outside if chosen.fits(name)] == []


@pytest.mark.parametrize(
    ("text", "complaint", "hint"),
    [
        ("", "ends too early", "example"),
        ("latencie falls", "no metric 'latencie'", "latency"),
        ("latency fals for RR*", "'fals' is not understood after 'latency'", "falls"),
        ("latency falls fro RR*", "'fro' is not understood", "for"),
        ("latency is comparabel", "'comparabel'", "comparable"),
        ("latency falls by 20", "'20' is not a percentage", "20%"),
        ("latency falls by 20..40%", "is not a percentage", "20% to 40%"),
        (
            "latency grows wth payload",
            "'wth' is not understood after 'latency grows'",
            "with",
        ),
        ("latency falls by", "ends too early", "example"),
        ("latency falls by 40% to 20%", "40% is more than 20%", "smaller"),
        ("latency falls for RR40", "'RR40' is not a workload", "RR40(100B)"),
        ("latency falls for RR6(32kB..4kB)", "32kB is more than 4kB", "smaller"),
        ("latency falls for payload >= 4", "'4' is not a size", "8kB"),
        ("latency falls on average beyond noise", "no interval", "leave out"),
        ("latency saving falls", "can only grow", "latency falls"),
        ("latency of A is below fast", "neither a number", "100 µs"),
        ("latency of A is below 9 µs in every run", "runs are compared", "above"),
        ("latency scatters more for RR*", "than what", "than for"),
        ("latency grows with size", "no axis 'size'", "payload"),
        ("latency is predicted to falls", "'falls' is not understood", "fall"),
    ],
)
def test_a_mistake_is_named_with_a_hint(text: str, complaint: str, hint: str) -> None:
    with pytest.raises(UnknownError) as caught:
        read(text)
    assert complaint in str(caught.value)
    assert hint in caught.value.mend


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_words_are_a_claim_or_a_named_mistake(words: list[str]) -> None:
    try:
        claim = read(" ".join(words))
    except UnknownError as error:
        assert str(error)
    else:
        assert read(claim.text) == claim


@given(st.text(max_size=60))
def test_any_text_is_a_claim_or_a_named_mistake(text: str) -> None:
    try:
        read(text)
    except UnknownError as error:
        assert str(error)


@given(st.integers(0, 99), st.integers(0, 99))
def test_a_range_is_read_as_it_is_written(low: int, high: int) -> None:
    text = f"latency falls by {low}% to {high}%"
    if low > high:
        with pytest.raises(UnknownError):
            read(text)
    else:
        assert read(text).form == Moves(-1, Amount(low, high))


@given(st.integers(1, 1000), st.integers(1, 40))
def test_a_payload_bound_divides_the_workloads(size: int, clients: int) -> None:
    name = f"RR{clients}({size}B)"
    at_least = read("latency falls for payload >= 512B").workloads.fits(name)
    below = read("latency falls for payload < 512B").workloads.fits(name)
    assert at_least != below
    assert at_least == (size >= 512)


def test_no_bound_is_infinite_by_accident() -> None:
    assert read("latency falls for RR6(1kB..2kB)").workloads.patterns[0].high < math.inf
