"""The search over all editions: what it is made from, and what it finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml import html

from analysis.report.beside.answers import SEARCH, read_index
from analysis.report.builds.index import write_index
from analysis.report.builds.site_search import add_search, sections_of
from tests.conftest import ROOT
from tests.report.browser import CHROMIUM
from tests.report.builds.test_index import add
from tests.report.conftest import searched
from tests.report.devtools import Browser

PAGE = """<!doctype html><main>
<h2 id="sec-queue">1 A queue</h2><div class="answer"><p>The router
queue saves CPU time.</p><p>More.</p></div>
<h3 id="sec-queue-results">1.1 Results</h3>
<table><caption>Changes</caption><tr><td>RR10(1kB)</td><td>−36%</td></tr></table>
<h2 id="sec-tls">2 TLS &lt;1.3&gt;</h2><ul><li>A handshake costs more.</li></ul>
</main>"""


def test_a_section_has_its_title_its_place_and_its_words_once() -> None:
    queue, results, tls = sections_of(PAGE)
    assert (queue["id"], queue["title"], queue["path"]) == (
        "sec-queue",
        "1 A queue",
        "",
    )
    assert queue["words"] == "the router queue saves cpu time more"
    assert queue["finding"] == "The router queue saves CPU time."
    assert "finding" not in results
    assert results["path"] == "1 A queue"
    assert {"changes", "rr10", "−36%"} <= set(results["words"].split())
    assert tls["title"] == "2 TLS <1.3>"


@pytest.mark.parametrize("text", [None, b"", b"not JSON", b"3", b"[1]"])
def test_a_damaged_file_has_no_index(text: bytes | None) -> None:
    assert read_index(text) is None


def build(builds: Path, **about: object) -> None:
    """A build whose page has the sections above."""
    add(builds, **about)
    folder = builds / str(about["edition"])
    (folder / "index.html").write_text(PAGE, "utf-8")
    add_search(folder, str(about["edition"]))


def test_of_slides_each_is_a_section_of_its_part(tmp_path: Path) -> None:
    slides = """<!doctype html><section id="cover"><h1>A talk</h1></section>
    <section id="slide-1" class="divider"><h2>Speed</h2></section>
    <section id="slide-2" class="beside"><h2>It is faster</h2>
    <ul><li>Latency falls.</li></ul></section>"""
    (tmp_path / "index.html").write_text("<h1>Files</h1>", "utf-8")
    (tmp_path / "talk-slides.html").write_text(slides, "utf-8")
    add_search(tmp_path, "talk")
    index = read_index((tmp_path / SEARCH).read_bytes())
    assert index
    part, slide = index.sections
    assert (part.id, part.title, part.path) == ("slide-1", "Speed", "")
    assert (slide.id, slide.path) == ("slide-2", "Speed")
    assert slide.words == "latency falls"
    assert slide.page == "talk-slides.html"


def listed(tmp_path: Path) -> Path:
    builds = tmp_path / "build"
    build(builds, edition="one", title="The <first>")
    build(builds, edition="two", title="The second")
    write_index(builds / "index.html", builds, tmp_path / "report", ROOT / "templates")
    return builds / "index.html"


def test_the_list_holds_the_sections_of_all_editions(tmp_path: Path) -> None:
    found = searched(html.document_fromstring(listed(tmp_path).read_text("utf-8")))
    assert [one["title"] for one in found] == ["The <first>", "The second"]
    assert len(found[0]["sections"]) == 3


@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium")
def test_words_find_sections_of_all_editions(tmp_path: Path, running: Browser) -> None:
    page = running.open(listed(tmp_path).as_uri(), 390)
    page.ask("document.getElementById('search').focus()")
    page.call("Input.insertText", text="cpu saving queue")
    page.until("document.querySelectorAll('#results a').length")
    every = "[...document.querySelectorAll('#results a')]"
    links = page.ask(f"{every}.map(a => a.getAttribute('href'))")
    said = page.ask("document.getElementById('results').textContent")
    assert links[:2] == ["one/index.html#sec-queue", "two/index.html#sec-queue"]
    assert "The <first>" in said


@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium: apt install chromium")
def test_a_slide_that_is_found_is_opened(tmp_path: Path, running: Browser) -> None:
    builds = tmp_path / "build"
    build(builds, edition="talk", title="A talk")
    found = [{"id": "slide-2", "title": "Queues", "page": "talk-slides.html"}]
    index = json.dumps({"sections": found})
    (builds / "talk" / SEARCH).write_text(index, "utf-8")
    write_index(builds / "index.html", builds, tmp_path / "report", ROOT / "templates")
    page = running.open((builds / "index.html").as_uri(), 390)
    page.ask("document.getElementById('search').focus()")
    page.call("Input.insertText", text="queues")
    page.until("document.querySelectorAll('#results a').length")
    address = page.ask("document.querySelector('#results a').getAttribute('href')")
    assert address == "talk/talk-slides.html#slide-2"
