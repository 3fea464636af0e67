from __future__ import annotations

import re

import pytest
from lxml import etree

from analysis.figures.canvas import Canvas
from analysis.figures.palette import GROUND, TESTS
from analysis.figures.sheet import Sheet
from analysis.figures.svg import render_svg
from analysis.figures.theme import POINT, WIDE


def drawn(sheet: Sheet, height: float = 20.0) -> str:
    sheet.y = height
    return render_svg(sheet.plot(), "x").decode()


def millimetres(points: str) -> float:
    return float(points) * POINT


def test_the_page_is_as_large_as_the_sheet() -> None:
    root = etree.fromstring(drawn(Sheet(WIDE)))

    _, _, width, height = root.get("viewBox").split()
    assert millimetres(width) == pytest.approx(WIDE.width, abs=0.1)
    assert millimetres(height) == pytest.approx(20.0, abs=0.1)


def test_a_line_lies_where_the_sheet_put_it() -> None:
    sheet = Sheet(WIDE)
    sheet.line((10.0, 5.0), (30.0, 15.0), TESTS[0], 1.5, alpha=0.6)

    svg = drawn(sheet)

    (path,) = re.findall(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', svg)
    assert [millimetres(v) for v in path] == pytest.approx([10, 5, 30, 15], abs=0.05)
    assert "stroke-width:1.5" in svg
    assert "stroke-opacity:0.6" in svg


def test_a_mark_is_as_wide_as_asked_and_hollow_inside() -> None:
    sheet = Sheet(WIDE)
    sheet.point((40.0, 10.0), TESTS[1], "s", 3.0, hollow=True, edge=1.0)

    svg = drawn(sheet)

    corners = re.search(r'<path[^>]*d="M(-?[\d.]+) ', svg)
    assert corners
    outer = 2 * abs(float(corners[1])) + 1.0  # the edge lies half outside
    assert outer * POINT == pytest.approx(3.0, abs=0.1)
    assert f"fill:{GROUND}" in svg


def test_marks_keep_their_order_where_shapes_change() -> None:
    sheet = Sheet(WIDE)
    for i, shape in enumerate("oso"):
        sheet.point((10.0 + i, 10.0), TESTS[i], shape, 3.0)

    svg = drawn(sheet)

    found = [svg.index(color) for color in TESTS[:3]]
    assert found == sorted(found)


def test_a_canvas_is_not_shown() -> None:
    with pytest.raises(ValueError, match="into a file"):
        Canvas(10.0, 10.0).draw(show=True)
