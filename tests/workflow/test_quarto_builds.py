"""Builds by a real Quarto: edits, and what is broken on the way."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree, html

from analysis.report.outputs.docx import check_docx
from tests.workflow.engines import (
    BUILD,
    ENGINE_TESTS,
    ENGINES,
    MEANT,
    Builds,
    elements,
)
from tests.workflow.projects import Project, copy_built, end

pytestmark = ENGINE_TESTS
P = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p"


@pytest.fixture
def project(builds: Builds, tmp_path: Path) -> Iterator[Project]:
    """A copy of the project after a build by Quarto."""
    copied = copy_built(Project(builds.folder / "project"), tmp_path / "project")
    yield copied
    end(copied)


def test_an_edited_sentence_is_the_same_by_both(project: Project) -> None:
    pages = []
    text = project / "report/linux-veth/studies/offload/background.md"
    text.write_text(f"{text.read_text('utf-8')}\nThis sentence is new.\n", "utf-8")
    for engine in reversed(ENGINES):
        command = ("--edition", "linux-veth", "--engine", engine)
        code, said, ran = project.build(*BUILD, *command)
        assert code == 0, said
        assert "report" in ran
        made = (project / "report/build/linux-veth/index.html").read_text("utf-8")
        pages.append(elements(html.document_fromstring(made)))
    assert pages[0] == pages[1]
    assert any("This sentence is new." in element for element in pages[0])


def test_a_document_of_word_is_the_same_by_both(project: Project) -> None:
    declared, made = project / "report/linux-veth/edition.yaml", []
    declared.write_text(
        f"formats: [html, docx]\n{declared.read_text('utf-8')}", "utf-8"
    )
    for engine in ENGINES:
        command = ("--edition", "linux-veth", "--engine", engine)
        code, said, _ = project.build(*BUILD, *command)
        assert code == 0, said
        path = project / "report/build/linux-veth/linux-veth.docx"
        assert check_docx(path, ()) == []
        with zipfile.ZipFile(path) as file:
            body = etree.fromstring(file.read("word/document.xml"))
        texts = [MEANT.sub("BUILD", "".join(p.itertext())) for p in body.iter(P)]
        # Behind the number of a section Pandoc writes a tab, and Quarto a space.
        made.append(["".join(text.split()) for text in texts])
    assert len(made[0]) > 300
    assert made[1] == made[0]


def reports(project: Project) -> dict[str, tuple[bytes, int]]:
    """The files of each report; the pages that list them follow the templates."""
    return {name: file for name, file in project.report().items() if "/" in name}


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("house.lua", "function Span(span)", "function Span(span)\n  x.y = 1",
         "house.lua:"),
        ("house.lua", "function Span(span)", "function Span((span)", "house.lua:"),
        ("house.lua", "function Span(span)",
         "function Span(span)\n  error('it burns')", "it burns"),
        ("page.html", "$endif$", "", "template page.html (line "),
        ("house.typ", "#let cover(", "#let covers(", "unknown variable: cover"),
    ],
)  # fmt: skip
def test_what_is_broken_is_told_and_the_report_stays(
    project: Project, name: str, old: str, new: str, told: str
) -> None:
    path, before = project / "templates/_extensions/netperf" / name, reports(project)
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    command = ("--edition", "linux-veth", "--engine", "quarto")
    code, said, _ = project.build(*BUILD, *command)
    assert code == 2
    assert told in said
    assert "stack" not in said.lower()
    assert reports(project) == before
