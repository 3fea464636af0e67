"""Facts of studies that are kept between builds, and when they are derived anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.cli import main
from analysis.derive import kept_studies, verb
from analysis.facts.fact import Facts, read_facts
from tests.derive.conftest import FAST, SLOW, World, derive


@pytest.fixture
def derived(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The studies that were derived, not taken from a file."""
    ids: list[str] = []
    real = kept_studies.derive_study

    def derive_study(scope, sources):
        ids.append(scope.id)
        return real(scope, sources)

    monkeypatch.setattr(kept_studies, "derive_study", derive_study)
    return ids


@pytest.fixture
def two(world: World) -> World:
    """Two studies of the same runs."""
    world.runs("A", SLOW)
    world.runs("B", FAST)
    world.study("first")
    world.study("second", workloads=["RR*"])
    return world


def kept(world: World) -> Facts:
    world.write()
    more = ["--cache", str(world.root / "kept")]
    assert main([*world.arguments(), *more]) == 0
    return read_facts(world.root / "facts.json")


def test_kept_facts_are_those_that_are_derived(two: World, derived: list[str]) -> None:
    whole = derive(two)
    assert [kept(two), kept(two)] == [whole, whole]
    assert sorted(derived) == ["first", "second"]


def test_a_study_costs_itself_alone(two: World, derived: list[str]) -> None:
    kept(two)
    derived.clear()
    two.study("second", workloads=["RR*"], tests=[])
    facts = kept(two)
    assert derived == ["second"]
    assert {f.kind for f in facts.of("paper", "second").facts} == {"value"}
    assert len(list((two.root / "kept").glob("studies/*/facts.json"))) == 3


def test_a_run_costs_the_studies_that_use_it(two: World, derived: list[str]) -> None:
    two.campaign("other")
    two.runs("A", SLOW, campaign="other", workload="CRR1(64B/8kB)")
    two.study("third", campaigns=["other"], tests=[])
    kept(two)
    derived.clear()
    two.runs("A", FAST, campaign="other", workload="CRR9(64B/8kB)")
    assert kept(two) == derive(two)
    assert derived == ["third"]


def test_a_value_that_moved_is_not_taken_from_before(
    two: World, derived: list[str]
) -> None:
    kept(two)
    derived.clear()
    two.rows["benchmark"][0]["rate"] += 1.0
    assert kept(two) == derive(two)
    assert sorted(derived) == ["first", "second"]


def test_other_code_and_damage_derive_anew(
    two: World, derived: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = kept(two)
    derived.clear()
    monkeypatch.setattr(verb, "fingerprint", lambda _: "other")
    assert kept(two) == whole
    assert sorted(derived) == ["first", "second"]
    for text in ("", "{", '{"schema": 0}', "[]"):
        derived.clear()
        for path in Path(two.root / "kept").glob("studies/*/facts.json"):
            path.write_text(text)
        assert kept(two) == whole
        assert sorted(derived) == ["first", "second"]
