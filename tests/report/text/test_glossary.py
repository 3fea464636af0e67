"""Terms of the field: how they are declared, and where the page explains them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html
from pypdf import PdfReader

from analysis.errors import UserError
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import add_extension, assemble
from analysis.report.document.document import Document
from analysis.report.document.parts import read_parts
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.material import Sources, read_material
from analysis.report.preview.page import PageMaker
from analysis.report.review.state import reviews
from analysis.report.text.glossary import (
    GLOSSARY,
    glossary_entries,
    glossary_json,
    read_glossary,
)
from tests.report.conftest import ROOT
from tests.report.sample_document import html_piece, read_documents

WriteGlossary = Callable[[str], Path]
TERMS = """\
# Terms.
OSH: {name: Network Express in EQDIO mode, means: Carries "Ethernet" *quickly*.}
HiperSockets: {name: HiperSockets, means: Runs through memory.}
CP: {name: Central processor, means: Runs programs.}
AT-TLS: {name: Application Transparent TLS, means: Protects connections.}
Sysplex Distributor: {name: Sysplex Distributor, means: Passes connections on.}
"""


@pytest.fixture
def write_glossary(tmp_path: Path) -> WriteGlossary:
    def write(text: str) -> Path:
        (tmp_path / GLOSSARY).write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_terms_are_in_alphabetical_order(write_glossary: WriteGlossary) -> None:
    glossary = read_glossary(write_glossary(TERMS))
    assert list(glossary) == [
        "AT-TLS", "CP", "HiperSockets", "OSH", "Sysplex Distributor",
    ]  # fmt: skip
    assert json.loads(glossary_json(glossary))["AT-TLS"] == "term-at-tls"


def test_an_edition_without_the_file_has_no_terms(tmp_path: Path) -> None:
    assert read_glossary(tmp_path) == {}


def test_a_name_equal_to_the_term_is_not_repeated(
    write_glossary: WriteGlossary,
) -> None:
    entries = glossary_entries(read_glossary(write_glossary(TERMS)))
    texts = {entry["id"]: entry["text"] for entry in entries}
    assert texts["term-hipersockets"] == "Runs through memory."
    assert texts["term-osh"].startswith("*Network Express in EQDIO mode.* Carries")
    assert r"\*quickly\*" in texts["term-osh"]


@pytest.mark.parametrize(
    ("bad", "line", "said"),
    [
        ("OSD: {name: A card}", 7, "means: this entry is missing"),
        ("OSD: {name: A card, means: ' '}", 7, "means"),
        ("OSD: {name: A card, means: It is., see: OSH}", 7, "no such entry"),
        ("<b>: {name: A card, means: It is.}", 7, "<b>"),
        ("at-tls: {name: The same, means: It is.}", 7, "'AT-TLS'"),
        ("CP: {name: Again, means: It is.}", 7, "listed twice"),
        ("OSD: [a", 8, "not valid YAML"),
    ],
)
def test_a_mistake_names_file_and_line(
    write_glossary: WriteGlossary, bad: str, line: int, said: str
) -> None:
    with pytest.raises(UserError, match=rf"glossary\.yaml:{line}") as caught:
        read_glossary(write_glossary(f"{TERMS}{bad}\n"))
    assert said in str(caught.value)


@pytest.fixture
def engine_folder(write_glossary: WriteGlossary) -> Path:
    folder = write_glossary(TERMS)
    add_extension(folder, ROOT / "templates", slides=False)
    (folder / "glossary.json").write_text(glossary_json(read_glossary(folder)), "utf-8")
    return folder


def marked(folder: Path, text: str) -> list[tuple[str, str]]:
    page = html_piece(Document(folder, read_parts("")), text)
    return re.findall(r'<a href="#([\w-]+)"\s+class="term">([^<]*)</a>', page)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Use OSH.", ["OSH"]),
        ("(OSH), *OSH* and OSH again.", ["OSH"]),
        ("Four CPs and one CP.", ["CPs"]),
        ("A Sysplex Distributor, and CPs.", ["Sysplex Distributor", "CPs"]),
        ("A Sysplex\nDistributor and AT-TLS-like.", ["Sysplex Distributor"]),
        ("- OSH\n- AT-TLS: on", ["OSH", "AT-TLS"]),
        ("Word\n:   With OSH.", ["OSH"]),
        ("# A {#sec-a}\n\nOSH OSH.\n\n# B {#sec-b}\n\nOSH.", ["OSH", "OSH"]),
        ("# OSH {#sec-a}\n\nNone.", []),
        ("`OSH` and [OSH](https://example.org) and z/OSH.", []),
        ("CPu, osh, OSH2, CP-like and CP/IP.", []),
        ("| OSH | x |\n|-----|---|\n| CP | y |\n", []),
        ("[OSH]{.chip .test} [−3%]{.value key='a' origin='measured'}", []),
        ("# Glossary {#sec-glossary}\n\n[OSH]{#term-osh}\n\n:   OSH is.", []),
    ],
)
def test_the_first_use_in_a_section_is_marked(
    engine_folder: Path, text: str, words: list[str]
) -> None:
    assert [word for _, word in marked(engine_folder, text)] == words


def test_no_terms_no_marks(engine_folder: Path) -> None:
    (engine_folder / "glossary.json").unlink()
    assert marked(engine_folder, "Use OSH.") == []


@pytest.fixture
def edition(project: Sources) -> Sources:
    folder = project.report / "small"
    (folder / GLOSSARY).write_text(TERMS, encoding="utf-8")
    path = folder / "edition.yaml"
    text = path.read_text("utf-8").replace("report'", "report on OSH'")
    path.write_text(text, encoding="utf-8")
    (folder / "front/preface.md").write_text("OSH is new [@smith].\n", "utf-8")
    return project


def test_both_formats_list_the_terms_and_the_page_marks_them(
    edition: Sources, tmp_path: Path, fonts: Path
) -> None:
    checked = check_texts(read_material("small", edition))
    document, out = tmp_path / "document", tmp_path / "out"
    assemble(checked, reviews(checked), edition.templates, document)
    PandocEngine(fonts).render(read_documents(document), out)
    page = html.parse(str(out / "index.html")).getroot()
    assert "OSH" in page.xpath("//title")[0].text
    assert page.xpath("//a[@class='term'][1]/@href")[0] == "#term-osh"
    entry = page.get_element_by_id("term-osh")
    meaning = entry.getparent().getnext().text_content().strip()
    assert meaning == "Network Express in EQDIO mode. Carries “Ethernet” *quickly*."
    pdf = PdfReader(out / "small.pdf")
    text = "".join(p.extract_text() for p in pdf.pages).replace("\n", " ")
    assert "OSH Network Express in EQDIO mode. Carries" in text
    heads = [head.get("id") for head in page.xpath("//h2")]
    assert heads[-2:] == ["sec-glossary", "sec-references"]


def test_a_preview_of_new_terms_is_a_new_page(
    edition: Sources, tmp_path: Path, fonts: Path
) -> None:
    maker = PageMaker("small", edition, tmp_path / "document", PandocEngine(fonts))
    before = maker.whole()
    path = edition.report / "small" / GLOSSARY
    path.write_text(f"{TERMS}RR: {{name: Request, means: One.}}\n", "utf-8")
    assert maker.quick(before) is None
    assert 'id="term-rr"' in maker.whole().html


def test_a_new_sentence_is_marked_as_in_the_whole(
    edition: Sources, tmp_path: Path, fonts: Path
) -> None:
    maker = PageMaker("small", edition, tmp_path / "document", PandocEngine(fonts))
    before = maker.whole()
    path = edition.report / "small/studies/speed/background.md"
    path.write_text("The new one is an OSH, as OSH is new.\n", encoding="utf-8")
    quick = maker.quick(before)
    assert quick is not None
    unstamped = [
        re.sub(r"\b[0-9a-f]{12}\b", "", text)
        for text in (quick.html, maker.whole().html)
    ]
    assert unstamped[0] == unstamped[1]
    assert quick.html.count('href="#term-osh"') == 2
