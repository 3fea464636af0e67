"""A study without tests: whole on the page, in the summary, and in the explorer."""

from __future__ import annotations

import pytest
from lxml import html

from analysis.report.beside.explorer import explorer_page
from analysis.report.beside.frame import Frame
from analysis.report.material import Material, Sources, read_material
from analysis.report.tables.glance import values_glance
from analysis.report.tables.summary import summary_table
from tests.report.conftest import ROOT, STUDY
from tests.report.document.test_assemble import text_of
from tests.report.grouped import group, remake

ALONE = STUDY.replace("[new]", "[]").replace("kind: delta", "kind: value")
ANSWER = 'It is {{ value("latency", "RR1(1kB)", configuration="old") }}.'


@pytest.fixture
def valued(project: Sources) -> Sources:
    """The edition, with the study ``alone`` behind ``speed``, of values."""
    group(project)
    folder = project.report / "small/studies/alone"
    (folder / "study.yaml").write_text(ALONE, encoding="utf-8")
    (folder / "answer.md").write_text(f"{ANSWER}\n", encoding="utf-8")
    (folder / "observations.md").write_text(f"{ANSWER}\n", encoding="utf-8")
    remake(project)
    return project


@pytest.fixture
def material(valued: Sources) -> Material:
    return read_material("small", valued)


def test_it_is_whole_on_the_page(valued: Sources) -> None:
    text = text_of(valued)
    own = text[text.index("{#sec-alone .study}") :]
    assert "[The old one]{.chip .test}" in own
    assert "[Latency: RR1(1kB)]{.what}" in own
    assert "9 values of one configuration; nothing is compared." in own
    assert "The old one:" in own
    assert "{#tbl-alone-glance}" in own
    assert "comparisons" not in own


def test_the_summary_counts_it_apart(valued: Sources) -> None:
    text = text_of(valued)
    assert "\n9 comparisons: " in text
    assert "One study has values of one configuration and no comparison." in text


def test_an_edition_of_values_alone_compares_nothing(valued: Sources) -> None:
    folder = valued.report / "small"
    (folder / "studies/speed/study.yaml").write_text(ALONE, encoding="utf-8")
    (folder / "studies/speed/observations.md").write_text("Good.\n", encoding="utf-8")
    remake(valued)
    text = text_of(valued)
    assert (
        "comparison" not in text[text.index("{#sec-summary") : text.index("#tbl-sum")]
    )
    assert "Lowest (upper) and highest (lower) value of each study." in text


def test_its_row_of_the_summary_has_the_ends_of_its_values(material: Material) -> None:
    row = next(
        r for r in str(summary_table(material)).splitlines() if "#sec-alone" in r
    )
    assert "| The old one |" in row
    assert row.count(".value key=") >= 3
    assert "CPU cost per transaction: " in row or row.count("µs/tran") > 0


def test_the_glance_has_each_value_that_no_numbered_table_has(
    material: Material,
) -> None:
    tables = material.of_study("alone")
    every = str(values_glance(tables))
    assert every.count(".value key=") == 9
    assert ": All values of" in every
    listed = tables.study.figures[0].model_copy(
        update={"kind": "table", "metrics": ("latency", "cpu_cost"), "workloads": "*"}
    )
    study = tables.study.model_copy(update={"figures": (listed,)})
    rest = str(values_glance(type(tables)(**(vars(tables) | {"study": study}))))
    assert rest.startswith("Throughput of STR3(1B/20MB): ")
    assert "|" not in rest
    one = listed.model_copy(update={"metrics": ("latency",)})
    study = tables.study.model_copy(update={"figures": (one,)})
    rest = str(values_glance(type(tables)(**(vars(tables) | {"study": study}))))
    assert ": Other values of" in rest


def test_the_explorer_has_its_values(material: Material) -> None:
    frame = Frame(material, "", ROOT / "templates")
    page = html.fromstring(explorer_page(frame))
    assert page.xpath("string(//h1)") == "All changes and values"
    own = page.xpath("//tbody/tr[.//span[@class='pair'][.='The old one']]")
    assert len(own) == 9
    verdicts = {row.xpath("string((.//span)[last()])").strip() for row in own}
    assert verdicts == {"value"}
