"""What the browser prints of a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader

from analysis.report.document.document import read_document
from analysis.report.outputs.html import html_page
from tests.report.browser import CHROMIUM, print_page
from tests.report.sample_document import edit, sample_document

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium"),
    pytest.mark.xdist_group("page-browser"),
]
ROWS = "".join(f"| row {number} | {number} |\n" for number in range(1, 9))
# A short table where there is room for its caption and its first rows only.
SHORT = f"""::: {{style="break-before: page; height: 235mm"}}
:::

| Name | Number |
|-----|-----|
{ROWS}
: A short table. {{#tbl-short}}

"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, fonts: Path) -> list[str]:
    """The text of each page of paper."""
    folder = tmp_path_factory.mktemp("paper")
    document = sample_document(folder / "document")
    edit(document, "# References", f"{SHORT}# References")
    page = folder / "index.html"
    page.write_bytes(html_page(read_document(document), fonts))
    printed = PdfReader(print_page(page, folder))
    return [page.extract_text() for page in printed.pages]


def test_the_cover_has_a_page_of_its_own(pages: list[str]) -> None:
    assert "Network Performance" in " ".join(pages[0].split())
    assert "Notices" not in pages[0]
    assert "Notices" in pages[1]


def test_what_is_of_use_on_a_screen_only_is_not_printed(pages: list[str]) -> None:
    text = "\n".join(pages)
    assert "References" in text
    for screen_only in ("Skip to the text", "Enlarge", "Data (CSV)"):
        assert screen_only not in text


def test_a_short_table_stays_on_one_page(pages: list[str]) -> None:
    [holding] = [page for page in pages if "A short table." in page]
    assert "row 1 " in holding
    assert "row 8 " in holding
