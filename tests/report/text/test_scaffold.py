"""What an author has yet to write holds a final edition, and only that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.report.builds.check import as_markdown, as_text, check_edition, summary
from analysis.report.checks.check import findings
from analysis.report.checks.claims import check_texts
from analysis.report.finding import Finding
from analysis.report.material import Sources, read_material
from analysis.report.text.scaffold import unwritten_declarations, unwritten_text
from tests.handed_over import change_evidence

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"
LEFT = "Say the finding first. Latency is told below.\n"


def held(project: Sources) -> list[Finding]:
    checked = check_texts(read_material("small", project))
    templates = checked.material.templates
    own = [i for t in checked.texts.values() for i in unwritten_text(t, templates)]
    own += unwritten_declarations(checked.material)
    mine = {issue.what for issue in own}
    found = [found for found in findings(checked) if found.issue.what in mine]
    assert all(one.severity == "held" for one in found)
    return found


def set_status(project: Sources, status: str) -> None:
    path = project.report / "small/edition.yaml"
    old = path.read_text().replace("status: draft\n", "").replace("status: final\n", "")
    path.write_text(f"{old.rstrip()}\nstatus: {status}\n")


def test_every_demand_of_a_new_edition_is_held(
    project: Sources, write_text: WriteText
) -> None:
    for name in ("background", "environment", "preface"):
        demand = (project.templates / f"new/{name}.md.j2").read_text().split("{{")[0]
        path = write_text(OBSERVATIONS, f"Words.\n\n{demand}\n")
        (found, *_) = held(project)
        assert str(found.issue.where) == f"{path}:3"
        assert "a sentence of the scaffold: 'say " in found.issue.what


@pytest.mark.parametrize(
    "text",
    [
        "Two CPUs. # check",
        "TO" + "DO: ask them.",
        "Cite it (fix" + "me).",
        "The goal (to be written).",
        "Lorem ipsum dolor.",
        "It ran X" + "XX times.",
    ],
)
def test_a_mark_to_come_back_to_is_held(
    project: Sources, write_text: WriteText, text: str
) -> None:
    path = write_text(OBSERVATIONS, f"Words.\n\n{text}\n")
    (found,) = held(project)
    assert str(found.issue.where) == f"{path}:3"
    assert "a mark to come back to" in found.issue.what


@pytest.mark.parametrize(
    "text",
    [
        "Some sentences of the manual say what is compared there and why.",
        "The receiver has to check every packet, and # is a sign.",
        "What there is to do is said in the manual. Say it aloud.",
    ],
)
def test_words_that_are_like_it_are_not(
    project: Sources, write_text: WriteText, text: str
) -> None:
    write_text(OBSERVATIONS, f"{text}\n")
    assert held(project) == []


def test_the_marks_of_a_file_are_told_at_once(project: Sources) -> None:
    change_evidence(
        project.facts, "lab", marks=((4, "# check"), (5, "# check"), (9, "# check"))
    )
    (found,) = held(project)
    assert str(found.issue.where) == "raw/lab/campaign.yaml:4"
    assert found.issue.what.endswith("'# check', and more in the lines 5, 9")


def test_a_mark_in_a_declaration_is_held(project: Sources) -> None:
    path = project.report / "small/studies/speed/study.yaml"
    path.write_text(f"{path.read_text().rstrip()} # check\n")
    (found,) = held(project)
    assert str(found.issue.where) == f"{path}:{path.read_text().count(chr(10))}"


def test_a_draft_shows_what_stops_the_final_edition(
    project: Sources, write_text: WriteText
) -> None:
    path = write_text(OBSERVATIONS, LEFT)
    set_status(project, "draft")
    checks = check_edition("small", project)
    assert (checks.errors, checks.held > 0) == (0, True)
    where = f"{path}:1: warning (stops a final edition): a sentence"
    assert where in as_text([checks])
    assert "⚠️" in as_markdown([checks])
    assert "(stops a final edition)" in as_markdown([checks])
    assert summary(checks).startswith(f"small: no errors, {checks.held} held, ")


def test_in_a_final_edition_it_is_an_error(
    project: Sources, write_text: WriteText
) -> None:
    path = write_text(OBSERVATIONS, LEFT)
    set_status(project, "final")
    checks = check_edition("small", project)
    assert checks.held == 0
    assert f"{path}:1: error: a sentence of the scaffold" in as_text([checks])
    assert "❌ `" in as_markdown([checks])


def test_a_mark_in_the_declaration_of_a_campaign_is_held(project: Sources) -> None:
    change_evidence(project.facts, "lab", marks=((4, "# check"),))
    (found,) = held(project)
    assert str(found.issue.where) == "raw/lab/campaign.yaml:4"
