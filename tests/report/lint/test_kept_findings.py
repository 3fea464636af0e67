"""What is kept of findings is what a first look finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from analysis.report.claims.checked import check_texts
from analysis.report.lint import kept_findings
from analysis.report.lint.checks import lint
from analysis.report.lint.finding import Finding
from analysis.report.lint.kept_findings import KeptFindings
from analysis.report.material import Sources, read_material

WriteText = Callable[[str, str], Path]
ANSWER = "studies/speed/answer.md"
OBSERVATIONS = "studies/speed/observations.md"
PREFACE = "front/preface.md"
CLAIMED = "---\nclaims:\n  - latency falls for RR*\n---\nLatency of RR1(1kB) falls.\n"
EDITS = (
    (ANSWER, "Latency falls.\n"),
    (OBSERVATIONS, CLAIMED),  # now a claim stands behind the answer
    (PREFACE, "Latency falls by 45.6%.\n"),
    (OBSERVATIONS, "Nothing is claimed.\n"),
    (ANSWER, "Latency falls by 12.3%.\n"),
    (PREFACE, "Care was taken.\n"),
    ("glossary.yaml", "RTT: {name: time, means: Latency falls by 77%.}\n"),
    ("glossary.yaml", "RTT: {name: time, means: There and back.}\n"),
)


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
    project: Sources, write_text: WriteText, monkeypatch: pytest.MonkeyPatch
) -> None:
    material, kept = read_material("small", project), KeptFindings()
    checked = check_texts(material)
    kept.lint(checked)
    looked: list[str] = []
    whole = kept_findings.check_wording
    monkeypatch.setattr(
        kept_findings,
        "check_wording",
        lambda text, knowledge: looked.append(text.name) or whole(text, knowledge),
    )
    write_text(PREFACE, "Care was taken.\n")
    changed = check_texts(material, checked.texts)
    kept.lint(changed)
    assert looked == [PREFACE]
    kept.lint(check_texts(read_material("small", project), changed.texts))
    assert len(looked) == 1 + len(changed.texts)
