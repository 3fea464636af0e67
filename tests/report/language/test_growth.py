"""Claims about growth over clients and along configurations, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.facts.fact import Fact
from analysis.report.language.claims import parse_claim
from analysis.report.language.scope import UnknownError
from tests.report.language.small import METRICS, outcome, value

AES = {100: 197.0, 200: 394.0, 300: 588.0, 400: 717.0, 500: 725.0, 600: 725.0}
COST = {"old": 10.0, "mid": 12.0, "new": 15.0}
TESTS = ("mid", "new")


def rates(values: dict[int, float], name: str = "new") -> tuple[Fact, ...]:
    return tuple(
        value(f"ECI{clients}(32kB)", rate, name, metric="rate")
        for clients, rate in values.items()
    )


def costs(values: dict[str, float], size: str = "4kB") -> tuple[Fact, ...]:
    return tuple(
        value(f"RR1({size})", cost, name, metric="cpu_cost", role="server")
        for name, cost in values.items()
    )


@pytest.mark.parametrize(
    ("text", "facts", "holds", "margin"),
    [
        # 588 ÷ 300 is 0.51% less than 197 ÷ 100
        ("rate of new is in proportion to clients up to 300 within 3%", rates(AES),
         True, 3 - 0.508),
        ("rate of new is in proportion to clients up to 300 within 0.5%", rates(AES),
         False, 0.5 - 0.508),
        # 717 ÷ 400 is 9.01% less, and more clients are left out
        ("rate of new is in proportion to clients up to 400 within 3%", rates(AES),
         False, 3 - 9.010),
        ("rate of new is in proportion to clients within 40%", rates(AES),
         True, 40 - 38.663),
        # 725 is 1.12% above 717, which 1% does not reach
        ("rate of new stops growing from 500 clients on", rates(AES), True, 0.116),
        ("rate of new stops growing from 400 on within 2%", rates(AES), True, 0.884),
        ("rate of new stops growing from 400 on", rates(AES), False, -0.116),
        ("rate of new stops growing from 500 on within 1.5%", rates(AES),
         False, 1.116 - 1.5),
        ("cpu_cost of server grows in the order old, mid, new", costs(COST), True, 20),
        ("cpu_cost of server grows in the order old, mid and new",
         costs(COST | {"new": 11.0}), False, (11 / 12 - 1) * 100),
        ("cpu_cost of server shrinks in the order new and old", costs(COST), True, 50),
        ("cpu_cost of server of mid differs by at most 5%",
         costs(COST) + costs({"mid": 12.5}, "8kB"), True, 5 - 4.167),
        ("cpu_cost of server of mid differs by at most 4%",
         costs(COST) + costs({"mid": 12.5}, "8kB"), False, 4 - 4.167),
        ("cpu_cost of server differs by at most 20% between old and mid", costs(COST),
         True, 0),
        ("cpu_cost of server differs by at most 20% between old and new", costs(COST),
         False, -30),
    ],
)  # fmt: skip
def test_growth_is_worked_out(
    text: str, facts: tuple[Fact, ...], holds: bool, margin: float
) -> None:
    found = outcome(text, *facts, tests=TESTS)
    assert found.holds is holds
    assert found.deciding.margin == pytest.approx(margin, abs=5e-3)
    assert found.deciding.left
    assert found.deciding.right


@pytest.mark.parametrize(
    "text",
    [
        "rate of new is predicted to be in proportion to clients within 3%",
        "rate of new is predicted to stop growing from 500 on",
        "cpu_cost of server is predicted to grow in the order old, new",
        "rate of new is predicted to differ by at most 3%",
    ],
)
def test_predictions_have_the_base_form(text: str) -> None:
    assert parse_claim(text, METRICS).predicted


@pytest.mark.parametrize(
    ("text", "complaint", "hint"),
    [
        ("rate of new stops growing from 250 on", "no clients of 250", "100, 200"),
        ("rate of new stops growing from 600 on", "with more of them after it", ""),
        ("rate of new stops growing from many on", "not a size", "such as 300"),
        ("rate of new is in proportion to sizes within 3%", "no axis", "clients"),
        ("rate of new is in proportion to payload within 3%", "nothing to compare", ""),
        (
            "rate of new is in proportion to clients up to 50 within 3%",
            "nothing",
            "",
        ),
        ("rate grows in the order new", "two configurations or more", "A, B, C"),
        ("rate of new differs by 5%", "", "at most"),
        ("rate of new differs by at most 5% for ECI100(32kB)", "differs from none", ""),
    ],
)
def test_what_cannot_be_said_of_growth_is_told(
    text: str, complaint: str, hint: str
) -> None:
    with pytest.raises(UnknownError) as caught:
        outcome(text, *rates(AES), *rates(AES, "old"), tests=TESTS)
    assert complaint in str(caught.value)
    assert hint in caught.value.mend


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rate of new is in proportion to clients up to 300 within 3%", ""),
        (
            "rate of new is in proportion to clients up to 300 within 1%",
            "ECI200(32kB) reaches to 1.1% off",
        ),
        ("rate of new stops growing from 400 on within 2.5%", ""),
        ("rate of new stops growing from 400 on within 2%", "reaches to +2.3%"),
        ("rate of new stops growing from 500 on within 0.8%", "reaches to 0.0%"),
    ],
)
def test_growth_and_its_end_are_judged_by_intervals(text: str, why: str) -> None:
    facts = [
        replace(fact, low=fact.value * 0.992, high=fact.value * 1.008)
        for fact in rates(AES)
    ]
    found = outcome(text, *facts, margin=0.1)
    assert found.holds
    assert bool(found.fragile) == bool(why)
    assert why in found.fragile
