"""The one look of all figures, as a theme of plotnine."""

from __future__ import annotations

from typing import Any

from plotnine import element_blank, element_line, element_text, theme, theme_void

from analysis.figures.page import BOLD, FAMILY, NORMAL, POINT, PageFormat, Words, wrap
from analysis.figures.palette import GRID, INK, QUIET, SOFT

_LEADING = 1.2  # of the size, the height of a line
_BELOW = 1.1  # mm from an axis to its labels


def theme_report(
    format: PageFormat, height: float, ticks: bool = True, spacing: float = 0.0
) -> theme:
    """Type and rules of a figure of a format, ``height`` mm high.

    ``ticks`` says whether the labels of the axis of x are drawn, ``spacing`` how far
    panels are apart [mm].
    """
    return theme_void(base_size=format.text, base_family=FAMILY) + theme(
        figure_size=(format.width / 25.4, height / 25.4),
        dpi=72,
        legend_position="none",
        panel_spacing_y=spacing / format.width,
        plot_title_position="plot",
        plot_caption_position="plot",
        plot_title=_paragraph(format, format.title, INK, BOLD, after=0.8),
        plot_subtitle=_paragraph(format, format.text, SOFT, after=2.4),
        plot_caption=_paragraph(format, format.small, QUIET, before=2.6),
        axis_text_x=element_text(
            size=format.small,
            color=SOFT,
            margin={"t": _BELOW / POINT, "unit": "pt"},
        )
        if ticks
        else element_blank(),
    )


def theme_axes(format: PageFormat) -> theme:
    """What a plot with an axis of y has beside that: its labels, lines, titles."""
    title = element_text(size=format.small, color=SOFT)
    return theme(
        axis_text_y=element_text(
            size=format.small,
            color=SOFT,
            margin={"r": _BELOW / format.width, "unit": "fig"},
        ),
        axis_title_x=title,
        axis_title_y=element_blank(),
        panel_grid_major_y=element_line(color=GRID, size=0.28),
    )


def _paragraph(
    format: PageFormat,
    size: float,
    color: str,
    weight: int = NORMAL,
    before: float = 0,
    after: float = 0,
) -> element_text:
    """Text of the head or foot, with the room ``before`` and ``after`` it [mm]."""
    # plotnine takes such a margin as a share of the width, whatever unit it has
    margin: dict[Any, Any] = {
        "t": before / format.width,
        "b": after / format.width,
        "unit": "fig",
    }
    return element_text(
        size=size,
        color=color,
        weight=weight,
        ha="left",
        linespacing=_LEADING,
        margin=margin,
    )


def wrapped(words: Words, format: PageFormat) -> dict[str, str]:
    """Title, subtitle and foot as labels of a plot, in lines that fit the page."""
    parts = (
        ("title", words.title, format.title, BOLD),
        ("subtitle", words.subtitle, format.text, NORMAL),
        ("caption", words.foot, format.small, NORMAL),
    )
    return {
        name: "\n".join(wrap(text, format.width, size, weight))
        for name, text, size, weight in parts
        if text
    }


def around(words: Words, format: PageFormat) -> float:
    """The height of title, subtitle and foot with their margins [mm]."""
    sizes = {"title": format.title, "subtitle": format.text, "caption": format.small}
    lines = wrapped(words, format)
    points = [
        sizes[name] * _LEADING * (1 + label.count("\n"))
        for name, label in lines.items()
    ]
    return sum(points) * POINT + 5.8


def axis_height(format: PageFormat, lines: int = 1) -> float:
    """The height of the labels below an axis, and of its title if two lines [mm]."""
    return format.small * POINT * lines + _BELOW
