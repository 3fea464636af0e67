"""The SVG of a figure: real text, patterns, nothing that reaches into the page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from lxml import etree

from analysis.facts.fact import Facts
from analysis.figures.keys import MARKS, key_svg
from analysis.figures.output import draw_all
from analysis.figures.page import COLOURS, FAMILY, VERDICT_COLOURS, WIDE
from analysis.figures.svg import tidied
from tests.figures.drawn import draw, make_drawing, make_setting
from tests.figures.made import PREDICTED, make_facts

SVG = "{http://www.w3.org/2000/svg}"
FACTS = make_facts().of("linux-veth", "noise")
SETTING = make_setting("delta", ("latency", "cpu_cost"), study="noise", tests=("A2",))


@pytest.fixture(scope="module")
def svg() -> str:
    return draw(FACTS, SETTING).svg.decode()


@pytest.fixture(scope="module")
def patterned() -> str:
    """A figure with synthetic and predicted changes."""
    first, *others = FACTS.facts
    made = [replace(first, **PREDICTED)]
    made += [
        replace(fact, **(PREDICTED if i % 3 == 0 else {"origin": "synthetic"}))
        for i, fact in enumerate(others)
    ]
    return draw(Facts(tuple(made)), SETTING).svg.decode()


def test_ids_and_references_belong_to_the_figure(patterned: str) -> None:
    ids = re.findall(r'\sid="([^"]+)"', patterned)
    targets = re.findall(r'(?:href="#|url\(#)([^")]+)', patterned)

    assert ids
    assert len(set(ids)) == len(ids)
    assert set(targets) == set(ids)
    assert all(id.startswith("figure-") for id in ids)


def test_colours_are_those_that_the_page_can_map(patterned: str) -> None:
    found = set(re.findall(r"#[0-9a-f]{6}\b", patterned))

    assert found <= {*COLOURS, *VERDICT_COLOURS.values()}
    assert "rgb(" not in patterned
    assert "opacity" not in patterned


def test_nothing_reaches_into_the_page_or_tells_the_time(patterned: str) -> None:
    assert patterned.startswith("<svg ")
    root = etree.fromstring(patterned.encode())
    tags = {etree.QName(e).localname for e in root.iter()}
    drawn = {"path", "use", "circle", "rect", "text"}
    assert tags <= {"svg", "g", "defs", "pattern"} | drawn
    marks = [e for e in root.iter() if e.get("data-keys")]
    assert marks, "marks that a page lets answer"
    assert {mark.get("fill") for mark in marks} == {"none"}, "nothing is seen of them"


def test_the_ground_is_transparent(svg: str) -> None:
    root = etree.fromstring(svg.encode())
    _, _, width, height = root.get("viewBox").split()

    assert f"L{width} {height}" not in svg
    assert f"M0 {height}" not in svg


def test_text_is_text_in_the_report_s_font(svg: str) -> None:
    root = etree.fromstring(svg.encode())

    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert FAMILY in root.get("font-family")
    assert "RR10(100B)" in texts
    assert svg.count("font-family") == 1
    assert all("style" not in text.attrib for text in root.iter(f"{SVG}text"))


def test_an_origin_is_one_pattern_for_each_colour(patterned: str) -> None:
    root = etree.fromstring(patterned.encode())

    fills = re.findall(r'fill="url\(#([^)]+)\)"', patterned)
    patterns = {pattern.get("id"): pattern for pattern in root.iter(f"{SVG}pattern")}
    assert set(fills) == set(patterns)
    assert len(fills) > len(patterns)
    assert all(len(pattern) == 1 for pattern in patterns.values())
    assert len(list(root.iter())) < 300


def test_several_figures_are_the_same_drawn_by_one_process_or_by_more() -> None:
    drawings = [make_drawing(FACTS, SETTING) for _ in range(4)]
    alone = drawings[0].sheet(WIDE).svg(drawings[0].setting.id)

    many = draw_all(drawings)

    assert {wide for wide, _ in many} == {alone}


def test_tidying_rounds_numbers_and_places_text() -> None:
    raw = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9pt"><metadata/>'
        '<g id="text_1"><text style="font-size: 9.2px; font-family: X; fill: #161616;'
        ' text-anchor: start" transform="translate(1.234567 2.5)">a b</text></g>'
        '<path d="M 1.23456 0 \nL 2 3 " style="fill: none; stroke-width: 0.567"/></svg>'
    )

    tidy = etree.tostring(tidied(raw.encode(), "x")).decode()

    assert '<text x="1.23" y="2.5" font-size="9.2" fill="#161616">a b</text>' in tidy
    assert 'd="M1.23 0L2 3"' in tidy
    assert "metadata" not in tidy


@pytest.mark.parametrize("mark", list(MARKS))
def test_a_mark_of_a_key_stands_before_its_words_and_can_be_seen(mark: str) -> None:
    root = etree.fromstring(key_svg([(mark, "words")], "key"))
    (text,) = root.iter(f"{SVG}text")
    circles, lines = [*root.iter(f"{SVG}circle")], [*root.iter(f"{SVG}path")]

    assert circles or lines or [*root.iter(f"{SVG}rect")]
    for circle in circles:
        assert float(circle.get("r")) > 2, "in points"
        assert 0 < float(circle.get("cx")) < float(text.get("x"))
    assert all(float(line.get("stroke-width")) > 0.5 for line in lines)
