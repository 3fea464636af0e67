"""Two values for one declared situation: an error of what was generated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.report.checks.situations import check_situations
from analysis.report.material import Material, Sources, read_material


@pytest.fixture
def material(project: Sources) -> Material:
    return read_material("small", project)


def alike(material: Material, factor: float, origin: str, **changes: object) -> list:
    """The findings where both sides of the study are declared alike."""
    (name, evidence), *_ = material.evidence.items()
    study = next(iter(material.studies.values()))
    base, test = study.baseline, study.tests[0]
    known = evidence.declared.configurations
    same = known[test].model_copy(update={"details": known[base].details} | changes)
    declared = evidence.declared.model_copy(
        update={"configurations": {base: known[base], test: same}}
    )
    value = next(
        f for f in material.facts.facts
        if f.kind == "value" and f.configuration == base
    )  # fmt: skip
    one = replace(value, value=100.0, low=99.9, high=100.1, origin=origin)
    other = replace(
        one, configuration=test, key="other",
        **{k: getattr(one, k) * factor for k in ("value", "low", "high")},
    )  # fmt: skip
    made = replace(
        material,
        facts=replace(material.facts, facts=(one, other)),
        evidence={name: evidence.model_copy(update={"declared": declared})},
    )
    return list(check_situations(made))


@pytest.mark.parametrize(
    ("origin", "severity"), [("synthetic", "error"), ("measured", "warning")]
)
def test_values_that_differ_contradict_each_other(material, origin, severity):
    (finding,) = alike(material, 1.2, origin)
    assert finding.severity == severity
    assert "has two values" in finding.issue.what
    assert "declares both configurations alike" in finding.issue.what


def test_what_lies_within_interval_or_limit_is_one_value(material):
    assert alike(material, 1.001, "synthetic") == []  # the intervals overlap
    assert alike(material, 1.009, "synthetic") == []  # apart, and within the limit


def test_what_is_declared_otherwise_or_is_a_control_may_differ(material):
    assert alike(material, 1.2, "synthetic", details={"MTU": 9000}) == []
    assert alike(material, 1.2, "synthetic", control_of="A") == []
