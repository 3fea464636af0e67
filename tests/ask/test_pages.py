"""The searches of pages show the values that the program answers with."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from analysis.report.builds.index import index_page, read_entries
from tests.ask.conftest import TEMPLATES
from tests.report.browser import CHROMIUM
from tests.report.devtools import Browser


def test_the_page_of_an_edition_has_its_rows_without_its_words_twice(
    release: Path,
) -> None:
    page = html.document_fromstring((release / "index.html").read_text("utf-8"))
    (data,) = page.xpath("//script[@id='answers']/text()")
    assert '"rows":[[' in data and "<" not in data
    assert "teleprinter" in data and '"sections":[]' in data


@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium")
def test_a_list_shows_the_first_answer_before_sections(
    release: Path, fonts: Path, running: Browser
) -> None:
    list_page = release.parent / "index.html"
    entries = read_entries([release], release.parent)
    list_page.write_text(index_page(entries, TEMPLATES, fonts=fonts), "utf-8")
    page = running.open(list_page.as_uri(), 390)
    page.ask("document.getElementById('search').focus()")
    page.call("Input.insertText", text="latency with 4 kB")
    page.until("document.querySelectorAll('#results a').length > 1")
    first = page.ask("document.querySelector('#results p').textContent")
    assert first.startswith("Latency, RR10(4kB): −12%")
    assert "The new one" in first and "improved" in first
    address = page.ask("document.querySelector('#results a').getAttribute('href')")
    assert address == "small/index.html#sec-speed"
    page.ask("document.getElementById('search').select()")
    page.call("Input.insertText", text="<b>telegraph</b>")
    page.until("document.getElementById('count').textContent.includes('telegraph')")
    assert page.ask("document.querySelectorAll('#results b').length") == 0
