"""A reason beside a change whose size somebody chose is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.facts.fact import Fact
from analysis.report.expressions.bound import span
from analysis.report.expressions.evaluate import Printed
from analysis.report.lint.page_texts import PageText
from analysis.report.lint.reasons import check_reasons
from analysis.report.material import Material, Sources, read_material


@pytest.fixture
def material(project: Sources) -> Material:
    return read_material("small", project)


def told(material: Material, words: str, basis: str | None, source: str = "") -> list:
    """The findings on words that print a change of this basis."""
    first = next(f for f in material.facts.facts if f.kind == "delta")
    changed: Fact = replace(first, basis=basis)
    others = tuple(f for f in material.facts.facts if f.key != first.key)
    facts = replace(material.facts, facts=(changed, *others))
    printed = Printed(3, "delta(…)", span(changed.printed, changed))
    passage = PageText(
        Path("observations.md"), 3, words, "observations", source=source or words,
        printed=(printed,),
    )  # fmt: skip
    return list(check_reasons([passage], replace(material, facts=facts)))


REASONS = (
    "It falls because the adapter cuts the packets.",
    "It falls. A likely reason for that: the link is busy.",
    "It falls, due to the queue.",
    "It falls thanks to the\ncache.",
)


@pytest.mark.parametrize("words", REASONS)
@pytest.mark.parametrize("basis", ["assumed", "free"])
def test_a_reason_for_what_nobody_published_is_an_error(material, words, basis):
    (finding,) = told(material, words, basis)
    assert finding.severity == "error"
    assert f"is {basis}: nobody published it" in finding.issue.what
    assert "leave the reason out" in finding.issue.mend


@pytest.mark.parametrize("words", REASONS)
def test_what_was_published_or_measured_may_have_a_reason(material, words):
    assert told(material, words, "published") == []
    assert told(material, words, None) == []


def test_who_cites_a_source_gives_its_reason(material):
    words = "It falls because the adapter cuts the packets."
    assert told(material, words, "assumed", f"{words} [@smith]") == []
    assert told(material, "It falls.", "assumed") == []
