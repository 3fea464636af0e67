"""Groups of studies, from their declaration to both rendered formats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html
from pypdf import PdfReader

from analysis.errors import UserError
from analysis.report.checks.claims import check_texts
from analysis.report.document.compose import chapters, compose
from analysis.report.document.generated import Generated, check_setups
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from tests.report.document.test_assemble import build
from tests.report.grouped import group, pair

WriteText = Callable[[str, str], Path]


def text_of(project: Sources) -> str:
    checked = check_texts(read_material("small", project))
    return compose(checked, reviews(checked), project.templates).text


def test_a_study_in_a_group_is_one_level_deeper(project: Sources) -> None:
    group(project)
    lines = text_of(project).splitlines()
    heads = [line for line in lines if line.startswith("#") and "#sec-" in line]
    assert heads[2:6] == [
        "# Networks {#sec-nets .group}",
        "## New against old {#sec-speed .study}",
        "### Observations {#sec-speed-observations}",
        "### All results {#sec-speed-results}",
    ]
    assert "# New against old {#sec-alone .study}" in heads
    assert "## Background {#sec-alone-background}" in heads


def test_the_introduction_of_a_group_is_reviewed_prose(
    project: Sources, write_text: WriteText
) -> None:
    group(project)
    write_text("nets.md", 'Falls by {{ delta("latency", "RR1(1kB)", study="speed") }}.')
    assert "Falls by [−37%]{.value" in text_of(project)


def test_headings_within_a_text_go_down_with_their_study(
    project: Sources, write_text: WriteText
) -> None:
    group(project)
    text = "### Deeper\n\nSo.\n\n```\n### code\n```\n"
    write_text("studies/speed/background.md", text)
    made = text_of(project)
    assert "\n#### Deeper\n" in made
    assert "\n### code\n" in made


def test_every_pair_has_its_chips(project: Sources) -> None:
    pair(project)
    checked = check_texts(read_material("small", project))
    (chapter,) = chapters(checked, reviews(checked), {}, Generated(checked.material))
    assert chapter["studies"][0]["chips"] == [
        ["The old one", "The new one"],
        ["Another", "Another"],
    ]


def test_both_formats_number_through_groups(
    project: Sources, fonts: Path, tmp_path: Path
) -> None:
    group(project)
    PandocEngine(fonts).render(build(project), tmp_path / "out")
    page = html.fromstring((tmp_path / "out/index.html").read_text("utf-8"))
    labels = page.xpath("//figcaption/span[@class='label']")
    assert [label.text_content() for label in labels] == [
        f"Figure\xa0{number}" for number in (1, 2, 3, 4)
    ]
    contents = page.get_element_by_id("contents")
    third = contents.xpath("./ul/li/ul/li/ul/li/a/@href")
    assert "#sec-speed-observations" in third
    words = "".join(
        sheet.extract_text() for sheet in PdfReader(tmp_path / "out/small.pdf").pages
    )
    assert "3.1.1 Observations" in " ".join(words.split())
    assert "Figure 4" in words


def shares(project: Sources, other: str) -> None:
    """Let the study ``alone`` say that its set-up is that of another one."""
    group(project)
    path = project.report / "small/studies/alone/study.yaml"
    path.write_text(f"setup-of: {other}\n{path.read_text('utf-8')}", encoding="utf-8")


def test_a_study_may_refer_to_the_set_up_of_another(project: Sources) -> None:
    shares(project, "speed")
    made = text_of(project)
    assert "Systems, settings and runs are those of @sec-speed." in made
    assert "{#sec-speed-configuration}" in made
    assert "{#sec-alone-configuration}" not in made
    assert "{#sec-alone-background}" not in made


@pytest.mark.parametrize(
    ("other", "told"),
    [("nowhere", "'nowhere' is no study"), ("alone", "'alone' is no study")],
)
def test_a_set_up_that_is_not_there_is_refused_with_its_line(
    project: Sources, other: str, told: str
) -> None:
    shares(project, other)
    with pytest.raises(UserError) as caught:
        text_of(project)
    assert f"studies/alone/study.yaml:1: setup-of: {told}" in str(caught.value)
    assert "name one of: speed" in str(caught.value)


def test_runs_that_the_other_study_does_not_have_are_told(project: Sources) -> None:
    shares(project, "speed")
    path = project.report / "small/studies/speed/study.yaml"
    text = path.read_text("utf-8").replace("tests: [new]", "tests: []")
    path.write_text(text, encoding="utf-8")
    found = check_setups(read_material("small", project))
    assert [issue.what for issue in found] == [
        "setup-of: new has runs here, and is no configuration of speed"
    ]
