"""Charts of PowerPoint in place of pictures: their numbers, intervals and looks."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

from analysis.report.outputs.native_charts import is_workbook
from analysis.report.outputs.pptx import check_pptx, pptx_file
from tests.report.outputs.decks import sample_deck

NAMES = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
}
LATENCY = {
    "form": "bars", "title": "Latency, lower is better", "unit": "%", "axis": "a",
    "categories": ["RR1(1kB): −58%, better", "published: up to −60%"],
    "series": [{
        "name": "Change", "values": [-58.0, -60.0], "low": [-59.0, None],
        "high": [-57.0, None], "colours": ["#009e73", "#6f6f6f"],
        "looks": ["synthetic", "published"],
    }],
    "log": False, "changes": True, "breaks": [-75.0, -50.0, -25.0, 0.0],
}  # fmt: skip
FLAT = {"about": "Latency: so.", "foot": "origin: synthetic", "charts": [LATENCY]}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, fonts: Path) -> bytes:
    folder = tmp_path_factory.mktemp("deck") / "slides"
    return pptx_file(sample_deck(folder, {"flat": FLAT}), fonts)


@pytest.fixture(scope="module")
def parts(made: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(made)) as file:
        assert len(set(file.namelist())) == len(file.namelist())
        return {name: file.read(name) for name in file.namelist()}


def found(part: bytes, path: str) -> list[etree._Element]:
    return etree.fromstring(part).xpath(path, namespaces=NAMES)


def test_a_figure_with_a_chart_is_one_and_keeps_its_words(
    parts: dict[str, bytes],
) -> None:
    slide = parts["ppt/slides/slide10.xml"]
    [frame] = found(slide, "//p:graphicFrame[.//c:chart]")
    assert found(slide, "//p:pic") == []
    [alt] = frame.xpath(".//@descr")
    assert alt == "What flat shows"
    words = "".join(etree.fromstring(slide).itertext())
    assert FLAT["about"] in words and FLAT["foot"] in words


def test_other_figures_stay_pictures_whose_alt_text_names_no_file(
    parts: dict[str, bytes],
) -> None:
    [alt] = found(parts["ppt/slides/slide8.xml"], "//p:pic//@descr")
    assert alt == "What tall shows"
    assert len([name for name in parts if name.startswith("ppt/media/")]) == 1


def test_a_chart_has_its_numbers_intervals_and_colours(
    parts: dict[str, bytes],
) -> None:
    chart = parts["ppt/charts/chart1.xml"]
    values = found(chart, "//c:val//c:v/text()")
    assert [*map(float, values)] == LATENCY["series"][0]["values"]
    assert found(chart, "//c:errBars/c:minus//c:v/text()") == ["1"]
    assert found(chart, "//c:cat//c:v/text()") == LATENCY["categories"]
    assert found(chart, "//c:ser/c:spPr//a:fgClr/a:schemeClr/@val") == ["accent3"]
    [published] = found(chart, "//c:dPt")
    assert published.find(".//a:noFill", NAMES) is not None


def test_the_workbook_of_a_chart_holds_what_it_draws(parts: dict[str, bytes]) -> None:
    data = parts["ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"]
    assert is_workbook(data)
    with zipfile.ZipFile(BytesIO(data)) as book:
        sheet = etree.fromstring(book.read("xl/worksheets/sheet1.xml"))
        strings = etree.fromstring(book.read("xl/sharedStrings.xml"))
    texts = ["".join(one.itertext()) for one in strings]
    cells = {
        c.get("r"): texts[int(c[0].text)] if c.get("t") == "s" else c[0].text
        for c in sheet.iter("{*}c")
    }
    assert cells["A2"] == LATENCY["categories"][0]
    assert (cells["B1"], cells["B2"], cells["C2"]) == ("Change", "-58", "1")
    assert "C3" not in cells, "nothing is known of the interval of a published number"


def test_each_shape_of_a_slide_has_an_id_of_its_own(parts: dict[str, bytes]) -> None:
    ids = found(parts["ppt/slides/slide10.xml"], "//p:cNvPr/@id")
    assert len(ids) == len(set(ids)) > 4


def test_a_chart_whose_data_hold_more_than_a_sheet_is_not_published(
    made: bytes, parts: dict[str, bytes], tmp_path: Path
) -> None:
    name, path = "ppt/embeddings/Microsoft_Excel_Sheet1.xlsx", tmp_path / "deck.pptx"
    spoilt = BytesIO(parts[name])
    with zipfile.ZipFile(spoilt, "a") as book:
        book.writestr("xl/vbaProject.bin", b"x")
    with zipfile.ZipFile(path, "w") as file:
        for one, content in (parts | {name: spoilt.getvalue()}).items():
            file.writestr(one, content)
    assert [i.what for i in check_pptx(path, ())] == [f"a deck with {name}"]
