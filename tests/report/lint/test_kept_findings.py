"""What is kept of findings is what a first look finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from analysis.report.checks.check import TextChecks
from analysis.report.checks.finding import Finding
from analysis.report.claims.checked import check_texts
from analysis.report.lint.checks import lint
from analysis.report.lint.kept_findings import KeptFindings
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


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of texts whose words are looked at."""
    found: list[str] = []
    whole = TextChecks.of_text
    monkeypatch.setattr(
        TextChecks,
        "of_text",
        lambda own, text: found.append(text.name) or whole(own, text),
    )
    return found


def test_after_any_edit_kept_findings_are_those_of_a_first_look(
    project: Sources, write_text: WriteText
) -> None:
    material, kept, texts = read_material("small", project), KeptFindings(), {}
    seen: list[list[Finding]] = []
    for name, text in EDITS:
        write_text(name, text)
        checked = check_texts(material, texts)
        found, texts = kept.lint(checked), checked.texts  # type: ignore[assignment]
        assert found == lint(checked)
        seen.append(found)
    assert all(one != other for one, other in pairwise(seen))


def test_only_the_text_that_changed_is_looked_at_again(
    project: Sources, write_text: WriteText, looked: list[str]
) -> None:
    material, kept = read_material("small", project), KeptFindings()
    checked = check_texts(material)
    kept.lint(checked)
    looked.clear()
    write_text(PREFACE, "Care was taken.\n")
    changed = check_texts(material, checked.texts)
    kept.lint(changed)
    assert looked == [PREFACE]
    kept.lint(check_texts(read_material("small", project), changed.texts))
    assert len(looked) == 1 + len(changed.texts)
