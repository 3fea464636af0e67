"""Panels below one another, each as high as its rows, that share axes by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from plotnine import facet_grid
from plotnine.facets.strips import Strips
from plotnine.iapi import layout_details


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
        """The layout of a grid, with a scale of x for each group of panels."""
        layout = super().compute_layout(data)
        layout["SCALE_X"] = list(self.axes)
        after = [*self.axes[1:], 0]
        layout["AXIS_X"] = [a != b for a, b in zip(self.axes, after, strict=True)]
        return layout

    def make_strips(self, layout_info: layout_details, ax: Axes) -> Strips:
        """No strips: a panel has its heading among its words."""
        return Strips()
