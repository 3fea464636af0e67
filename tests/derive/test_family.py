"""Which comparisons are judged together, and how many runs that asks for."""

import pytest
import yaml

from analysis.cli import main
from tests.derive.conftest import FAST, SLOW, derive, fact


def declare(world, **entries: str) -> None:
    """More entries of edition.yaml."""
    path = world.report / "paper" / "edition.yaml"
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | entries))


@pytest.fixture
def two_studies(world):
    """Two studies of three metrics each, of the same runs."""
    world.runs("A", SLOW[:5])
    world.runs("B", FAST[:5])
    for id in ("first", "second"):
        world.study(id, metrics=["rate", "cpu_cost"])
    return world


@pytest.mark.parametrize(
    ("family", "times", "told"),
    [
        ("study", 3, "Holm over 3 comparisons"),
        ("edition", 6, "Holm over 6 comparisons of the edition"),
    ],
)
def test_p_values_are_adjusted_over_the_family_of_the_edition(
    two_studies, family, times, told
):
    declare(two_studies, family=family)
    found = fact(derive(two_studies), "first.rr10-100b.-.rate.B.delta")
    assert found.p_adjusted == pytest.approx(times * found.p_value)
    assert found.lineage.rule.endswith(told)


def test_a_study_is_the_family_where_nothing_is_said(two_studies):
    found = fact(derive(two_studies), "second.rr10-100b.-.rate.B.delta")
    assert found.p_adjusted == pytest.approx(3 * found.p_value)


def test_the_runs_that_are_needed_are_those_of_the_family(two_studies):
    for id in ("third", "fourth"):
        two_studies.study(id, metrics=["rate", "cpu_cost"])
    declare(two_studies, family="edition")
    found = fact(derive(two_studies), "first.rr10-100b.-.rate.B.delta")
    told = "few for a verdict: n = 5; among 12 comparisons a change needs n ≥ 6"
    assert told in map(str, found.warnings)
    assert found.verdict == "inconclusive"  # 12 × 2 / 252 is above 0.05
    declare(two_studies, family="study")
    alone = fact(derive(two_studies), found.key)
    assert alone.verdict == "improved"  # 3 × 2 / 252 is not
    assert "few_for_all" not in [w.kind for w in alone.warnings]


def test_many_runs_of_one_side_make_up_for_few_of_the_other(world):
    world.runs("A", SLOW)
    world.runs("B", FAST[:4])
    world.study(metrics=["rate", "cpu_cost"])
    found = fact(derive(world), "question.rr10-100b.-.rate.B.delta")
    assert found.verdict == "improved"  # 3 × 2 / 1001, where 4 and 4 would be 6 / 70
    assert "few_for_all" not in [w.kind for w in found.warnings]


def test_a_family_has_one_adjustment(two_studies, capsys):
    noise = {"adjust": "benjamini-hochberg"}
    two_studies.study("second", noise=noise)
    declare(two_studies, family="edition")
    two_studies.write()
    assert main(two_studies.arguments()) == 2
    said = capsys.readouterr().err
    assert "needs one adjustment, not benjamini-hochberg and holm" in said
    assert "paper/edition.yaml:" in said
    declare(two_studies, family="study")
    assert main(two_studies.arguments()) == 0
