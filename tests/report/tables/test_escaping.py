"""Texts that try to become code, by each way in which a text is written out."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pypandoc
import pytest
import yaml
from lxml import etree, html

from analysis.declared.campaign import read_campaign
from analysis.facts.fact import RunCount
from analysis.figures.svg import tidied
from analysis.publish.release import Release
from analysis.publish.site import list_page, pointer_page
from analysis.report.beside.answers import IndexedSection, SearchIndex
from analysis.report.builds.index import Entry, FormatLink, index_page
from analysis.report.document.document import read_document
from analysis.report.material import Sources
from analysis.report.outputs.pdf import pdf_file
from analysis.report.pages.safe_page import check_active, check_drawing, check_policy
from analysis.report.table import Notes, attribute, escape
from analysis.report.tables.setup import excluded_table, hardware_table, systems_table
from tests.report.attacked import change, document, skeleton, strange, titles
from tests.report.attacks import INERT
from tests.report.conftest import ROOT

TEMPLATES = ROOT / "templates"
READER = "markdown-raw_html-raw_tex-raw_attribute-native_divs-native_spans"
TEXT = {"Str", "Space", "SoftBreak", "Quoted", "SingleQuote", "DoubleQuote"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb", "a b"), ("a \r\n\r\n b", "a b"), ("a\tb", "a b"),
        ("a\u2028b\u2029c\x85d", "a b c d"), ("a\u00a0b", "a\u00a0b"),
        ("- a", "\\- a"), ("1. a", "1\\. a"), ("(i) a", "(i\\) a"), (": a", "\\: a"),
        ("2.5 GHz", "2.5 GHz"), ("A&amp;B", "A\\&amp;B"),
    ],
)  # fmt: skip
def test_a_text_is_one_line_and_begins_no_block(text: str, line: str) -> None:
    assert escape(text) == line


def test_metadata_are_text_alone() -> None:
    about = {f"m{number}": escape(text) for number, text in enumerate(INERT)}
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), f"--from={READER}", "--to=json"],
        input=f"---\n{yaml.safe_dump(about, allow_unicode=True, width=10_000)}---\n",
        capture_output=True,
        check=True,
        text=True,
    )
    found = json.loads(done.stdout)["meta"]
    assert set(found) == set(about)
    for number, text in enumerate(INERT):
        value = found[f"m{number}"]
        assert value["t"] == "MetaInlines"
        kinds = set(re.findall(r'"t": ?"(\w+)"', json.dumps(value["c"])))
        assert kinds <= TEXT, text


def test_tables_show_them_as_text(project: Sources) -> None:
    campaign = read_campaign(project.raw / "lab")
    system = campaign.systems["SYSA"]
    made = campaign.model_copy(
        update={
            "hardware": {text: text for text in INERT},
            "systems": {
                f"S{n}": system.model_copy(update={"description": text})
                for n, text in enumerate(INERT)
            },
        }
    )
    reasons = tuple((f"run-{n}", text) for n, text in enumerate(INERT))
    runs = [RunCount("small", "speed", "new", "RR1(1kB)", 0, 9, reasons)]
    notes = Notes(texts=list(INERT))
    parts = [
        hardware_table("lab", made), systems_table("lab", made), excluded_table(runs),
        notes.markdown(),
    ]  # fmt: skip
    for part in parts:
        page = pypandoc.convert_text(part, "html", format=READER)
        root = html.fromstring(f"<body>{page}</body>")
        assert [*check_active(root), *strange(root)] == []
        words = skeleton(root.text_content())
        assert [text for text in INERT if skeleton(text) not in words] == []


def test_an_attribute_keeps_its_text() -> None:
    spans = "\n\n".join(f'[x]{{alt="{attribute(text)}"}}' for text in INERT)
    page = pypandoc.convert_text(spans, "html", format=READER)
    found = [span.get("data-alt", span.get("alt")) for span in
             html.fromstring(page).iter("span")]  # fmt: skip
    assert list(map(skeleton, found)) == list(map(skeleton, INERT))


def test_the_pdf_shows_them_as_text(
    project: Sources, fonts: Path, tmp_path: Path
) -> None:
    unprintable = re.compile("[\uff1c\uff1e]")  # no typeface of the PDF has these

    def edition(data: Any) -> None:
        texts = [unprintable.sub("", text) for text in INERT]
        data |= {"title": titles(texts)[0], "subtitle": texts[0], "number": texts[-1]}
        data["authors"] = data["keywords"] = texts

    change(project.report / "small/edition.yaml", edition)
    source = read_document(document(project, tmp_path / "document"))
    pdf = pdf_file(source, fonts)
    assert pdf.startswith(b"%PDF")
    assert not re.search(rb"/(?:JavaScript|JS|Launch|SubmitForm)\b", pdf)


def test_a_drawing_shows_them_as_text() -> None:
    svg = etree.Element("{http://www.w3.org/2000/svg}svg", {"viewBox": "0 0 9 9"})
    for text in INERT:
        words = etree.SubElement(svg, "{http://www.w3.org/2000/svg}text", x="1")
        words.text = text
        words.addprevious(etree.Comment(re.sub("-", "", text)))
    made = etree.tostring(tidied(etree.tostring(svg), "a"))
    assert list(check_drawing(made)) == []
    assert b"<!--" not in made


def test_the_page_of_editions_shows_them_as_text() -> None:
    entries = [
        Entry(
            id="small", title=text, subtitle=text, headline=text, date="2026-01-01",
            date_text=text, year=2026,
            searched=SearchIndex(
                title=text,
                sections=[IndexedSection(id="a", title=text, path=text, words=text)],
            ),
            number=text, status=text, build=text, engine=text, about=(text, text),
            links=(FormatLink("html", text, "small/index.html"),),
        )
        for text in INERT
    ]  # fmt: skip
    root = html.fromstring(index_page(entries, TEMPLATES))
    data, *own = root.xpath("//script")
    assert (data.get("type"), len(own)) == ("application/json", 1)
    assert [*check_active(root), *check_policy(root)] == []
    for script in (data, *own):
        script.drop_tree()
    assert [*strange(root)] == []
    words = skeleton(root.text_content())
    assert [text for text in INERT if skeleton(text) not in words] == []


def test_the_list_of_releases_shows_them_as_text() -> None:
    releases = [
        Release.model_construct(
            edition=f"small-{number}", build=f"{number:012x}", date="2026-01-01",
            published="2026-01-01T00:00:00+00:00", title=text, subtitle=text,
            number=text, origins=[text], headline=text, draft=False, files={},
            news=text, current=not number,
        )
        for number, text in enumerate(INERT)
    ]  # fmt: skip
    root = html.fromstring(list_page(releases, TEMPLATES))
    assert [*check_active(root), *check_policy(root), *strange(root)] == []
    words = skeleton(root.text_content())
    assert [text for text in INERT if skeleton(text) not in words] == []


@pytest.mark.parametrize("id", ['"><script>x()</script>', "javascript:x()", "../x"])
def test_the_page_that_leads_to_a_release_leads_nowhere_else(id: str) -> None:
    release = Release.model_construct(edition="small", build=id, files={})
    root = html.fromstring(pointer_page(release, TEMPLATES))
    (refresh,) = root.xpath("//meta[@http-equiv='refresh']/@content")
    assert refresh.startswith("0; url=../")
    assert not root.xpath("//script")
    assert list(check_policy(root)) == []
