"""The facts of the editions, derived from their campaigns, are the golden ones.

They share a worker with the tests of the synthetic campaign, whose tables they use.
"""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from analysis.facts.fact import Fact, read_facts
from tests.golden.update_facts import editions, golden, lines_of

pytestmark = pytest.mark.xdist_group("synthetic")
UPDATE = "python tests/golden/update_facts.py writes the new facts"


def difference(edition: str, found: list[str]) -> str:
    """What differs from the golden facts, as a diff; empty where nothing does."""
    path = golden(edition)
    expected = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(unified_diff(expected, found, path.name, "derived", "", "", 0, ""))


@pytest.mark.parametrize("edition", editions())
def test_each_fact_is_the_golden_one(derived: Path, edition: str) -> None:
    differs = difference(edition, lines_of(derived)[edition])
    assert not differs, f"{differs}\n{UPDATE}"


def test_no_interval_is_narrower_than_the_resolution(derived: Path) -> None:
    found = [fact for fact in read_facts(derived).facts if fact.low is not None]
    measured = [fact for fact in found if fact.estimate is None]
    assert any(fact.resolution for fact in measured)
    assert not [
        fact.key
        for fact in measured
        if not 0 < (fact.high or 0.0) - (fact.low or 0.0) >= _most(fact) * (1 - 1e-9)
    ]


def _most(fact: Fact) -> float:
    return fact.resolution or 0.0


def test_another_printed_text_and_a_missing_fact_are_shown() -> None:
    edition = editions()[0]
    first, second, *rest = golden(edition).read_text(encoding="utf-8").splitlines()
    key, *_ = first.split("\t")
    differs = difference(edition, [f"{key}\tanother\t-\tmeasured", *rest])
    assert f"-{first}\n-{second}\n+{key}\tanother\t-\tmeasured" in differs
