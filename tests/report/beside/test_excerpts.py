"""The page of log lines and records, and what of the report leads there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import html

from analysis.facts.evidence import Excerpt, FileState, Passage
from analysis.facts.fact import Facts, Lineage, read_facts, write_facts
from analysis.report.beside.cards import cards
from analysis.report.beside.excerpts import excerpts_page
from analysis.report.beside.frame import Frame
from analysis.report.beside.ledger import facts_page
from analysis.report.bound import number
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.desk.desk import files_beside
from analysis.report.document.assemble import assemble
from analysis.report.material import Material, Sources, read_material
from analysis.report.review.state import reviews
from tests.handed_over import change_evidence
from tests.report.beside.conftest import LOG, OTHER

HOSTILE = '</span><script>alert(1)</script><img src=x onerror="alert(1)">'
NAME = 'run/"><b onload=alert(1)>#é.log'
SHOWN = (
    Excerpt(NAME, 3, "", 3, ("one", "two", HOSTILE), (("benchmark", HOSTILE),)),
    Excerpt("run/dump.smf", 80, "SMF record 70-1, 9 bytes", 0, (), ()),
    Excerpt("run/other.log", 1, "", 1, ("of another run",), ()),
)


@pytest.fixture
def material(project: Sources) -> Material:
    files = {NAME: FileState(LOG, 9), "run/dump.smf": FileState(OTHER, 9)}
    files["run/other.log"] = FileState("e" * 64, 9)
    passages = (
        Passage("r-01", NAME, (3, 7)),
        Passage("r-01", "run/dump.smf", (80,)),
        Passage("r-99", "run/other.log", (1,)),
    )
    more = {"files": files, "passages": passages, "excerpts": SHOWN}
    change_evidence(project.facts, "lab", **more)
    facts = read_facts(project.facts)
    lineage = Lineage("median of runs", ("r-01",), (LOG, OTHER))
    made = (replace(f, lineage=lineage, samples=(1.0, 3.0)) for f in facts.facts)
    write_facts(Facts(tuple(made), facts.runs), project.facts)
    declared = project.report / "small/edition.yaml"
    declared.write_text(f"{declared.read_text()}raw-files: excerpts\n")
    return read_material("small", project)


def test_what_a_raw_file_says_is_text_and_nothing_else(
    material: Material, project: Sources
) -> None:
    (text,) = excerpts_page(Frame(material, "", project.templates)).values()
    page = html.document_fromstring(text)
    main = page.get_element_by_id("text")
    assert not main.xpath(".//script | .//img | .//b[@onload]")
    assert main.text_content().count(HOSTILE) == 2
    (line,) = main.xpath(".//mark")
    assert line.text == f"     3  {HOSTILE}"
    assert "SMF record 70-1, 9 bytes" in main.text_content()
    assert "of another run" not in text, "no number rests on it"


def test_cards_and_facts_lead_to_places_that_are_there(
    material: Material, project: Sources
) -> None:
    (text,) = excerpts_page(Frame(material, "", project.templates)).values()
    ids = {unquote(id) for id in html.document_fromstring(text).xpath("//@id")}
    facts = html.document_fromstring(
        facts_page(Frame(material, "", project.templates), [])
    )
    leads = facts.xpath("//a[starts-with(@href, 'excerpts.html#')]/@href")
    assert facts.xpath("//nav/a[@href='excerpts.html']")
    places = {unquote(lead).partition("#")[2] for lead in leads}
    assert places == {f"lab/{NAME}:3", "lab/run/dump.smf:80"}
    assert places <= ids
    value = next(fact for fact in material.facts.facts if fact.kind == "value")
    known = json.loads(cards(Checked(material, {}, {}), [number(value)]))
    (row,) = known["rows"]
    names = known["names"]
    assert [(names[n], *at) for n, *at in row["leads"]] == [
        (f"lab/{NAME}", 3, 1),
        ("lab/run/dump.smf", 80, 0),
    ]
    assert known["unread"] == []
    assert row["runs"] == [1.0, 3.0]
    assert row["words"].startswith("2 runs, 1.0")


def test_without_a_word_in_the_edition_nothing_of_raw_files_is_shown(
    material: Material, project: Sources
) -> None:
    silent = material.edition.model_copy(update={"raw_files": False})
    hidden = replace(material, edition=silent)
    assert excerpts_page(Frame(hidden, "", project.templates)) == {}
    assert "excerpts.html" not in facts_page(Frame(hidden, "", project.templates), [])
    known = json.loads(
        cards(Checked(hidden, {}, {}), map(number, material.facts.facts))
    )
    assert known["excerpts"] == ""
    assert not any(row["leads"] for row in known["rows"])


def test_the_desk_shows_it_beside_the_page_as_a_build_does(
    material: Material, project: Sources, tmp_path: Path
) -> None:
    silent = material.edition.model_copy(update={"raw_files": False})
    for shown in (material, replace(material, edition=silent)):
        checked = check_texts(shown)
        assemble(checked, reviews(checked), project.templates, tmp_path / "document")
        there = "excerpts.html" in files_beside(tmp_path / "document")
        assert there == (shown is material)
