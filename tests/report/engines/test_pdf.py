"""What the PDF of the Pandoc engine holds."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

from analysis.errors import UserError
from analysis.report.document.document import read_document
from analysis.report.outputs.pdf import pdf_file
from tests.report.sample_document import edit, sample_document

pytestmark = pytest.mark.xdist_group("page-browser")  # which has the sample
VERAPDF = os.environ.get("VERAPDF", "")


@pytest.fixture(scope="module")
def file(rendered_sample: Path) -> Path:
    return rendered_sample / "sample.pdf"


@pytest.fixture(scope="module")
def pdf(file: Path) -> PdfReader:
    return PdfReader(file)


@pytest.fixture(scope="module")
def pages(pdf: PdfReader) -> list[str]:
    return [page.extract_text() for page in pdf.pages]


def elements(node: object) -> Iterator[DictionaryObject]:
    """The structure elements of a tagged PDF below a node."""
    found = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(found, ArrayObject):
        for child in found:
            yield from elements(child)
    elif isinstance(found, DictionaryObject):
        yield found
        yield from elements(found.get("/K"))


@pytest.fixture(scope="module")
def structure(pdf: PdfReader) -> list[DictionaryObject]:
    root = pdf.trailer["/Root"]["/StructTreeRoot"]
    return list(elements(root["/K"]))


def test_it_claims_pdf_ua_and_is_tagged(pdf: PdfReader) -> None:
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en-GB"
    metadata = root["/Metadata"].get_object().get_data().decode()
    assert re.search(r"<pdfuaid:part>1</pdfuaid:part>", metadata)
    assert re.search(r"<pdfaid:part>3</pdfaid:part>", metadata)
    assert re.search(r"<pdfaid:conformance>A</pdfaid:conformance>", metadata)


@pytest.mark.skipif(not VERAPDF, reason="needs veraPDF: VERAPDF names its program")
@pytest.mark.parametrize("flavour", ["ua1", "3a"])
def test_verapdf_finds_it_to_be_pdf_ua_and_pdf_a(file: Path, flavour: str) -> None:
    command = [VERAPDF, "--flavour", flavour, "--format", "text", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("PASS"), done.stdout + done.stderr


def headings(structure: list[DictionaryObject]) -> list[DictionaryObject]:
    return [e for e in structure if re.fullmatch(r"/H\d", str(e.get("/S")))]


def test_a_heading_is_words_and_no_parts_of_a_page(
    structure: list[DictionaryObject],
) -> None:
    below = {e.get("/S") for h in headings(structure) for e in elements(h.get("/K"))}
    assert below & {"/Div", "/P", "/Table"} == set()


def test_headings_skip_no_level(structure: list[DictionaryObject]) -> None:
    levels = [int(str(h["/S"])[2:]) for h in headings(structure)]
    steps = [b - a for a, b in pairwise([0, *levels])]
    assert max(levels) == 3
    assert max(steps) == 1


def bookmarks(pdf: PdfReader) -> list[tuple[int, str, int | None]]:
    """Level, title and page of every bookmark."""

    def below(items: list[Any], level: int) -> Iterator[tuple[int, str, int | None]]:
        for item in items:
            if isinstance(item, list):
                yield from below(item, level + 1)
            else:
                yield level, item.title, pdf.get_destination_page_number(item)

    return list(below(pdf.outline, 1))


def test_bookmarks_are_the_headings(
    pdf: PdfReader, structure: list[DictionaryObject], pages: list[str]
) -> None:
    tagged = [
        (int(str(h["/S"])[2:]), str(h["/T"]))
        for h in headings(structure)
        if h["/T"] != "Contents"
    ]
    marks = bookmarks(pdf)
    words = [(level, re.sub(r"^[\d.]+ ", "", title)) for level, title, _ in marks]
    assert words == tagged
    for _, title, page in marks:
        assert page is not None
        found = " ".join(pages[page].split())
        assert re.sub(r"^[\d.]+ ", "", title) in found


def test_all_that_is_read_stands_in_a_block(
    pdf: PdfReader, structure: list[DictionaryObject]
) -> None:
    document = next(e for e in structure if e["/S"] == "/Document")
    children = [child.get_object() for child in document["/K"]]
    kinds = [child["/S"] for child in children]
    assert kinds[0] == "/Title"
    assert "/Span" not in kinds
    assert pdf.trailer["/Root"]["/ViewerPreferences"]["/DisplayDocTitle"]


def test_header_cells_say_that_they_head_columns(
    structure: list[DictionaryObject],
) -> None:
    tables = [e for e in structure if e.get("/S") == "/Table"]
    heads = [e for e in structure if e.get("/S") == "/TH"]
    assert len(heads) > len(tables) > 3
    for head in heads:
        attributes = head["/A"]
        owned = attributes if isinstance(attributes, ArrayObject) else [attributes]
        assert "/Column" in {a.get_object().get("/Scope") for a in owned}
    for table in tables:
        assert "/THead" in {e.get("/S") for e in elements(table["/K"])}


def test_every_figure_has_alt_text(structure: list[DictionaryObject]) -> None:
    figures = [e for e in structure if e.get("/S") == "/Figure"]
    assert [str(e["/Alt"])[:4] for e in figures] == ["Dots", "Dots"]


def test_its_metadata_say_what_it_is(pdf: PdfReader) -> None:
    assert pdf.metadata is not None
    title = 'Sample "veth": Network Performance Summary Report'
    assert pdf.metadata.title == title
    assert pdf.metadata.author == "Jane Doe, The sample team"
    assert pdf.metadata["/Keywords"] == "z/OS, networking, performance"
    assert str(pdf.metadata.creation_date).startswith("2026-11-21 00:00:00")


def test_sections_are_bookmarks(pdf: PdfReader) -> None:
    titles = [item.title for item in pdf.outline if not isinstance(item, list)]
    assert "Segmentation offload: on versus off" in titles[-4]
    assert titles[-1] == "References"


def test_pages_say_where_they_are(pages: list[str]) -> None:
    assert "Page" not in pages[0]
    for number, text in enumerate(pages[1:], start=2):
        assert f"Page {number} of {len(pages)}" in text
    asked = [i for i, t in enumerate(pages) if "segmentation offload worth" in t]
    assert "Segmentation offload" in pages[asked[-1] + 1].splitlines()[1]


def test_a_running_head_names_the_section_with_which_its_page_begins(
    pages: list[str],
) -> None:
    heads = [text.splitlines()[1] for text in pages[1:]]
    assert heads[0] == "Contents"
    for head, text in zip(heads, pages[1:], strict=True):
        begins = text.splitlines()[2].strip() == "References"
        assert head.startswith("References") == begins
    first = next(n for n, text in enumerate(pages) if "\nReferences\n" in text)
    assert heads[first - 1].startswith(("References", "Appendix: every value"))


def test_every_page_says_that_it_is_a_draft(pages: list[str]) -> None:
    assert "Draft: not reviewed yet." in pages[0]
    banner = "Draft: not reviewed yet."
    assert {text.splitlines()[0] for text in pages[1:]} == {banner}


def test_a_long_table_repeats_its_header(pages: list[str]) -> None:
    appendix = [text for text in pages if text.splitlines()[1].startswith("Appendix")]
    rows = [text for text in appendix if "measured" in text]
    assert len(rows) >= 2
    assert all("95% interval" in text for text in rows)


def test_a_table_of_few_but_tall_rows_goes_over_pages(
    tmp_path: Path, fonts: Path
) -> None:
    document = sample_document(tmp_path / "document")
    rows = [f"| Row{i} | {'many words ' * 90}|" for i in range(6)]
    table = "\n".join(["| Name | Words |", "|---|---|", *rows])
    edit(document, "## Terms {#sec-preface-terms}", f"{table}\n\n## Terms")
    data = pdf_file(read_document(document), fonts)
    texts = [page.extract_text() for page in PdfReader(BytesIO(data)).pages]
    found = [[f"Row{i}" in text for text in texts].index(True) for i in range(6)]
    assert found[-1] == found[0] + 1
    assert all("Name" in texts[page] for page in found)


def test_bound_numbers_lead_to_another_page(pdf: PdfReader, pages: list[str]) -> None:
    reading = next(i for i, t in enumerate(pages) if "opens the fact" in t)
    links = [
        annotation.get_object()
        for annotation in pdf.pages[reading]["/Annots"]
        if annotation.get_object()["/Subtype"] == "/Link"
    ]
    assert len(links) >= 5


def test_numbers_of_figures_agree_with_their_references(pages: list[str]) -> None:
    text = " ".join(" ".join(pages).split())
    assert "Figure 1 Latency: change of B against A" in text
    assert "Figure 2 Rate: A and A2, every run." in text
    assert "See Figure 1 and Figure 2 in Section 6.4 and Section 7.2." in text
    assert "Table 3 B against A: the changes at a glance." in text


def test_a_character_that_no_typeface_has_is_told_with_its_line(
    tmp_path: Path, fonts: Path
) -> None:
    folder = sample_document(tmp_path / "document")
    index = folder / "index.qmd"
    text = index.read_text("utf-8")
    index.write_text(f"{text}\nA rocket: 🚀.\n", encoding="utf-8")
    line = text.count("\n") + 2
    with pytest.raises(UserError, match=rf"index\.qmd:{line}: .* have no '🚀'"):
        pdf_file(read_document(folder), fonts)
