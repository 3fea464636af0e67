"""The colours and marks of all figures, in the hexes of the light theme.

The HTML page maps each of :data:`COLOURS` to a variable, so a figure must draw in
these and no others.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.facts.fact import Verdict

INK = "#161616"
SOFT = "#525252"  # subtitles, intervals, axis labels
QUIET = "#6f6f6f"  # foot lines, numbers that are only noise
BASELINE = "#8d8d8d"
RULE = "#c6c6c6"
GRID = "#e0e0e0"
BAND = "#f4f4f4"
GROUND = "#ffffff"  # inside hollow marks
TESTS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
PARTS = (*TESTS, SOFT)  # of a whole; what is left over is as grey as a baseline
COLOURS = (INK, SOFT, QUIET, BASELINE, RULE, GRID, BAND, GROUND, *TESTS)

VERDICT_COLOURS: dict[Verdict, str] = {
    "improved": "#009e73",
    "regressed": "#d55e00",
    "comparable": QUIET,
    "inconclusive": QUIET,
}


def configuration_colours(
    baselines: Sequence[str], tests: Sequence[str]
) -> dict[str, str]:
    """The colour of each configuration: grey for baselines, then tests in order."""
    colours = {test: TESTS[i % len(TESTS)] for i, test in enumerate(tests)}
    return dict.fromkeys(baselines, BASELINE) | colours
