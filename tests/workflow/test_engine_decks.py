"""Slides by both engines: the same page and the same file, whichever rendered them."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from lxml import html

from analysis.report.outputs import pptx, revealjs
from tests.workflow.engines import DECKS, ENGINE_TESTS, ENGINES, MEANT, Builds, elements

pytestmark = ENGINE_TESTS


def file(builds: Builds, engine: str, edition: str, name: str) -> Path:
    return builds.folder / engine / edition / name.format(edition=edition)


@pytest.mark.parametrize("edition", DECKS)
def test_pages_of_slides_are_the_same_to_the_last_element(
    builds: Builds, edition: str
) -> None:
    name = revealjs.OUTPUT.name
    paths = [file(builds, engine, edition, name) for engine in ENGINES]
    ours, theirs = (elements(html.document_fromstring(p.read_bytes())) for p in paths)
    assert len(ours) > 200
    assert theirs == ours


@pytest.mark.parametrize("edition", DECKS)
def test_files_for_powerpoint_hold_the_same(builds: Builds, edition: str) -> None:
    ours, theirs = (
        parts(file(builds, engine, edition, pptx.OUTPUT.name)) for engine in ENGINES
    )
    assert len(ours) > 20
    assert theirs == ours


def parts(path: Path) -> dict[str, str]:
    """What slides, notes and pictures hold."""
    with zipfile.ZipFile(path) as read:
        return {
            name: MEANT.sub("BUILD", read.read(name).decode("latin-1"))
            for name in read.namelist()
            if re.match(r"ppt/(slides|notesSlides|media)/", name)
        }


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("edition", DECKS)
def test_both_may_be_published(builds: Builds, edition: str, engine: str) -> None:
    folder = builds.folder / engine / edition
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    for output in (revealjs.OUTPUT, pptx.OUTPUT):
        assert output.gate(folder / output.file(edition), files) == []
