"""Two campaigns of one layout: a run leads to its own files, and counts once."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import unquote

import pytest
from lxml import html

from analysis.facts.evidence import FileState, Passage
from analysis.facts.fact import Facts, Lineage, RunCount
from analysis.report.beside.cards import cards
from analysis.report.beside.frame import Frame
from analysis.report.beside.ledger import facts_page
from analysis.report.bound import number
from analysis.report.checks.claims import Checked
from analysis.report.material import Material, Sources, read_material
from analysis.report.tables.setup import excluded_table, runs_table

RUN = "r(1)-01"
STUDIES = {"speed": ("lab",), "later": ("later",), "all": ("lab", "later")}
SIDES = ("lab", "later")


@pytest.fixture
def material(project: Sources) -> Material:
    """A study of each campaign, and one of both; each has one file, of its own bytes
    or of the other's."""
    made = read_material("small", project)
    files = {name: FileState(name.ljust(64, "x"), 9) for name in SIDES}
    files["same"] = FileState("s" * 64, 9)
    passages = tuple(Passage(RUN, file, (3,)) for file in files)
    lab = made.evidence["lab"]
    told = {"files": files, "passages": passages}
    evidence = {name: lab.model_copy(update=told) for name in SIDES}
    first, facts, runs = made.facts.facts[0], [], []
    for study, campaigns in STUDIES.items():
        names = [RUN] if len(campaigns) == 1 else [f"{name}/{RUN}" for name in SIDES]
        used = (*(files[name].sha256 for name in campaigns), files["same"].sha256)
        lineage = Lineage("median", tuple(names), used)
        key = first.key.replace("speed", study)
        facts.append(replace(first, study=study, key=key, lineage=lineage))
        of = (first.configuration, first.workload, 10 * len(names), len(names))
        reasons = tuple((name, "no answer") for name in names)
        runs.append(RunCount("small", study, *of, reasons))
    speed = made.studies["speed"]
    studies = {
        id: speed.model_copy(update={"campaigns": of}) for id, of in STUDIES.items()
    }
    found = Facts(tuple(facts), tuple(runs))
    return replace(made, studies=studies, evidence=evidence, facts=found)


def test_a_run_leads_to_the_files_of_its_own_campaign(
    material: Material, project: Sources
) -> None:
    text = facts_page(Frame(material, "", project.templates), [])
    page = html.document_fromstring(text)
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    for study, campaigns in STUDIES.items():
        entry = page.get_element_by_id(
            f"trace-{study}-rr1-1kb---latency-{material.facts.facts[0].configuration}"
        )
        links = entry.xpath(".//a[starts-with(@href, '#run-')]")
        assert [unquote(a.get("href")) for a in links] == [
            f"#run-{name}/{RUN}" for name in campaigns
        ]
        for link in links:
            row = page.get_element_by_id(unquote(link.get("href"))[1:])
            name = row.get("id").removeprefix("run-").partition("/")[0]
            file = row.xpath("ancestor::tr/td")[0].text_content()
            assert file.removeprefix("1. ").startswith(f"{name}/")


def test_a_card_names_the_files_of_its_own_campaigns(material: Material) -> None:
    keys = {fact.study: fact.key for fact in material.facts.facts}
    found = json.loads(
        cards(Checked(material, {}, {}), map(number, material.facts.facts))
    )
    for study, campaigns in STUDIES.items():
        numbers = found["files"][found["facts"][keys[study]]["files"]]
        files = [found["names"][number] for number in numbers]
        named = [(name, file) for name in campaigns for file in (*SIDES, "same")]
        assert files == sorted(
            f"{name}/{file}" for name, file in named if file in (*campaigns, "same")
        )


def test_a_run_of_several_studies_counts_once(material: Material) -> None:
    assert sum(run.used for run in material.runs()) == 20
    of_one = {id: of for id, of in material.studies.items() if id != "all"}
    runs = tuple(run for run in material.facts.runs if run.study != "all")
    apart = replace(material, studies=of_one, facts=Facts((), runs)).runs()
    assert sum(run.used for run in apart) == 20
    told = runs_table(apart) + excluded_table(apart)
    for name in SIDES:
        assert f"in {name}" in runs_table([replace(apart[0], used=9), *apart])
        assert f"{name}/{RUN}" in told
