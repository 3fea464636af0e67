from __future__ import annotations

import pytest

from analysis.figures.palette import (
    BASELINE,
    GLYPHS,
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


def test_verdicts_differ_by_glyph() -> None:
    assert len(set(GLYPHS.values())) == 4


def test_the_baseline_is_grey_and_tests_keep_their_order() -> None:
    assert configuration_colours("A", ["B", "C"]) == {
        "A": BASELINE,
        "B": TESTS[0],
        "C": TESTS[1],
    }
