"""Wherever the title of an edition stands, it says what its numbers are."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree, html
from pypdf import PdfReader

from analysis.cli import main
from analysis.facts.sentences import data_words, labelled
from analysis.report import verb
from analysis.report.across.library import Library
from analysis.report.builds.index import start_page, write_index
from analysis.report.checks.claims import check_texts
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from tests.report.conftest import EDITION, ROOT, make_project, searched
from tests.report.slides.made_text import drawing

TITLE = "Measured performance, from real runs"
LABELLED = f"{TITLE} — synthetic data"
SLIDES = (
    "## It is faster\n\n- Latency {{ moves('latency', 'RR1(1kB)', study='speed') }}.\n"
)


@pytest.mark.parametrize(
    ("origins", "told"),
    [
        ([], ""),
        (["measured"], ""),
        (["synthetic"], "synthetic data"),
        (["modelled", "synthetic"], "synthetic and modelled data"),
        (["modelled", "measured"], "measured and modelled data"),
        (["measured", "synthetic"], "measured and synthetic data"),
        (["published"], "published data"),
    ],
)
def test_a_label_is_made_of_the_origins(origins: list[str], told: str) -> None:
    assert data_words(origins) == told
    assert labelled("A title", origins) == (f"A title — {told}" if told else "A title")


def declared(folder: Path, formats: str, origin: str = "synthetic") -> Sources:
    """The small project with facts of an origin and a title that claims another."""
    project = make_project(folder)
    edition = EDITION.replace("'A \"small\" report'", TITLE)
    home = project.report / "small"
    slides = "slides: slides.md\n" if "pptx" in formats else ""
    (home / "edition.yaml").write_text(f"{edition}formats: [{formats}]\n{slides}")
    (home / "slides.md").write_text(SLIDES)
    drawing(project.figures / "slides/speed-rr.svg", 363, 200)
    (project.figures / "slides/alts.json").write_text("{}")
    (project.figures / "slides/charts.json").write_text("{}")
    text = project.facts.read_text("utf-8")
    project.facts.write_text(text.replace('"measured"', f'"{origin}"'), "utf-8")
    return project


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, fonts: Path) -> Iterator[Path]:
    """The folder of a project with a build of the edition in all formats."""
    folder = tmp_path_factory.mktemp("titles")
    project = declared(folder, "html, pdf, docx, revealjs, pptx")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verb, "choose", lambda engine: PandocEngine(fonts))
        out = folder / "builds/small"
        verb.make_report("small", project, "auto", folder / "scratch", out)
    yield folder


def page_of(path: Path) -> html.HtmlElement:
    return html.document_fromstring(path.read_bytes())


def words(found: list[html.HtmlElement]) -> list[str]:
    return [" ".join(one.text_content().split()) for one in found]


def test_the_page_has_it_in_its_head_its_bar_and_on_its_cover(built: Path) -> None:
    page = page_of(built / "builds/small/index.html")
    assert words(page.xpath("//title | //h1 | //a[@class='name']")) == [LABELLED] * 3
    assert page.xpath("//meta[@property='og:title']/@content") == [LABELLED]
    cards = json.loads(page.get_element_by_id("cards").text)
    assert cards["about"]["title"] == LABELLED  # how the report is cited


@pytest.mark.parametrize("name", ["facts.html", "explorer.html"])
def test_pages_beside_the_report_have_its_title(built: Path, name: str) -> None:
    page = page_of(built / "builds/small" / name)
    assert words(page.xpath("//title"))[0].endswith(f": {LABELLED}")
    assert words(page.xpath("//a[@class='name']")) == [f"← {LABELLED}"]


def test_the_slides_have_it_on_the_cover_and_at_the_foot(built: Path) -> None:
    page = page_of(built / "builds/small/small-slides.html")
    foot = "//p[@class='foot']/span[1]"
    assert words(page.xpath(f"//title | //h1 | {foot}")) == [LABELLED] * 3


def test_the_pdf_has_it_in_its_data_on_its_cover_and_at_the_foot(built: Path) -> None:
    file = PdfReader(built / "builds/small/small.pdf")
    assert file.metadata is not None and file.metadata.title == LABELLED
    cover, *_, last = (" ".join(page.extract_text().split()) for page in file.pages)
    assert LABELLED in cover
    assert LABELLED in last


def office(path: Path, part: str) -> etree._Element:
    with zipfile.ZipFile(BytesIO(path.read_bytes())) as file:
        return etree.fromstring(file.read(part))


def test_office_files_have_it_in_their_data_and_on_the_first_page(built: Path) -> None:
    word, deck = (built / f"builds/small/small.{end}" for end in ("docx", "pptx"))
    for file in (word, deck):
        assert office(file, "docProps/core.xml").findtext("{*}title") == LABELLED
    style = "//*[local-name()='pStyle'][@*='Title']/../.."
    title = office(word, "word/document.xml").xpath(style)[0]
    assert "".join(title.itertext()).strip() == LABELLED
    assert LABELLED in "".join(office(deck, "ppt/slides/slide1.xml").itertext())
    second = "".join(office(deck, "ppt/slides/slide2.xml").itertext())
    master = "".join(office(deck, "ppt/slideMasters/slideMaster1.xml").itertext())
    assert LABELLED in second + master


def test_the_list_of_reports_and_its_search_have_it(built: Path, fonts: Path) -> None:
    out = built / "builds/index.html"
    write_index(out, built / "builds", built / "report", ROOT / "templates", fonts)
    page = page_of(out)
    assert words(page.xpath("//li//h2")) == [LABELLED]
    assert searched(page)[0]["title"] == LABELLED


def test_the_start_page_of_files_alone_has_it(tmp_path: Path, fonts: Path) -> None:
    material = read_material("small", declared(tmp_path, "pdf"))
    states = reviews(check_texts(material))
    made = start_page(material, states, ROOT / "templates", fonts)["index.html"]
    page = html.document_fromstring(made)
    assert words(page.xpath("//title | //h1")) == [LABELLED] * 2


def test_what_is_published_has_it_in_list_search_feed_and_notes(built: Path) -> None:
    site = built / "www"
    where = ["--builds", built / "builds", "--report", built / "report"]
    where += ["--raw", built / "raw", "--templates", ROOT / "templates"]
    command = ["publish", f"--to={site}", "--draft", *map(str, where)]
    assert main(command) == 0
    page = page_of(site / "index.html")
    assert words(page.xpath("//li//h2")) == [LABELLED]
    assert searched(page)[0]["title"] == LABELLED
    feed = etree.fromstring((site / "feed.xml").read_bytes())
    assert feed.findtext("{*}entry/{*}title") == LABELLED
    notes = site / "releases/small/current/README.txt"
    assert notes.read_text("utf-8").splitlines()[0] == LABELLED


def test_editions_that_are_compared_have_it(built: Path) -> None:
    library = Library(built / "report", built / "facts.json")
    assert library.name("small") == f"{TITLE}, 2026 — synthetic data"


def test_a_title_over_measured_numbers_stays_as_it_is(tmp_path: Path) -> None:
    material = read_material("small", declared(tmp_path, "html", "measured"))
    assert material.title == TITLE
    facts = material.facts
    mixed = replace(facts.facts[0], origin="synthetic"), *facts.facts[1:]
    material = replace(material, facts=replace(facts, facts=mixed))
    assert material.title == f"{TITLE} — measured and synthetic data"
