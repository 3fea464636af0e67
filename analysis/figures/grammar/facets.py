"""Panels below one another, each as high as its rows, that share axes by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from plotnine import facet_grid
from plotnine.facets.strips import Strips
from plotnine.iapi import layout_details
from plotnine.scales.scales import Scales


class _PanelScales(Scales):
    """The scales of an axis in its panels, each of which covers all it is given."""

    def map(self, data: Any, vars: Sequence[str], idx: Any) -> None:
        """Nothing lies beyond such a scale; to look for it takes a sixth of a figure's
        time."""


class facet_panels(facet_grid):
    """One panel for each value of ``panel``, from the first to the last.

    ``heights`` are those of the panels [mm]. Panels of one number in ``axes`` share
    their scale of x, whose labels stand below the last of them.
    """

    def __init__(self, heights: Sequence[float], axes: Sequence[int]) -> None:
        super().__init__(
            rows="panel",
            scales="free",
            space={"x": [1], "y": list(heights)},
        )
        self.axes = tuple(axes)

    def compute_layout(self, data: list[Any]) -> Any:
        """A row for each panel, with a scale of x for each group of panels."""
        numbers = list(range(1, len(self.axes) + 1))
        self.nrow, self.ncol = len(self.axes), 1
        after = [*self.axes[1:], 0]
        layout = pl.DataFrame(
            {
                "PANEL": numbers,
                "ROW": numbers,
                "COL": 1,
                "panel": numbers,
                "SCALE_X": self.axes,
                "SCALE_Y": numbers,
                "AXIS_X": [a != b for a, b in zip(self.axes, after, strict=True)],
                "AXIS_Y": True,
            }
        ).to_pandas()
        panel = layout["PANEL"].astype("category").cat.as_ordered()
        return layout.assign(PANEL=panel)

    def map(self, data: Any, layout: Any) -> Any:
        """Each row of a layer in the panel of its number; without one, in all."""
        if "panel" not in data:
            return super().map(data, layout)
        panels = data["panel"].astype(layout["PANEL"].dtype)
        return data.assign(PANEL=panels).reset_index(drop=True)

    def init_scales(self, layout: Any, x_scale: Any = None, y_scale: Any = None) -> Any:
        """A scale for each group of panels, and one of y for each panel."""
        scales = super().init_scales(layout, x_scale, y_scale)
        return type(scales)(**{n: _PanelScales(of) for n, of in vars(scales).items()})

    def make_strips(self, layout_info: layout_details, ax: Axes) -> Strips:
        """No strips: a panel has its heading among its words."""
        return Strips()
