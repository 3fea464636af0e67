"""A composed figure as SVG: real text, stable, and safe to put in a page."""

from __future__ import annotations

import io
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from plotnine.composition import Compose

from analysis.figures.grammar.compose import Composed
from analysis.figures.page import use_report_font
from analysis.figures.tidy import tidy_svg

_NEAR = 0.004  # inches that the rows of a figure may be higher or lower than meant
_TRIES = 4  # the height around the rows grows a little with that of the figure


def render_svg(composed: Composed, name: str) -> bytes:
    """The figure as SVG; ``name`` prefixes its ids and salts its hashes."""
    use_report_font()
    stream = io.BytesIO()
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,
        "text.parse_math": False,  # a dollar sign in a label is a dollar sign
        "path.simplify": False,
        "text.hinting": "no_hinting",  # nor has text in an SVG
    }
    with mpl.rc_context(settings):
        figure = composed.plot.draw()
        try:
            _lay_out(figure, composed)
            for patch in (figure.patch, *(axes.patch for axes in figure.axes)):
                patch.set_visible(False)
            # savefig would draw the figure twice
            FigureCanvasSVG(figure).print_svg(stream)
        finally:
            plt.close(figure)
    return tidy_svg(stream.getvalue(), name)


def _lay_out(figure: Figure, composed: Composed) -> None:
    """Let plotnine place everything, then give rows and columns their sizes."""
    figure.dpi = 72  # that of an SVG, for which the words are measured
    engine = figure.get_layout_engine()
    if engine is None:
        return
    wanted, slope = composed.height / 25.4, 1.0
    engine.execute(figure)
    for _ in range(_TRIES if wanted else 0):
        width, height = figure.get_size_inches()
        drawn = _panels_height(figure)
        if abs(wanted - drawn) < _NEAR:
            break
        figure.set_size_inches(width, height + (wanted - drawn) / slope)
        engine.execute(figure)
        grown = figure.get_size_inches()[1] - height
        slope = max((_panels_height(figure) - drawn) / grown, 0.2)
    figure.set_layout_engine("none")
    if isinstance(composed.plot, Compose):
        composed.plot.gridspec.set_width_ratios(composed.widths)


def _panels_height(figure: Figure) -> float:
    """The height of the panels of the first column [inches]."""
    grid = figure.axes[0].get_gridspec()
    panels = [axes for axes in figure.axes if axes.get_gridspec() is grid]
    shares = sum(axes.get_position().height for axes in panels)
    return float(shares * figure.get_size_inches()[1])
