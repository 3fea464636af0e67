from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement

from analysis.facts.fact import Estimate, Fact
from analysis.report.document.document import Document
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Material, Sources, read_material
from analysis.report.tables.summary import summary_table
from tests.report.conftest import ROOT
from tests.report.document.test_assemble import build, text_of
from tests.report.grouped import pair
from tests.report.sample_document import html_piece, sample_document

SUMMARY = ROOT / "templates/summary.qmd.j2"
ESTIMATE = Estimate("generation", "transfer", "1", "so", "published")


def rows(material: Material) -> list[str]:
    lines = summary_table(material).splitlines()
    return [line for line in lines if line.startswith("|")][2:]


def estimated(material: Material, metric: str, estimate: Estimate) -> Material:
    def changed(fact: Fact) -> Fact:
        if fact.metric != metric or fact.kind != "delta":
            return fact
        return replace(fact, estimate=estimate, verdict=None)

    facts = tuple(map(changed, material.facts.facts))
    return replace(material, facts=replace(material.facts, facts=facts))


def test_a_study_shows_its_best_and_its_worst_change(project: Sources) -> None:
    (row,) = rows(read_material("small", project))
    assert "[New against old](#sec-speed). How much faster is the new one?" in row
    assert "| The old one → The new one |" in row
    best, worst = row.index("−37%"), row.index("−12%")
    assert best < worst
    assert "[✓]{.verdict .improved}\u00a0[−37%]{.value key=" in row
    assert 'origin="measured"' in row


def test_each_comparison_has_its_row_and_its_own_baseline(project: Sources) -> None:
    pair(project)
    first, second = rows(read_material("small", project))
    assert "| The old one → The new one |" in first
    assert second.startswith("|  | Another → Another |")


def test_a_study_may_stay_out_of_the_summary(project: Sources) -> None:
    material = read_material("small", project)
    out = {
        id: study.model_copy(update={"summary": False})
        for id, study in material.studies.items()
    }
    assert rows(material) and rows(replace(material, studies=out)) == []


def test_its_comparisons_are_counted_once(project: Sources) -> None:
    assert text_of(project).count(" comparisons: ") == 2  # and in the study


def test_a_prediction_is_marked_as_one(project: Sources) -> None:
    predicted = estimated(read_material("small", project), "latency", ESTIMATE)
    assert "[◊]{.verdict .predicted}\u00a0[−37%]" in "".join(rows(predicted))


@pytest.fixture
def summary(project: Sources, fonts: Path, tmp_path: Path) -> HtmlElement:
    """The table on the page."""
    PandocEngine(fonts).render(build(project), tmp_path)
    page = html.fromstring((tmp_path / "index.html").read_text("utf-8"))
    return page.get_element_by_id("tbl-summary")


def test_on_a_phone_each_cell_carries_its_head(summary: HtmlElement) -> None:
    heads = summary.xpath(".//tbody/tr[1]/td/@data-head")
    assert heads == ["Compared", "Latency", "Throughput"]


def test_the_best_stands_above_the_worst(summary: HtmlElement) -> None:
    caption = summary.xpath("string(caption)")
    assert "Best (upper) and worst (lower) change of each study." in caption
    (cell,) = summary.xpath(".//tbody/tr[1]/*[3]")
    (line,) = cell.xpath("br")
    assert line.xpath("string(preceding-sibling::a)") == "−37%"
    assert line.xpath("string(following-sibling::a)") == "−12%"


def test_on_a_phone_a_cell_without_a_value_is_not_shown(tmp_path: Path) -> None:
    document = Document(sample_document(tmp_path / "document"), "")
    table = "| a | b | c |\n|---|---|---|\n| – | – | 1 |\n"
    piece = html_piece(document, f":::: {{.summary}}\n{table}::::\n")
    cells = html.fragment_fromstring(piece, create_parent=True).xpath(".//td")
    assert [cell.get("class") for cell in cells] == ["no-value", None]
    assert [cell.get("data-head") for cell in cells] == ["b", "c"]
