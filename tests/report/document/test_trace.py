"""Every bound number of the page leads to what it was made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import html
from lxml.html import HtmlElement

from analysis.facts.evidence import FileState, Passage
from analysis.facts.fact import Estimate, Facts, Lineage, read_facts, write_facts
from analysis.report.claims.checked import check_texts
from analysis.report.document.assemble import assemble
from analysis.report.document.document import read_document
from analysis.report.document.trace import average_id, facts_page
from analysis.report.material import Sources, read_material
from analysis.report.outputs.html import html_page
from analysis.report.review.state import reviews
from tests.handed_over import change_evidence

WriteText = Callable[[str, str], Path]
LOG, OTHER, LOOSE = "a" * 64, "b" * 64, "c" * 64
AVERAGE = '{{ average("latency", "RR*") }} and {{ delta("latency", "RR1(1kB)") }}.\n'


# Two files of one run, one of them not used.
FILES = {"run/a.log": FileState(LOG, 9), "run/b.log": FileState(OTHER, 9)}
PASSAGES = (
    Passage("r(1)-01", "run/a.log", (3, 7)),
    Passage("r(1)-01", "run/b.log", (1,)),
)


@pytest.fixture
def traced(project: Sources, write_text: WriteText, fonts: Path) -> HtmlElement:
    """The page of an edition whose facts have runs and files."""
    write_text("studies/speed/observations.md", AVERAGE)
    change_evidence(project.facts, "lab", files=FILES, passages=PASSAGES)
    facts = read_facts(project.facts)
    lineage = Lineage("median of runs", ("r(1)-01", "r(1)-02"), (LOG, LOOSE))
    own = tuple(replace(f, lineage=lineage, value=1.2345678) for f in facts.facts)
    write_facts(Facts(own, facts.runs), project.facts)
    checked = check_texts(read_material("small", project))
    document = project.facts.parent / "document"
    assemble(checked, reviews(checked), project.templates, document)
    page = html_page(read_document(document), fonts)
    return html.document_fromstring(page.decode())


def test_every_number_leads_to_its_fact_without_a_script(traced: HtmlElement) -> None:
    values = traced.xpath("//main//a[@class='value']")
    assert len(values) > 3
    for value in values:
        entry = traced.get_element_by_id(value.get("href")[1:])
        assert entry.tag == "article"


def test_a_fact_tells_value_formula_runs_and_files(traced: HtmlElement) -> None:
    entry = traced.get_element_by_id("trace-speed-rr1-1kb---latency-new-delta")
    said = " ".join(entry.text_content().split())
    assert "1.2345678 %, printed as −37%" in said
    assert "median of runs" in said
    assert "r(1)-01 to 02" in said
    assert "measured" in said


def test_a_file_is_listed_with_hash_and_positions(traced: HtmlElement) -> None:
    row = traced.get_element_by_id(f"file-{LOG[:16]}").xpath("ancestor::tr")[0]
    said = [" ".join(cell.text_content().split()) for cell in row]
    assert said == ["r(1)-01", f"lab/run/a.log{LOG}", "3, 7"]
    assert LOOSE in traced.text_content()
    assert OTHER not in traced.text_content()


def test_an_average_leads_to_all_its_facts(traced: HtmlElement) -> None:
    average = traced.xpath("//a[@class='value' and contains(@data-keys, ' ')]")[0]
    assert average.get("href") == f"#{average_id(average.get('data-keys'))}"
    entry = traced.get_element_by_id(average.get("href")[1:])
    assert [a.get("href")[:7] for a in entry.xpath(".//a")] == ["#trace-"] * 2


def test_links_of_facts_have_one_target(traced: HtmlElement) -> None:
    ids = traced.xpath("//@id")
    assert len(ids) == len(set(ids))
    links = traced.xpath("//div[@class='trace']//a/@href")
    missing = {link for link in links if unquote(link[1:]) not in ids}
    assert missing == set()


def test_an_estimate_tells_what_it_rests_on(project: Sources) -> None:
    material = read_material("small", project)
    first, *others = material.facts.facts
    estimate = Estimate("published ratio", "ratio", "1", "from <there>", "published")
    facts = [replace(first, estimate=estimate), *others]
    text = facts_page(facts, material.metrics, {}, {}, project.templates)
    assert text.count("<dt>Predicted</dt>") == 1
    assert "Predicted, from &lt;there&gt;; model ratio 1, rung 3" in text
    assert "no back-test." in text
