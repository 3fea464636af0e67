"""A published change between two tests, which the study compares with a third arm."""

from __future__ import annotations

import pytest

from tests.report.conftest import fact
from tests.report.tables.test_reproduction import FACTS, STUDY, matched, row

BOTH = STUDY.model_copy(update={"tests": ("new", "newer")})
SAID = {"kind": "direction", "qualifier": "direction", "unit": "", "baseline": "new"}


def values(newer: float) -> list:
    """Values of both tests, for two workloads."""
    return [
        fact(key=f"s.{work}.{arm}", workload=work, configuration=arm, value=value)
        for work in ("RR1(1kB)", "RR10(4kB)")
        for arm, value in (("new", 100.0), ("newer", newer))
    ]


@pytest.mark.parametrize(
    ("newer", "outcome"), [(60.0, "reproduced"), (140.0, "differs")]
)
def test_it_is_compared_by_the_values_of_both(newer: float, outcome: str) -> None:
    said = row(**SAID, value=-1.0, test="newer")
    match = matched(said, [*FACTS, *values(newer)], BOTH)
    assert (match.outcome, len(match.facts)) == (outcome, 4)
    assert match.derived == pytest.approx(newer - 100)
    assert match.reason.startswith("from the values of both")


def test_without_values_of_both_there_is_no_match() -> None:
    said = row(**SAID, value=-1.0, test="newer")
    assert matched(said, values(60.0)[:1], BOTH).outcome == "not derived"
    assert matched(
        row(**SAID, value=-1.0, test="other"), values(60.0), BOTH
    ).reason == ("the study does not compare other with new")
