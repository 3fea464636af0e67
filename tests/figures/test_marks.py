from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analysis.figures.marks import draw_bar, hatch
from analysis.figures.sheet import Sheet
from analysis.figures.svg import render_svg
from analysis.figures.theme import WIDE

COLOUR = "#009e73"


def bar(look: str) -> str:
    """The SVG of one bar."""
    sheet = Sheet(WIDE)
    draw_bar(sheet, (20.0, 60.0), (2.0, 5.0), COLOUR, look)
    sheet.y = 8.0
    return render_svg(sheet.plot(), "x").decode()


def test_every_origin_is_another_picture_without_its_colour() -> None:
    grey = {bar(look).replace(COLOUR, "#000000") for look in ("measured", "published")}
    grey |= {bar(look).replace(COLOUR, "#000000") for look in ("modelled", "synthetic")}

    assert len(grey) == 4


def test_synthetic_is_dotted_and_modelled_is_one_hatching_line() -> None:
    assert "stroke-dasharray" in bar("synthetic")
    assert "stroke-dasharray" not in bar("measured")
    assert bar("modelled").count("<path") == 1


def test_lines_of_several_types_keep_their_own() -> None:
    sheet = Sheet(WIDE)
    for i, kind in enumerate(("solid", "dashed", "dotted")):
        sheet.line((10.0, i + 1.0), (90.0, i + 1.0), COLOUR, 1.0, kind)
    sheet.y = 5.0

    svg = render_svg(sheet.plot(), "x").decode()

    assert svg.count("<path") == 3
    assert svg.count("stroke-dasharray") == 2


@given(st.floats(0, 60), st.floats(0.5, 100), st.floats(1, 6))
def test_a_hatch_stays_in_its_bar_and_reaches_its_ends(
    left: float, width: float, height: float
) -> None:
    places = hatch((left, left + width), (10.0, 10.0 + height))

    assert min(x for x, _ in places) == left
    assert max(x for x, _ in places) == left + width
    assert {y for _, y in places} == {10.0, 10.0 + height}


def test_a_bar_without_length_leaves_no_mark() -> None:
    sheet = Sheet(WIDE)
    for look in ("measured", "synthetic", "modelled", "published"):
        draw_bar(sheet, (20.0, 20.0), (2.0, 5.0), COLOUR, look)

    assert not sheet.plot().layers
