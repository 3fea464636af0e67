"""The approval of front and back matter: what asks for it, what it covers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from analysis import cli
from analysis.facts.fact import Facts, read_facts, write_facts
from analysis.report.builds.check import check_edition
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.assemble import assemble
from analysis.report.material import Sources, read_material
from analysis.report.review.state import Review, review, reviews
from analysis.report.review.verb import approve

WriteText = Callable[[str, str], Path]
DAY = dt.date(2026, 3, 5)
PREFACE = "front/preface.md"
REVIEWERS = "reviewers: [{name: Ann Author, email: ann@example.org}]\n"


def checked_of(project: Sources) -> Checked:
    return check_texts(read_material("small", project))


def state_of(project: Sources) -> Review:
    return review(checked_of(project))


def declare(project: Sources, text: str, instead: str = "") -> None:
    path = project.report / "small/edition.yaml"
    before = path.read_text("utf-8")
    assert instead in before
    after = before.replace(instead, text) if instead else before + text
    path.write_text(after, encoding="utf-8")


def document(project: Sources, folder: Path) -> str:
    checked = checked_of(project)
    assemble(checked, reviews(checked), project.templates, folder)
    return (folder / "index.qmd").read_text(encoding="utf-8")


def found_by_checks(project: Sources) -> list[tuple[str, str]]:
    found = check_edition("small", project).findings
    told = [f for f in found if f.check == "review" and "back matter" in f.issue.what]
    return [(f.severity, f.issue.what.split("\n")[0]) for f in told]


@pytest.fixture
def approved(project: Sources) -> Sources:
    approve(checked_of(project), None, "Ann Author", DAY)
    return project


def test_it_is_approved_beside_the_declaration_of_the_edition(
    approved: Sources,
) -> None:
    text = (approved.report / "small/review.yaml").read_text("utf-8")
    assert "front/preface: Measured with care" in text
    assert state_of(approved).state == "approved"
    assert review(checked_of(approved), "speed").state == "draft"


@pytest.mark.parametrize(
    ("name", "text", "moved"),
    [
        (PREFACE, "Measured in haste [@smith].\n",
         "text: ‘front/preface: Measured in haste @smith.’ is new"),
        (PREFACE, "Measured with care.\n", "reference smith is gone"),
        (PREFACE, "---\nallow:\n  - {text: care, reason: so}\n---\n"
         "Measured with care [@smith].\n",
         "exception in front/preface: care is new: so"),
        ("back/runs.md", "{{ count_runs() }} runs.\n",
         "back/runs: count_runs() is new: 60"),
        ("glossary.yaml", "RTT: {name: round-trip time, means: There and back.}\n",
         "term RTT is new: round-trip time: There and back."),
    ],
)  # fmt: skip
def test_an_edit_makes_an_approval_stale_and_says_what_changed(
    approved: Sources, write_text: WriteText, name: str, text: str, moved: str
) -> None:
    write_text(name, text)
    found = state_of(approved)
    assert found.state == "stale"
    assert any(words.startswith(moved) for words in found.moved), found.moved


@pytest.mark.parametrize(
    ("instead", "text", "moved"),
    [
        ('A "small" report', "A great report",
         'edition › title moved from A "small" report to A great report'),
        ("title: Preface", "title: Proof",
         "edition › front › preface › title moved from Preface to Proof"),
        ("  - {id: runs, title: Runs, file: back/runs.md}\n", "  []\n",
         "edition › back › runs › title is gone: it was Runs"),
        ("studies: [speed]", "family: edition\nstudies: [speed]",
         "edition › family moved from study to edition"),
        ("studies: [speed]", "studies: [{id: all, title: All, studies: [speed]}]",
         "edition › chapter all is new: All"),
        ("2026-03-05", "2026-04-05",
         "edition › date moved from 2026-03-05 to 2026-04-05"),
    ],
)  # fmt: skip
def test_what_the_edition_declares_is_covered(
    approved: Sources, instead: str, text: str, moved: str
) -> None:
    declare(approved, text, instead)
    assert moved in state_of(approved).moved


@pytest.mark.parametrize(
    ("instead", "text"),
    [
        ("studies: [speed]", "keywords: [Linux]\nstudies: [speed]"),
        ("studies: [speed]", "studies: [speed]\nstatus: final"),
    ],
)
def test_what_says_nothing_voids_nothing(
    approved: Sources, instead: str, text: str
) -> None:
    declare(approved, text, instead)
    assert state_of(approved).state == "approved"


def test_a_table_that_it_prints_is_told_from_what_to_what(approved: Sources) -> None:
    facts = read_facts(approved.facts)
    runs = (*facts.runs[:-1], replace(facts.runs[-1], used=7, excluded=3))
    write_facts(Facts(facts.facts, runs), approved.facts)
    [moved] = [words for words in state_of(approved).moved if "runs_table" in words]
    assert moved.startswith("back/runs: runs_table() moved from ‘")
    assert "| 8 |" in moved.split("’ to ‘")[0] and "| 7 |" in moved.split("’ to ‘")[1]


def test_nobody_asks_for_it_where_no_reviewers_are_named(
    project: Sources, tmp_path: Path
) -> None:
    assert not state_of(project).asked
    assert found_by_checks(project) == []
    text = document(project, tmp_path / "draft")
    assert "[Front and back matter: draft, not approved yet.]" in text
    declare(project, "status: final\n")
    assert "back matter" not in document(project, tmp_path / "final")


@pytest.mark.parametrize(
    ("status", "severity"), [("draft", "warning"), ("final", "error")]
)
def test_an_edition_that_names_reviewers_asks_for_it(
    project: Sources, status: str, severity: str
) -> None:
    declare(project, f"{REVIEWERS}status: {status}\n")
    what = "front and back matter is not approved yet"
    assert found_by_checks(project) == [(severity, what)]
    approve(checked_of(project), None, "Anybody", DAY)
    [(told, words)] = found_by_checks(project)
    assert told == severity
    assert words.startswith("front and back matter: Anybody is unverified: not among")
    approve(checked_of(project), None, "Ann Author", DAY)
    assert found_by_checks(project) == []


@pytest.mark.parametrize(
    ("status", "severity"), [("draft", "warning"), ("final", "error")]
)
def test_a_stale_one_is_told_wherever_there_was_one(
    approved: Sources, write_text: WriteText, status: str, severity: str
) -> None:
    declare(approved, f"status: {status}\n")
    write_text(PREFACE, "Measured in haste [@smith].\n")
    what = "the approval of front and back matter is stale:"
    assert found_by_checks(approved) == [(severity, what)]


def test_a_final_edition_shows_one_line(approved: Sources, tmp_path: Path) -> None:
    declare(approved, "status: final\n")
    text = document(approved, tmp_path / "final")
    line = "Front and back matter: reviewed by Ann Author on 5 March 2026, unverified"
    assert f"[{line}.]{{.reviewed .approved}}" in text
    assert "sec-summary-review" not in text


def test_the_verb_takes_the_name_of_the_edition(
    project: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    project.figures.rename(project.figures.with_name("small"))
    options = ["--facts", str(project.facts), "--report", str(project.report)]
    options += ["--figures", str(project.figures.parent)]
    person = ["--by", "Ann Author", "--on", "2026-03-05"]
    assert cli.main(["review", "approve", "speed", *person, *options]) == 0
    assert cli.main(["review", "status", "small", *options]) == 0  # as nobody asks
    said = capsys.readouterr().out
    assert "small/front and back matter: draft, not approved yet" in said
    assert cli.main(["review", "approve", "small", *person, *options]) == 0
    assert (project.report / "small/review.yaml").is_file()
    assert cli.main(["review", "show", "small", *options]) == 0
    said = capsys.readouterr().out
    assert "front and back matter: approved by Ann Author on 2026-03-05" in said
    assert "edition › authors: Ann Author" in said
    assert cli.main(["review", "show", "small", "--edition", "small", *options]) == 0
    assert cli.main(["review", "show", "none", "--edition", "small", *options]) == 2
