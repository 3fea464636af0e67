from __future__ import annotations

import re

import pytest
from lxml import etree

from analysis.facts.fact import Facts
from analysis.figures.captions import Around
from analysis.figures.kind import KINDS
from analysis.figures.output import Drawing
from analysis.figures.palette import COLOURS, VERDICT_COLOURS
from analysis.figures.setting import Setting
from analysis.figures.svg import tidy_svg
from analysis.figures.theme import NARROW, WIDE
from tests.figures.drawn import make_setting
from tests.figures.made import make_facts

AROUND = Around("", "", "")
FACTS = make_facts().of("linux-veth", "noise")


def drawing(kind: str, *metrics: str) -> Drawing:
    setting: Setting = make_setting(kind, metrics, study="noise", tests=("A2",))
    frame = KINDS[kind].data(Facts(FACTS.facts), setting)
    return Drawing(setting, frame, KINDS[kind].words(frame, setting), AROUND)


@pytest.fixture(scope="module")
def svg() -> str:
    figure = drawing("delta", "latency", "throughput", "cpu_cost")
    return figure.svg(WIDE, "noise-deltas").decode()


def test_ids_and_references_belong_to_the_figure(svg: str) -> None:
    ids = re.findall(r'\sid="([^"]+)"', svg)
    targets = re.findall(r'href="#([^"]+)"', svg)

    assert ids
    assert len(set(ids)) == len(ids)
    assert set(targets) == set(ids)
    assert all(re.fullmatch(r"noise-deltas-\d+", id) for id in ids)


def test_colours_are_those_that_the_page_can_map(svg: str) -> None:
    found = set(re.findall(r"#[0-9a-f]{6}\b", svg))

    assert found <= {*COLOURS, *VERDICT_COLOURS.values()}
    assert "rgb(" not in svg


def test_nothing_reaches_into_the_page_or_tells_the_time(svg: str) -> None:
    assert svg.startswith("<svg ")
    tags = {etree.QName(e).localname for e in etree.fromstring(svg.encode()).iter()}
    assert tags <= {"svg", "g", "defs", "path", "use", "circle"}


def test_the_ground_is_transparent(svg: str) -> None:
    root = etree.fromstring(svg.encode())
    _, _, width, height = root.get("viewBox").split()

    assert f"L{width} {height}" not in svg
    assert f"M0 {height}" not in svg


def test_text_is_drawn_and_needs_no_font(svg: str) -> None:
    assert "<text" not in svg
    assert "font" not in svg


@pytest.mark.parametrize(
    ("kind", "metrics"),
    [("delta", ("latency", "throughput", "cpu_cost")), ("value", ("rate",))],
)
def test_a_figure_stays_under_120_kilobytes(kind: str, metrics: tuple[str]) -> None:
    figure = drawing(kind, *metrics)

    assert len(figure.svg(NARROW, f"noise-{kind}-narrow")) < 120_000


def test_tidying_keeps_the_scale_of_glyphs_and_turns_dots_into_circles() -> None:
    dot = "M 10 12 " + " ".join(["C 1 2 3 4 5 6"] * 3) + " C 1 2 3 4 10 8 "
    dot += " ".join(["C 1 2 3 4 5 6"] * 3) + " C 1 2 3 4 10 12 z"
    raw = (
        '<svg xmlns="http://www.w3.org/2000/svg"><g transform="scale(0.015625)">'
        f'<path d="M 1.23456 0 L 2 3"/><path d="{dot}"/></g></svg>'
    )

    tidy = tidy_svg(raw.encode(), "x").decode()

    assert 'transform="scale(0.015625)"' in tidy
    assert 'd="M1.23 0L2 3"' in tidy
    assert '<circle cx="10.00" cy="10.00" r="2.00"/>' in tidy
