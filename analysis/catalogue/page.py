"""The page ``catalogue.html``: all campaigns and trends, beside the list of reports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.catalogue.catalogue import Catalogue
from analysis.catalogue.trends import Trend
from analysis.catalogue.words import (
    change_text,
    dates_text,
    points_text,
    size_text,
    trends_text,
)
from analysis.facts.units import format_value
from analysis.report.pages.fonts import CACHE, font_css
from analysis.report.pages.html_page import Filters, html_page, page_styles

TEMPLATE = "catalogue.html.j2"
WIDTH, HEIGHT, MARGIN = 320, 88, 8


@dataclass(frozen=True)
class PlotMark:
    """A median of the plot in pixels, its interval as two heights, and its words."""

    x: float
    y: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class TrendPlot:
    """A trend as a small plot: medians with intervals, and a step line of levels.

    It is drawn by the template in the colours of the page. A figure of a report takes a
    second to draw, and a catalogue may have hundreds.
    """

    trend: Trend
    marks: tuple[PlotMark, ...]
    levels: str

    @property
    def alt(self) -> str:
        """What is to be seen, in words."""
        changes = "; ".join(map(change_text, self.trend.changes))
        return f"{self.trend.name}: {points_text(self.trend)}. {changes or 'No change'}"


def plot(trend: Trend) -> TrendPlot:
    """Where a trend's medians and levels lie; the plot begins at zero on no axis."""
    ends = [
        end for p in trend.points for end in (p.value, p.low, p.high) if end is not None
    ]
    low, reach = min(ends), (max(ends) - min(ends)) or 1.0
    step = (WIDTH - 2 * MARGIN) / max(len(trend.points) - 1, 1)

    def y_of(value: float | None, other: float) -> float:
        share = ((other if value is None else value) - low) / reach
        return round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN), 1)

    marks = tuple(
        PlotMark(
            round(MARGIN + i * step, 1),
            y_of(p.value, p.value),
            y_of(p.low, p.value),
            y_of(p.high, p.value),
            f"{p.campaign}, {p.date}: {format_value(p.value, trend.unit)}, "
            f"{p.runs} runs",
        )
        for i, p in enumerate(trend.points)
    )
    heights = [y_of(level, level) for level in trend.levels]
    path = " ".join(
        f"{'L' if i else 'M'}{mark.x - step / 2 * bool(i):.1f} {y} H{mark.x:.1f}"
        + (f" H{mark.x + step / 2:.1f}" if i < len(heights) - 1 else "")
        for i, (mark, y) in enumerate(zip(marks, heights, strict=bool(heights)))
    )
    return TrendPlot(trend, marks, path)


def catalogue_page(catalogue: Catalogue, templates: Path) -> str:
    """The page as HTML; it asks the network for nothing."""
    known = {
        "catalogue": catalogue,
        "plots": [plot(trend) for trend in catalogue.trends],
        "trends_text": trends_text(catalogue.trends),
        "styles": page_styles(templates, font_css(CACHE)),
        "width": WIDTH,
        "height": HEIGHT,
    }
    filters: Filters = {
        "size_text": size_text,
        "dates_text": dates_text,
        "change_text": change_text,
        "points_text": points_text,
    }
    return html_page(templates, TEMPLATE, known, filters)
