"""A document folder as a Quarto project: its settings, and what they name."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from analysis.report.document.document import DECK, REPORT, read_document
from analysis.report.document.parts import read_parts
from analysis.report.engines.pandoc import run_pandoc
from analysis.report.engines.quarto import complete, section_labels
from analysis.report.output import OUTPUTS
from tests.report.conftest import ROOT
from tests.report.outputs.decks import sample_deck
from tests.report.sample_document import sample_document


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return sample_document(tmp_path / "document")


def test_the_project_is_a_few_lines_that_name_files_that_exist(
    document: Path, fonts: Path
) -> None:
    complete(read_document(document), fonts)
    text = (document / "_quarto.yml").read_text()
    assert len(text.splitlines()) < 20
    project = yaml.safe_load(text)
    named = [project["bibliography"], *project["project"]["post-render"]]
    assert [name for name in named if not (document / name).exists()] == []
    assert list(project["format"]) == ["netperf-html", "netperf-typst"]


PATHS = ("csl", "template", "include-in-header", "template-partials", "font-paths",
         "reference-doc")  # fmt: skip


def test_extensions_name_files_that_they_have(tmp_path: Path, fonts: Path) -> None:
    """Quarto looks for each beside ``_extension.yml``."""
    report = sample_document(tmp_path / "document")
    complete(read_document(report), fonts)
    deck = sample_deck(tmp_path / "slides").folder
    for place, count in ((report / REPORT, 15), (deck / DECK, 6)):
        about = yaml.safe_load((place / "_extension.yml").read_text())
        formats = about["contributes"]["formats"]
        named = [f["path"] for one in formats.values() for f in one.get("filters", ())]
        for one in formats.values():
            for name in PATHS:
                found = one.get(name, ())
                named += [found] if isinstance(found, str) else found
        assert [name for name in named if not (place / name).exists()] == []
        assert len(named) >= count


def test_each_format_of_the_registry_is_one_that_an_extension_contributes() -> None:
    for output in OUTPUTS.values():
        extension, _, base = output.quarto.rpartition("-")
        path = ROOT / "templates/_extensions" / extension / "_extension.yml"
        assert base in yaml.safe_load(path.read_text())["contributes"]["formats"]


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
    assert "policy" not in project["format"]["netperf-html"]["variables"]
    assert project["format"]["netperf-html"]["variables"]["others"] == [
        {"file": "sample.pdf", "link": "PDF"}
    ]


def test_numbers_that_the_engine_knows_stand_in_references(document: Path) -> None:
    (document / "labels.json").write_text('{"fig-x": "Figure\\u00a07"}')
    found = read_document(document)
    options = "--to=plain", f"--lua-filter={REPORT}/quarto-labels.lua"
    said = run_pandoc(found, options, "See @fig-x and [-@fig-x].").decode()
    assert said == "See Figure\u00a07 and 7.\n"
