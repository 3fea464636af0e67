"""Both editions by both engines: the same report, whichever of them rendered it.

The environment variable ``QUARTO`` names a real Quarto; without it nothing is compared.
What may differ stands in ``MEANT``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement
from pypdf import PdfReader

from analysis.report.pages.safe_page import check_policy
from tests.report.browser import CHROMIUM, ask
from tests.workflow.engines import (
    DECKS,
    ENGINE_TESTS,
    ENGINES,
    MEANT,
    QUARTO,
    REPORTS,
    Builds,
    elements,
)
from tests.workflow.projects import Project

VERAPDF = os.environ.get("VERAPDF", "")
pytestmark = ENGINE_TESTS
WIDTH = """return { room: innerWidth,
  taken: document.scrollingElement.scrollWidth };"""


def told(element: HtmlElement) -> str:
    return MEANT.sub("BUILD", " ".join(element.text_content().split()))


PARTS = {
    "headings": "//h1 | //h2 | //h3 | //h4 | //h5",
    "contents": "//nav//a",
    "captions": "//figcaption | //caption",
    "cells": "//main//th | //main//td",
    "references": "//main//a[contains(@class, 'reference')]",
    "citations": "//span[@class='citation']",
    "bibliography": "//div[@id='refs']/div",
    "paragraphs": "//main//p | //main//li | //main//dt | //main//dd",
    "notes": "//div[contains(@class, 'note-box')]",
}
NAMES = {
    "links": "//a/@href",
    "anchors": "//@id",
    "alt texts": "//main//svg/@aria-label | //main//img/@alt",
    "keys of facts": "//@data-keys",
}


@pytest.mark.parametrize("edition", REPORTS)
@pytest.mark.parametrize("part", PARTS)
def test_pages_say_the_same(builds: Builds, edition: str, part: str) -> None:
    ours, theirs = (
        [told(found) for found in builds.page(engine, edition).xpath(PARTS[part])]
        for engine in ENGINES
    )
    assert len(ours) > 0 or part == "notes"
    assert theirs == ours


@pytest.mark.parametrize("edition", REPORTS)
@pytest.mark.parametrize("part", NAMES)
def test_pages_lead_to_the_same(builds: Builds, edition: str, part: str) -> None:
    ours, theirs = (
        builds.page(engine, edition).xpath(NAMES[part]) for engine in ENGINES
    )
    assert len(ours) > 0
    assert theirs == ours


@pytest.mark.parametrize("edition", REPORTS)
def test_pages_are_the_same_to_the_last_element(builds: Builds, edition: str) -> None:
    ours, theirs = (elements(builds.page(engine, edition)) for engine in ENGINES)
    assert len(ours) > 1000
    assert theirs == ours


@pytest.mark.parametrize("edition", REPORTS)
def test_files_beside_the_page_are_the_same(builds: Builds, edition: str) -> None:
    # Who made it with what is told in these alone.
    apart = {"manifest.json", "provenance.json", "index.html", f"{edition}.pdf"}
    ours, theirs = (
        {
            path.relative_to(builds.folder / engine / edition).as_posix(): MEANT.sub(
                "BUILD", path.read_bytes().decode("latin-1")
            )
            for path in (builds.folder / engine / edition).rglob("*")
            if path.is_file() and path.name not in apart
        }
        for engine in ENGINES
    )
    assert theirs == ours


def structure(pdf: PdfReader) -> list[str]:
    """The tags of a PDF in their order, with the alt texts of its figures."""
    found: list[str] = []
    waiting = [pdf.trailer["/Root"]["/StructTreeRoot"]["/K"]]
    while waiting:
        node = waiting.pop()
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            waiting += reversed(node)
        elif isinstance(node, dict):
            found.append(f"{node.get('/S')} {node.get('/Alt', '')}")
            waiting.append(node.get("/K"))
    return found


@pytest.mark.parametrize("edition", REPORTS)
def test_pdfs_are_the_same(builds: Builds, edition: str) -> None:
    ours, theirs = (builds.pdf(engine, edition) for engine in ENGINES)
    texts = [
        [MEANT.sub("BUILD", page.extract_text()) for page in pdf.pages]
        for pdf in (ours, theirs)
    ]
    assert texts[1] == texts[0]
    tags = structure(ours)
    assert len(tags) > 500
    assert [tag for tag in structure(theirs) if "Figure" in tag] == [
        tag for tag in tags if "Figure" in tag
    ]
    assert sorted(structure(theirs)) == sorted(tags)


@pytest.mark.skipif(not VERAPDF, reason="needs veraPDF: VERAPDF names its program")
@pytest.mark.parametrize("flavour", ["ua1", "3a"])
@pytest.mark.parametrize("edition", REPORTS)
def test_the_pdf_of_quarto_keeps_its_promises(
    builds: Builds, edition: str, flavour: str
) -> None:
    path = builds.folder / "quarto" / edition / f"{edition}.pdf"
    command = [VERAPDF, "--flavour", flavour, "--format", "text", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("PASS"), done.stdout


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium")
def test_no_page_is_wider_than_a_phone_or_breaks_its_policy(
    builds: Builds, engine: str, tmp_path: Path
) -> None:
    pages = {
        e: (builds.folder / engine / e / "index.html", 390, WIDTH) for e in REPORTS
    }
    for found in ask(pages, tmp_path).values():
        assert found["taken"] <= found["room"]
    for edition in REPORTS:
        assert list(check_policy(builds.page(engine, edition))) == []


def test_builds_of_quarto_are_published(builds: Builds, tmp_path: Path) -> None:
    project = Project(builds.folder / "project")
    to = ("--draft", "--to", str(tmp_path / "www"))
    code, said, _ = project.build(sys.executable, "-m", "analysis", "publish", *to)
    assert code == 0, said
    for edition in REPORTS:
        page = tmp_path / "www/releases" / edition / "current/index.html"
        assert page.read_text("utf-8") == builds.text("quarto", edition)


@pytest.mark.parametrize("edition", REPORTS)
def test_the_document_is_an_open_project(builds: Builds, edition: str) -> None:
    folder = builds.folder / "project/data/build/document" / edition
    done = subprocess.run(
        [QUARTO, "render"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rendered = html.document_fromstring((folder / "index.html").read_text("utf-8"))
    policy = "//meta[@http-equiv='Content-Security-Policy']"
    [meant] = (page := builds.page("quarto", edition)).xpath(policy)
    meant.drop_tree()
    assert elements(rendered) == elements(page)
    theirs, ours = PdfReader(folder / f"{edition}.pdf"), builds.pdf("quarto", edition)
    assert [p.extract_text() for p in theirs.pages] == [
        p.extract_text() for p in ours.pages
    ]
    assert theirs.metadata and ours.metadata
    assert theirs.metadata.creation_date == ours.metadata.creation_date


@pytest.mark.parametrize("edition", DECKS)
def test_the_folder_of_a_talk_is_an_open_project(builds: Builds, edition: str) -> None:
    folder = builds.folder / "project/data/build/document" / edition
    done = subprocess.run(
        [QUARTO, "render"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (folder / "slides").iterdir()}
    assert {f"{edition}-slides.html", f"{edition}.pptx"} <= made
