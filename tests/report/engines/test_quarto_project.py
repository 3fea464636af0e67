"""A document folder as a Quarto project: its settings, and what they name."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from analysis.report.document.document import read_document
from analysis.report.document.parts import read_parts
from analysis.report.engines.quarto_project import complete, section_labels
from tests.report.sample_document import sample_document


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return sample_document(tmp_path / "document")


def test_the_project_file_names_files_that_exist(document: Path, fonts: Path) -> None:
    complete(read_document(document), fonts)
    project = yaml.safe_load((document / "_quarto.yml").read_text())
    page, pdf = project["format"]["html"], project["format"]["typst"]
    named = [
        project["csl"],
        project["bibliography"],
        *project["project"]["post-render"],
        *(found["path"] for found in project["filters"]),
        *(page["template"], page["include-in-header"], pdf["template"]),
        *(*pdf["template-partials"], *pdf["font-paths"]),
    ]
    assert [name for name in named if not (document / name).exists()] == []


def test_sections_have_the_numbers_that_their_headings_show() -> None:
    text = "# A {#sec-a}\n\n## B {#sec-b}\n\n# C {.unnumbered #sec-c}\n\n# D {#sec-d}\n"
    assert section_labels(read_parts(text)) == {
        "sec-a": "Section\u00a01",
        "sec-b": "Section\u00a01.1",
        "sec-d": "Section\u00a02",
    }


def test_a_page_to_work_on_has_no_policy(document: Path, fonts: Path) -> None:
    complete(read_document(document), fonts)
    assert not (document / "labels.json").exists()
    project = yaml.safe_load((document / "_quarto.yml").read_text())
    assert "policy" not in project["format"]["html"]["variables"]
    assert project["format"]["html"]["variables"]["others"] == [
        {"file": "sample.pdf", "link": "PDF"}
    ]
