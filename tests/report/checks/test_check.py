"""What is kept of findings is what a first look finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from analysis.report.checks.binding import _is_one
from analysis.report.checks.check import TextChecks, findings
from analysis.report.checks.claims import check_texts
from analysis.report.finding import Finding
from analysis.report.material import Sources, read_material

WriteText = Callable[[str, str], Path]
ANSWER = "studies/speed/answer.md"
OBSERVATIONS = "studies/speed/observations.md"
PREFACE = "front/preface.md"
EDITS = (
    (PREFACE, "Latency falls by 45.6%.\n"),
    (OBSERVATIONS, "Latency rises by 30%.\n"),
    (ANSWER, "Latency falls by 12.3%.\n"),
    (PREFACE, "Care was taken.\n"),
)


def test_after_any_edit_kept_findings_are_those_of_a_first_look(
    project: Sources, write_text: WriteText
) -> None:
    material, texts = read_material("small", project), {}
    kept, seen = TextChecks(material), list[list[Finding]]()
    for name, text in EDITS:
        write_text(name, text)
        checked = check_texts(material, texts)
        found, texts = kept.of_edition(checked), checked.texts  # type: ignore[assignment]
        assert found == findings(checked)
        seen.append(found)
    assert all(one != other for one, other in pairwise(seen))


def test_only_the_text_that_changed_is_looked_at_again(
    project: Sources, write_text: WriteText, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, whole = list[str](), TextChecks.of_text
    own = lambda self, text: looked.append(text.name) or whole(self, text)  # noqa: E731
    monkeypatch.setattr(TextChecks, "of_text", own)
    kept = TextChecks(read_material("small", project))
    checked = check_texts(kept.material)
    kept.of_edition(checked)
    looked.clear()
    write_text(PREFACE, "Care was taken.\n")
    kept.of_edition(check_texts(kept.material, checked.texts))
    assert looked == [PREFACE]


def test_checks_of_texts_that_nobody_saved_know_each_fact_once(
    project: Sources,
) -> None:
    checks = TextChecks(read_material("small", project))
    facts = {study: len(own) for study, own in checks.facts.items()}
    again = checks.for_unsaved().for_unsaved()
    assert {study: len(own) for study, own in again.facts.items()} == facts


def test_a_typed_number_is_an_error_in_results_and_elsewhere_a_warning(
    project: Sources, write_text: WriteText
) -> None:
    for name in (PREFACE, ANSWER):
        write_text(name, "Latency falls by 45.6%.\n")
    found = findings(check_texts(read_material("small", project)))
    told = {Path(f.issue.where.file).name: f.severity for f in found if f.issue.where}
    assert (told["preface.md"], told["answer.md"]) == ("warning", "error")


@pytest.mark.parametrize(
    ("name", "beside", "fits"),
    [
        ("storage_per_user", {"storage"}, True),
        ("total-above", {"total"}, True),
        ("cpu_cost", {"cpu_cost", "rate"}, True),
        ("storage", {"storage_per_user"}, False),
        ("throughput", {"rate"}, False),
        ("rates", {"rate"}, False),
    ],
)
def test_a_general_name_stands_for_its_kinds_and_for_nothing_else(
    name: str, beside: set[str], fits: bool
) -> None:
    assert _is_one(name, beside) is fits
