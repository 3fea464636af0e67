"""What the checks found is shown where it stands, in drafts and in previews."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.report.checks.check import findings
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.document.compose import compose
from analysis.report.document.noted import noted
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from tests.handed_over import change_evidence

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


def composed(project: Sources, checked: Checked | None = None) -> str:
    checked = checked or check_texts(read_material("small", project))
    shown, rest = noted(checked, findings(checked))
    text = compose(shown, reviews(checked), project.templates, rest).text
    return re.sub(r"\[([^\[\]]*)\]\{\.(?:own-words|leads)\}", r"\1", text)


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
    folded = found.partition("{.workshop #sec-speed-checks")[2].partition("Background")[
        0
    ]
    assert "- Stops a final edition: speed/study.yaml: a mark to come" in folded
    edition = found.partition("{.workshop #sec-checks")[2].partition(":::::")[0]
    assert "- Stops a final edition: lab/campaign.yaml: a mark to come" in edition


def test_the_notes_of_a_final_edition_stand_where_those_of_a_draft_do(
    project: Sources, write_text: WriteText
) -> None:
    write_text(OBSERVATIONS, "It costs 73% more.\n")
    study = project.report / "small/studies/speed/study.yaml"
    study.write_text(f"{study.read_text()}# check\n")
    path = project.report / "small/edition.yaml"
    path.write_text(f"{path.read_text().rstrip()}\nstatus: final\n")
    found = composed(project)
    assert "It costs 73% more. [Error: a number typed by hand" in found
    folded = found.partition("{.workshop #sec-speed-checks")[2]
    assert "speed/study.yaml: a mark to come" in folded.partition(":::::")[0]
    assert "Not approved yet" not in found
