from __future__ import annotations

from dataclasses import replace

from analysis.report.lint.checks import lint
from analysis.report.lint.words.prints import Prints
from analysis.report.lint.words.unused import check_untold, check_unused
from analysis.report.material import Sources
from tests.report.lint.words.wording import WriteText, checked_of, written


def test_a_claim_that_no_sentence_uses_is_found(
    project: Sources, write_text: WriteText
) -> None:
    path = written(write_text, "Nothing to say.", "latency falls for RR*")
    (issue,) = check_unused(checked_of(project))
    assert str(issue.where) == f"{path}:3"
    assert "no sentence uses this claim: latency falls for RR*" in issue.what


def test_a_claim_that_a_sentence_uses_is_not(
    project: Sources, write_text: WriteText
) -> None:
    written(write_text, "Latency of RR1(1kB) falls.", "latency falls for RR1(1kB)")
    assert check_unused(checked_of(project)) == []


def test_findings_that_no_sentence_tells_are_one_warning_a_study(
    project: Sources, write_text: WriteText
) -> None:
    path = written(write_text, 'Latency {{ moves("latency", "RR1(1kB)") }}.')
    checked = checked_of(project)
    (issue,) = check_untold(checked, Prints(checked.material))
    assert str(issue.where) == f"{path}:1"
    assert "throughput +59% for STR3(1B/20MB)" in issue.what
    assert "and 4 more" in issue.what
    assert "python -m analysis facts speed" in issue.mend
    findings = [f for f in lint(checked) if "no sentence tells" in f.issue.what]
    assert [f.severity for f in findings] == ["warning"]


def test_findings_that_claims_or_values_tell_are_told(
    project: Sources, write_text: WriteText
) -> None:
    roles = ("client", "server")
    claims = [f"cpu_cost of {role} falls for RR*" for role in roles]
    claims += [f"cpu_cost of {role} rises for STR*" for role in roles]
    claims += ["latency falls for RR*"]
    written(write_text, '{{ moves("throughput", "STR3(1B/20MB)") }}.', *claims)
    checked = checked_of(project)
    assert check_untold(checked, Prints(checked.material)) == []


def test_sizes_that_somebody_chose_are_no_findings(
    project: Sources, write_text: WriteText
) -> None:
    written(write_text, "Nothing to say.")
    checked = checked_of(project)
    bases = {"RR1(1kB)": "free", "RR10(4kB)": "published", "STR3(1B/20MB)": "assumed"}
    facts = checked.material.facts
    made = tuple(replace(f, basis=bases.get(f.workload)) for f in facts.facts)
    material = replace(checked.material, facts=replace(facts, facts=made))
    (issue,) = check_untold(replace(checked, material=material), Prints(material))
    assert issue.what.count("RR10(4kB)") == issue.what.count(" for ") == 3
