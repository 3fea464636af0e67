"""Every bound number of the page leads to what it was made from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import html
from lxml.html import HtmlElement

from analysis.facts.fact import Estimate, Facts
from analysis.report.beside.frame import Frame
from analysis.report.beside.ledger import _linked_files, average_id, exact, facts_page
from analysis.report.material import Sources, read_material
from analysis.report.pages.safe_page import check_page
from tests.report.beside.conftest import LOG, LOOSE, OTHER


@pytest.fixture
def page(pages: Path) -> HtmlElement:
    return html.document_fromstring((pages / "index.html").read_bytes())


@pytest.fixture
def facts(pages: Path) -> HtmlElement:
    return html.document_fromstring((pages / "facts.html").read_bytes())


def test_every_number_leads_to_its_fact_without_a_script(
    page: HtmlElement, facts: HtmlElement
) -> None:
    values = page.xpath("//main//a[@class='value']")
    assert len(values) > 3
    for value in values:
        file, _, anchor = value.get("href").partition("#")
        assert file == "facts.html"
        assert facts.get_element_by_id(anchor).tag == "article"


def test_a_fact_tells_value_formula_runs_files_and_expression(
    facts: HtmlElement,
) -> None:
    entry = facts.get_element_by_id("trace-speed-rr1-1kb---latency-new-delta")
    said = " ".join(entry.text_content().split())
    assert "−37.1999999 %, printed as −37%" in said
    assert "median of runs" in said
    assert "r(1)-01 to 02" in said
    assert "measured" in said
    assert '{{ delta("latency", "RR1(1kB)") }}' in said


def test_a_file_is_listed_with_hash_and_positions(facts: HtmlElement) -> None:
    entry = facts.get_element_by_id("trace-speed-rr1-1kb---latency-new-delta")
    assert "#file-1" in entry.xpath(".//a/@href")
    row = facts.get_element_by_id("file-1").getparent()
    said = [" ".join(cell.text_content().split()) for cell in row]
    assert said == ["r(1)-01", f"1. lab/run/a.log{LOG}", "3, 7"]
    assert row[0].tag == "th"
    assert LOOSE in facts.text_content()
    assert OTHER not in facts.text_content()


def test_files_in_a_row_are_told_as_a_span() -> None:
    text = html.fromstring(f"<p>{_linked_files([9, 4, 2, 3, 7, 8])}</p>").text_content()
    assert text == "2 to 4 7 to 9"
    assert _linked_files([5]) == '<a href="#file-5">5</a>'
    assert html.fromstring(f"<p>{_linked_files([1, 2])}</p>").text_content() == "1 2"


def test_numbers_have_no_digits_of_binary_computation() -> None:
    assert exact(43.870000000000005) == "43.87"
    assert exact(-0.1 - 0.2) == "−0.3"


def test_an_average_leads_to_all_its_facts(
    page: HtmlElement, facts: HtmlElement
) -> None:
    average = page.xpath("//a[@class='value' and contains(@data-keys, ' ')]")[0]
    anchor = average_id(average.get("data-keys"))
    assert average.get("href") == f"facts.html#{anchor}"
    entry = facts.get_element_by_id(anchor)
    assert [a.get("href")[:7] for a in entry.xpath(".//a")] == ["#trace-"] * 2
    assert entry.find("h3").text == "Printed as −26% and 26%"


def test_links_of_facts_have_one_target(facts: HtmlElement) -> None:
    ids = facts.xpath("//@id")
    assert len(ids) == len(set(ids))
    links = facts.xpath("//div[@class='trace']//a/@href")
    own = [link for link in links if link.startswith("#")]
    assert own
    assert {link for link in own if unquote(link[1:]) not in ids} == set()


def test_the_pages_may_be_published_with_each_other(pages: Path) -> None:
    names = {path.relative_to(pages).as_posix() for path in pages.rglob("*.*")}
    files = names | {
        "facts.xlsx",
        "figures/speed-rr.svg",
        "figures/speed-str.svg",
        "small.pdf",
        "third-party.html",
    }
    for name in ("index.html", "facts.html", "explorer.html"):
        assert [i.what for i in check_page(pages / name, files)] == []
    broken = (pages / "facts.html").read_text("utf-8").replace('id="trace-', 'id="x-')
    (pages / "facts.html").write_text(broken, "utf-8")
    found = [issue.what for issue in check_page(pages / "index.html", files)]
    assert found
    assert all(w.startswith("a link to nothing: facts.html#trace-") for w in found)


def test_an_estimate_tells_what_it_rests_on(project: Sources) -> None:
    material = read_material("small", project)
    first, *others = material.facts.facts
    estimate = Estimate("generation", "ratio", "1", "from <there>", "published")
    facts = Facts((replace(first, estimate=estimate), *others))
    predicted = replace(material, facts=facts)
    text = facts_page(Frame(predicted, "", project.templates), [])
    assert text.count("<dt>Predicted</dt>") == 1
    assert "Predicted, from &lt;there&gt;; model ratio 1, rung 2" in text
    assert "no back-test." in text


def test_a_change_tells_the_limit_that_it_was_judged_by(project: Sources) -> None:
    material = read_material("small", project)
    judged = [f for f in material.facts.facts if f.threshold is not None]
    text = facts_page(Frame(material, "", project.templates), [])
    told = "<dt>Limit</dt><dd>2%: a smaller change does not count</dd>"
    assert judged
    assert text.count(told) == text.count("<dt>Limit</dt>") == len(judged)
