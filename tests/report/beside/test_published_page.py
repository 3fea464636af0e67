"""Published numbers beside slides that have no report, on a page of their own."""

from __future__ import annotations

from dataclasses import replace

from lxml import html

from analysis.report.beside.frame import PUBLISHED
from analysis.report.beside.published import published_page
from analysis.report.material import Material, Sources, read_material
from tests.report.conftest import ROOT
from tests.report.tables.test_reproduction import issue, row


def page_of(material: Material) -> str:
    made = published_page(material, "Draft.", ROOT / "templates")
    return made.get(PUBLISHED, "")


def test_slides_have_the_page_and_reports_their_appendix(project: Sources) -> None:
    report = read_material("small", project)
    rows = (row(value=-37.2, note="Read off <a> bar."), row(id="P002", test="other"))
    told = (issue("P001", "The table says 38."),)
    report = replace(report, published=rows, issues=told)
    assert page_of(report) == ""

    deck = report.edition.model_copy(update={"formats": ("revealjs",)})
    page = html.document_fromstring(page_of(replace(report, edition=deck)))
    assert "1 is reproduced and 1 is not derived" in page.text_content()
    first, second = page.xpath("//tbody/tr")
    assert [first.get("id"), second.get("id")] == ["P001", "P002"]
    cells = [" ".join(cell.text_content().split()) for cell in first]
    assert cells[2:4] == ["up to −37.2%", "−37.2%"]
    assert cells[5:] == ["✓ reproduced", "Read off <a> bar. The table says 38."]
    assert first.xpath(".//a/@href")[0].startswith("facts.html#trace-")
    assert "does not compare other with old." in second.text_content()


def test_slides_of_studies_nobody_wrote_of_have_none(project: Sources) -> None:
    own = read_material("small", project)
    deck = own.edition.model_copy(update={"formats": ("revealjs",)})
    assert page_of(replace(own, edition=deck, published=(row(study="other"),))) == ""
