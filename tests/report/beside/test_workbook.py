"""The facts as a workbook, read back from its parts."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

from lxml import etree

from analysis.report.beside.ledger import trace_id
from analysis.report.beside.workbook import workbook
from analysis.report.material import Sources, read_material

MAIN = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


def parts(content: bytes) -> dict[str, etree._Element]:
    with zipfile.ZipFile(BytesIO(content)) as book:
        return {name: etree.fromstring(book.read(name)) for name in book.namelist()}


def rows_of(content: bytes, number: int) -> list[list[str]]:
    """The cells of a sheet as texts, those that are empty left out."""
    found = parts(content)
    texts = [
        "".join(item.itertext())
        for item in found["xl/sharedStrings.xml"].findall("m:si", MAIN)
    ]
    sheet = found[f"xl/worksheets/sheet{number}.xml"]
    return [
        [
            texts[int(cell.findtext("m:v", "", MAIN))]
            if cell.get("t") == "s"
            else cell.findtext("m:v", "", MAIN)
            for cell in row.findall("m:c", MAIN)
        ]
        for row in sheet.iterfind(".//m:row", MAIN)
    ]


def test_each_fact_is_a_row_with_its_ends_origin_and_link(project: Sources) -> None:
    material = read_material("small", project)
    content = workbook(material)
    heads, *rows = rows_of(content, 1)
    facts = {fact.key: fact for fact in material.facts.facts}
    assert [row[-1] for row in rows] and {row[-1] for row in rows} <= facts.keys()
    for row in rows:
        fact = facts[row[-1]]
        assert repr(fact.value).removesuffix(".0") in row
        assert fact.shown_origin in row and fact.printed in row
    assert {"Low", "High", "Unit", "Formula", "Verdict"} <= set(heads)
    links = parts(content)["xl/worksheets/_rels/sheet1.xml.rels"]
    assert {link.get("Target") for link in links} == {"facts.html"}
    places = parts(content)["xl/worksheets/sheet1.xml"].findall(".//m:hyperlink", MAIN)
    assert [place.get("location") for place in places] == [
        trace_id(r[-1]) for r in rows
    ]


def test_metrics_are_defined_and_campaigns_named(project: Sources) -> None:
    material = read_material("small", project)
    content = workbook(material)
    ids = {fact.metric for fact in material.facts.facts}
    assert {row[1] for row in rows_of(content, 2)[1:]} == ids
    assert [row[0] for row in rows_of(content, 4)[1:]] == list(material.campaigns)


def test_equal_facts_give_equal_bytes_and_no_text_is_a_formula(
    project: Sources,
) -> None:
    material = read_material("small", project)
    content = workbook(material)
    assert content == workbook(material)
    with zipfile.ZipFile(BytesIO(content)) as book:
        sheets = [n for n in book.namelist() if n.startswith("xl/worksheets/sheet")]
        assert not any(re.search(rb"<f>|<f ", book.read(name)) for name in sheets)
        assert {entry.date_time[:3] for entry in book.infolist()} == {(1980, 1, 1)}
