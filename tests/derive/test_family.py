"""Which comparisons are judged together, and how many runs that asks for."""

from functools import partial

import pytest
import yaml

from analysis.cli import main
from analysis.declared.metrics import read_metrics
from analysis.regress.verb import cases_of
from tests.derive.conftest import FAST, SLOW, Scenes, fact

SCENES = Scenes()
ONE, TWO = "first.rr10-100b.-.rate.B.delta", "second.rr10-100b.-.rate.B.delta"
RATE = "question.rr10-100b.-.rate.B.delta"


@SCENES
def costs_twice(world):
    for name, rates in (("A", SLOW), ("B", FAST)):
        world.runs(name, rates, workload="STR3(1B/20MB)")
    world.study(metrics=["cpu_cost", "cpu_cost_per_mb"])


def declare(world, **entries: str) -> None:
    """More entries of edition.yaml."""
    path = world.report / world.paper / "edition.yaml"
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | entries))


def studies(ids, entries, world) -> None:
    """Studies of three metrics each, of the same runs."""
    world.runs("A", SLOW[:5])
    world.runs("B", FAST[:5])
    for id in ids:
        world.study(id, metrics=["rate", "cpu_cost"])
    declare(world, **entries)


TWO_STUDIES = ("first", "second")
FIVE = (*TWO_STUDIES, "third", "fourth", "fifth")
SCENES["silent"] = partial(studies, TWO_STUDIES, {})
for family in ("study", "edition"):
    SCENES[f"two-{family}"] = partial(studies, TWO_STUDIES, {"family": family})
    SCENES[f"five-{family}"] = partial(studies, FIVE, {"family": family})


@pytest.mark.parametrize(
    ("scene", "times", "told"),
    [
        ("two-study", 3, "Holm over 3 comparisons"),
        ("two-edition", 6, "Holm over 6 comparisons of the edition"),
    ],
)
def test_p_values_are_adjusted_over_the_family_of_the_edition(
    scenes, scene, times, told
):
    found = fact(scenes[scene], ONE)
    assert found.p_adjusted == pytest.approx(times * found.p_value)
    assert found.lineage.rule.endswith(told)


def test_the_adjustment_says_how_many_of_the_page_its_comparisons_stand_for(scenes):
    facts = scenes["costs-twice"]
    rule = fact(facts, "question.str3-1b-20mb.client.cpu_cost.B.delta").lineage.rule
    assert rule.endswith("Holm over 2 comparisons, which stand for 4 that are reported")
    counted = [f for f in facts.facts if f.kind == "delta" and f.verdict]
    assert len(counted) == len(cases_of(facts.facts, read_metrics(), [])) == 4


def test_a_study_is_the_family_where_nothing_is_said(scenes):
    found = fact(scenes["silent"], TWO)
    assert found.p_adjusted == pytest.approx(3 * found.p_value)


def test_the_runs_that_are_needed_are_those_of_the_family(scenes):
    found = fact(scenes["five-edition"], ONE)
    told = "few for a verdict: n = 5; among 15 comparisons a change needs n ≥ 6"
    assert told in map(str, found.warnings)
    assert found.verdict == "inconclusive"  # 15 / 252 is above 0.05
    alone = fact(scenes["five-study"], ONE)
    assert alone.verdict == "improved"  # 3 / 252 is not
    assert "few_for_all" not in [w.kind for w in alone.warnings]


@SCENES
def uneven(lab):
    lab.runs("A", SLOW)
    lab.runs("B", FAST[:4])
    lab.study(metrics=["rate", "cpu_cost"])


def test_many_runs_of_one_side_make_up_for_few_of_the_other(scenes):
    found = fact(scenes["uneven"], RATE)
    assert found.verdict == "improved"  # 3 / 1001
    assert "few_for_all" not in [w.kind for w in found.warnings]


def test_a_family_has_one_adjustment(world, capsys):
    studies(TWO_STUDIES, {}, world)
    world.study("second", noise={"adjust": "benjamini-hochberg"})
    declare(world, family="edition")
    world.write()
    assert main(world.arguments()) == 2
    said = capsys.readouterr().err
    assert "needs one adjustment, not benjamini-hochberg and holm" in said
    assert "paper/edition.yaml:" in said
    declare(world, family="study")
    assert main(world.arguments()) == 0
