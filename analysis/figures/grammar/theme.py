"""The one look of all plots, as a theme of plotnine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import plotnine as p9
from plotnine.scales.scales import Scales

from analysis.figures import page
from analysis.figures.svg import AXIS

# The look of what was published.
DIAMOND: dict[str, Any] = {
    "shape": "D", "stroke": 0.55, "fill": page.GROUND, "color": page.INK,
}  # fmt: skip


class _Scales(Scales):
    """The scales of an axis in its panels, each of which covers all it is given."""

    def map(self, data: Any, vars: Sequence[str], idx: Any) -> None:
        """Nothing lies beyond such a scale; to look for it takes a third of a plot's
        time."""


class facet_panels(p9.facet_wrap):
    """A panel for each number ``panel``; where it lies is said elsewhere."""

    def init_scales(self, layout: Any, x_scale: Any = None, y_scale: Any = None) -> Any:
        """A scale of x and one of y for each panel that has its own."""
        scales = super().init_scales(layout, x_scale, y_scale)
        return type(scales)(**{n: _Scales(of) for n, of in vars(scales).items()})


def plot_of(
    layers: Iterable[Any],
    format: page.PageFormat,
    axes: Literal["free", "free_x", "free_y"] = "free",
) -> p9.ggplot:
    """A plot of layers and scales, with a panel for each number ``panel`` of its data.

    Colours and fills are those of the data. Panels of rows have no axis of y, and all
    have axes of their own, unless ``axes`` says which are ``free``.
    """
    label = p9.element_text(size=format.small, color=page.SOFT)
    look = p9.theme_void(base_size=format.text, base_family=page.FAMILY) + p9.theme(
        dpi=72,
        legend_position="none",
        strip_text=p9.element_blank(),
        axis_text_x=label,
    )
    facets = facet_panels("panel", ncol=1, scales=axes)
    parts = [*layers, facets, p9.scale_color_identity(), p9.scale_fill_identity(), look]
    if axes != "free":
        grid = p9.element_line(color=page.GRID, size=0.28)
        parts += [p9.theme(axis_text_y=label, panel_grid_major_y=grid)]
    else:
        parts += [p9.scale_y_continuous(breaks=[], expand=(0, 0))]
    plot = p9.ggplot()
    for part in parts:
        plot += part
    return plot


def axis_height(format: page.PageFormat, lines: int = 1) -> float:
    """The height of the labels below an axis, and of its title if two lines [mm]."""
    return format.small * page.POINT * lines + AXIS
