"""What is kept of findings is what a first look finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from analysis.report.claims.checked import Checked, check_texts
from analysis.report.lint import kept_findings
from analysis.report.lint.checks import lint
from analysis.report.lint.finding import Finding
from analysis.report.lint.findings_file import FindingsFile
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


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of texts whose words are looked at."""
    found: list[str] = []
    whole = kept_findings.check_wording
    monkeypatch.setattr(
        kept_findings,
        "check_wording",
        lambda text, knowledge: found.append(text.name) or whole(text, knowledge),
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


def test_a_later_build_looks_at_what_changed_alone(
    project: Sources, write_text: WriteText, looked: list[str]
) -> None:
    first = _built(project)
    assert first == _built(project)
    every, looked[:] = looked[:], []
    for name, text in EDITS:
        write_text(name, text)
        found = _built(project)
        assert found == lint(check_texts(read_material("small", project)))
    assert every.count(PREFACE) == 1
    looked.clear()
    write_text(PREFACE, "Latency falls by 45.6%, as before.\n")
    _built(project)
    assert looked == [PREFACE]


@pytest.mark.parametrize("damage", ["", "{", '{"x": {"y": [1]}}'])
def test_a_damaged_file_of_findings_is_as_none(
    project: Sources, looked: list[str], damage: str
) -> None:
    found = _built(project)
    (file,) = project.facts.with_name(".findings").iterdir()
    file.write_text(damage, encoding="utf-8")
    looked.clear()
    assert _built(project) == found
    assert PREFACE in looked


def test_other_facts_and_another_declaration_void_the_findings(
    project: Sources, write_text: WriteText, looked: list[str]
) -> None:
    _built(project)
    for change in (
        lambda: project.facts.write_bytes(project.facts.read_bytes() + b"\n"),
        lambda: write_text("glossary.yaml", "RTT: {name: time, means: There.}\n"),
    ):
        change()
        looked.clear()
        _built(project)
        assert PREFACE in looked


def test_nothing_is_kept_of_inputs_that_change_meanwhile(
    project: Sources, write_text: WriteText
) -> None:
    kept, checked = _read(project)
    write_text("glossary.yaml", "RTT: {name: time, means: There.}\n")
    lint(checked, kept)
    assert not project.facts.with_name(".findings").exists()


def _read(project: Sources) -> tuple[FindingsFile, Checked]:
    kept = FindingsFile.of("small", project)
    return kept, check_texts(read_material("small", project))


def _built(project: Sources) -> list[Finding]:
    kept, checked = _read(project)
    return lint(checked, kept)
