"""A draft shows what the checks found where it stands; a final edition does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.report.claims.checked import Checked, check_texts
from analysis.report.document.compose import compose
from analysis.report.lint.checks import lint
from analysis.report.lint.noted import noted
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from tests.handed_over import change_evidence

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


def composed(project: Sources, checked: Checked | None = None) -> str:
    checked = checked or check_texts(read_material("small", project))
    shown, rest = noted(checked, lint(checked))
    return compose(shown, reviews(checked), project.templates, rest).text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "Words.\n\nIt costs 73% more,\nas one sees.\n\nMore.",
            "as one sees. [Error: ",
        ),
        ("- One.\n- It costs 73% more.\n- Three.", "- It costs 73% more. [Error: "),
        ("> It costs 73% more.\n\nMore.", "> It costs 73% more. [Error: "),
        ("It runs 73% longer. # check\n", "[Stops a final edition: a mark to come"),
        ("#### It costs 73% more {#sec-x}\n\nWords.", "{#sec-x}\n\n[Error: a number"),
        ("| a |\n|---|\n| 73% |\n\nWords.", "| 73% |\n\n[Error: a number typed"),
    ],
)
def test_a_finding_stands_beside_its_paragraph(
    project: Sources, write_text: WriteText, text: str, shown: str
) -> None:
    write_text(OBSERVATIONS, f"{text}\n")
    found = composed(project)
    assert shown in found
    assert "]{.found .error}" in found


def test_one_message_of_a_paragraph_is_shown_once(
    project: Sources, write_text: WriteText
) -> None:
    write_text(OBSERVATIONS, "It costs 73% more, and 73% again.\n")
    assert composed(project).count("typed by hand: '73%'") == 1


def test_what_stands_in_no_paragraph_is_listed(project: Sources) -> None:
    study = project.report / "small/studies/speed/study.yaml"
    study.write_text(f"{study.read_text()}# check\n")
    change_evidence(project.facts, "lab", marks=((4, "# check"),))
    found = composed(project)
    folded = found.partition("{.workshop #sec-speed-review}")[2].partition(
        "Background"
    )[0]
    assert "- Stops a final edition: speed/study.yaml: a mark to come" in folded
    edition = found.partition("{.workshop #sec-checks")[2].partition(":::::")[0]
    assert "- Stops a final edition: lab/campaign.yaml: a mark to come" in edition


def test_a_final_edition_shows_none(project: Sources, write_text: WriteText) -> None:
    write_text(OBSERVATIONS, "It costs 73% more.\n")
    path = project.report / "small/edition.yaml"
    old = path.read_text().replace("status: draft\n", "")
    path.write_text(f"{old.rstrip()}\nstatus: final\n")
    checked = check_texts(read_material("small", project))
    assert noted(checked, lint(checked)) == (checked, {})
    assert ".found" not in composed(project, checked)
