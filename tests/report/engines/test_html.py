"""What the page of the Pandoc engine holds."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement

from analysis.report.pages.safe_page import check_policy

pytestmark = pytest.mark.xdist_group("page-browser")  # which has the sample
LINKS = "//a[starts-with(@href, '#')]"


@pytest.fixture(scope="module")
def text(rendered_sample: Path) -> str:
    return (rendered_sample / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> HtmlElement:
    return html.document_fromstring(text)


def words(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())


def test_it_needs_no_other_file_and_no_network(text: str, page: HtmlElement) -> None:
    assert not page.xpath("//link | //script[@src] | //iframe | //object")
    assert all(src.startswith("data:") for src in page.xpath("//@src"))
    assert all(
        url.startswith(('"data:', "#")) for url in re.findall(r"url\(([^)]*)", text)
    )
    policy = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
    assert list(check_policy(page)) == []
    assert len(page.xpath("//script")) == 2


def test_its_foot_leads_to_what_others_made(page: HtmlElement) -> None:
    assert page.xpath("//footer//a/@href") == ["third-party.html"]


def test_every_link_within_the_page_has_one_target(page: HtmlElement) -> None:
    ids = page.xpath("//@id")
    assert sorted(ids) == sorted(set(ids))
    targets = {href.removeprefix("#") for href in page.xpath(LINKS + "/@href")} - {""}
    assert len(targets) > 30
    assert targets <= set(ids)


def test_sections_figures_and_tables_are_numbered(page: HtmlElement) -> None:
    assert [words(e) for e in page.xpath("//figcaption/span[@class='label']")] == [
        "Figure 1", "Figure 2",
    ]  # fmt: skip
    tables = [words(e) for e in page.xpath("//caption/span[@class='label']")]
    assert tables == [f"Table {number}" for number in range(1, len(tables) + 1)]
    assert words(page.get_element_by_id("sec-offload-results")) == "6.4 Results"
    assert words(page.get_element_by_id("sec-references")) == "References"


@pytest.mark.parametrize(
    ("target", "label"),
    [
        ("fig-noise-runs", "Figure 2"),
        ("tbl-offload-glance", "Table 3"),
        ("sec-noise", "Section 7"),
        ("sec-noise-results", "Section 7.2"),
    ],
)
def test_a_reference_is_a_link_with_the_number(
    page: HtmlElement, target: str, label: str
) -> None:
    found = page.xpath(f"//a[@class='reference' and @href='#{target}']")
    assert {words(link) for link in found} == {label}


def test_citations_are_numbers_that_lead_to_the_references(page: HtmlElement) -> None:
    cited = page.xpath("//span[@class='citation']//a")
    assert {(words(a), a.get("href")) for a in cited} == {
        ("[1]", "#ref-veth"), ("[2]", "#ref-uperf"),
    }  # fmt: skip


def test_a_bound_number_leads_to_its_entry(page: HtmlElement) -> None:
    value = page.xpath("//p/a[@class='value']")[0]
    assert words(value) == "−37%"
    assert value.get("data-keys") == "offload.str3-1b-20mb.-.rate.B.delta"
    assert value.get("href") == ("facts.html#trace-offload-str3-1b-20mb---rate-B-delta")


def test_an_average_keeps_all_its_facts(page: HtmlElement) -> None:
    keys = page.xpath("//a[@class='value']/@data-keys")
    assert [k for k in keys if " " in k] == [
        "offload.rr1-100b.-.latency.B.delta offload.rr10-100b.-.latency.B.delta"
    ]


def test_what_is_predicted_is_marked_where_its_words_do_not_say_so(
    page: HtmlElement,
) -> None:
    modelled = page.xpath("//a[@data-origin='modelled']")
    marks = page.xpath("//span[@class='basis']")
    assert {words(mark) for mark in marks} == {"(predicted)"}
    silent = [a for a in modelled if "predict" not in words(a.getparent()).lower()]
    assert silent == [] and len(modelled) == len(marks) + 1
    before = page.xpath("//span[@class='basis']/preceding-sibling::node()[1]")
    assert {str(one) for one in before} == {" "}, "a mark is a word of its own"


def test_figures_are_drawn_in_the_colours_of_the_page(page: HtmlElement) -> None:
    for figure in page.xpath("//figure"):
        rooms = figure.xpath("./div | ./template[@class='layout']/div")
        assert [room.get("class") for room in rooms] == [
            "drawing wide", "drawing narrow",
        ]  # fmt: skip
        assert len(figure.xpath("./div")) == 1
        assert all("aspect-ratio: " in room.get("style") for room in rooms)
        drawings = figure.xpath(".//svg")
        assert [svg.get("class") for svg in drawings] == ["wide", "narrow"]
        assert {svg.get("role") for svg in drawings} == {"img"}
        assert len({svg.get("aria-label") for svg in drawings}) == 1
        source = html.tostring(figure).decode()
        assert "var(--data-1, #0072b2)" in source
        assert not re.search(r"(?<!, )#0072b2", source)


def test_the_alt_text_is_the_figures_label(page: HtmlElement) -> None:
    svg = page.xpath("//figure[@id='fig-noise-runs']//svg")[0]
    assert (
        svg.get("aria-label")
        == "Dots of every run of two configurations; they overlap."
    )


def test_data_and_drawing_are_files_beside_the_page(page: HtmlElement) -> None:
    links = page.xpath("//div[contains(@class, 'figure-card')]//a[@download]")
    assert len(links) == 4
    for link in links:
        id, _, ending = link.get("download").partition(".")
        file = {"csv": f"data/{id}.csv", "svg": f"figures/{id}.svg"}[ending]
        assert link.get("href") == file


def test_the_bar_has_a_search_field_with_its_list(page: HtmlElement) -> None:
    field = page.xpath("//header//input[@type='search']")[0]
    assert field.get("role") == "combobox"
    found = page.get_element_by_id(field.get("aria-controls"))
    assert found.get("role") == "listbox"
    assert page.xpath("//header//*[@role='status']")


def test_headings_step_by_one_and_callouts_are_none(page: HtmlElement) -> None:
    heads = page.xpath("//h1 | //h2 | //h3 | //h4 | //h5 | //h6")
    levels = [int(head.tag[1]) for head in heads]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert "Sample data" not in {words(head) for head in heads}
    callouts = page.xpath("//div[@class='note-box warning']")
    assert words(callouts[0]).startswith("Sample data The numbers")


def test_contents_show_three_levels(page: HtmlElement) -> None:
    contents = page.get_element_by_id("contents")
    assert contents.xpath("./ul/li/ul/li/ul/li/a/@href") == ["#sec-preface-third"]


def test_the_cover_says_what_the_document_is(page: HtmlElement) -> None:
    cover = page.xpath("//div[@class='cover']")[0]
    assert words(cover.xpath("./h1")[0]).startswith("Sample “veth”: Network")
    assert words(cover.xpath("./p[@class='banner']")[0]) == "Draft: not reviewed yet."
    about = {words(div[0]): words(div[1]) for div in cover.xpath("./dl/div")}
    assert about["Date"] == "21 November 2026"
    assert about["Authors"] == "Jane Doe, The sample team"
    assert about["Build"] == "0123456789ab"


def test_the_page_has_landmarks_and_a_language(page: HtmlElement) -> None:
    assert page.get("lang") == "en-GB"
    assert page.xpath("//a[@class='skip']/@href") == ["#text"]
    for landmark in ("//header", "//nav[@aria-label]", "//main[@id='text']"):
        assert len(page.xpath(landmark)) == 1


def test_a_band_stays_in_sight(page: HtmlElement) -> None:
    (band,) = page.xpath("//header/p[@class='ribbon']")
    assert words(band) == "Draft: not reviewed yet."
