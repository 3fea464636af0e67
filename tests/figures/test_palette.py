from __future__ import annotations

import pytest

from analysis.figures.page import (
    BASELINE,
    QUIET,
    TESTS,
    VERDICT_COLOURS,
    configuration_colours,
)

INK_GROUND, PAPER_GROUND = "#161616", "#ffffff"


def luminance(color: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    shares = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("ground", [INK_GROUND, PAPER_GROUND])
@pytest.mark.parametrize("color", [BASELINE, *TESTS, *VERDICT_COLOURS.values()])
def test_data_stands_out_in_both_themes(color: str, ground: str) -> None:
    darker, lighter = sorted((luminance(color), luminance(ground)))

    assert (lighter + 0.05) / (darker + 0.05) >= 3


# Confusion of colours by those who lack red, green or blue cones (G. Machado et al., A
# physiologically-based model for simulation of color vision deficiency, 2009)
WHOLE = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
DEFICIENT = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def seen(color: str, lacking: str) -> tuple[float, ...]:
    """A colour as somebody sees it who lacks one sort of cones."""
    shares = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    rows = DEFICIENT.get(lacking, WHOLE)
    return tuple(sum(a * b for a, b in zip(row, shares, strict=True)) for row in rows)


def far(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """How far two colours are from each other, each from 0 to 1."""
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5


def test_no_series_has_the_colour_of_a_verdict() -> None:
    known = {c: seen(c, "none") for c in (*TESTS, *VERDICT_COLOURS.values())}

    assert all(
        far(known[series], known[verdict]) > 0.3
        for series in TESTS
        for verdict in VERDICT_COLOURS.values()
        if verdict != QUIET
    )


@pytest.mark.parametrize("lacking", list(DEFICIENT))
@pytest.mark.parametrize(
    "pair", [(VERDICT_COLOURS["improved"], VERDICT_COLOURS["regressed"]), TESTS[:2]]
)
def test_colours_stay_apart_where_one_sort_of_cones_lacks(
    pair: tuple[str, str], lacking: str
) -> None:
    one, other = (seen(color, lacking) for color in pair)

    assert far(one, other) > 0.2


def test_the_baseline_is_grey_and_tests_keep_their_order() -> None:
    assert configuration_colours("A", ["B", "C"]) == {
        "A": BASELINE,
        "B": TESTS[0],
        "C": TESTS[1],
    }
