"""The power of a plan as a picture: the chance to see a change, over its size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotnine as p9
import polars as pl

from analysis.figures import page
from analysis.figures.grammar.scales import linear_breaks
from analysis.figures.grammar.theme import axis_height, plot_of
from analysis.figures.sheet import Sheet, legend_lines
from analysis.figures.svg import Panel
from analysis.statistics.power import POWER

_PANEL, _LINE, _LABELS = 34.0, 4.6, 11.0  # mm: a panel, a line of words, labels of y
_SHARES = (0, 0.2, 0.4, 0.6, 0.8, 1)


@dataclass(frozen=True)
class Curve:
    """The power of some runs, one number a change; alike ``nth`` have one colour."""

    nth: int
    name: str
    powers: Sequence[float]

    @property
    def colour(self) -> str:
        """Its colour."""
        return page.PARTS[self.nth % len(page.PARTS)]


def power_picture(
    panels: Mapping[str, Sequence[Curve]], changes: Sequence[float]
) -> bytes:
    """A panel a workload, by its heading, with a line a number of runs: the power over
    ``changes`` in percent. A dashed line shows which power plans have."""
    sheet, rows = Sheet(page.WIDE), list[dict[str, object]]()
    format, across = sheet.format, (_LABELS, sheet.format.width - 3.0)
    sheet.head(
        "Which changes so many runs show",
        "The chance that a change of each size is called one. The dashed line is the "
        "power that is planned for.",
    )
    for number, (heading, curves) in enumerate(panels.items(), 1):
        sheet.text((_LABELS, sheet.y + _LINE / 2), heading, weight=page.BOLD)
        named = [(curve.colour, curve.name) for curve in curves]
        legend = legend_lines(named, across[1] - across[0], format)
        top = sheet.legend((_LABELS, sheet.y + _LINE), legend, _LINE) + 1.0
        sheet.panels.append(Panel(across, (top, top + _PANEL), True, (-0.02, 1.02)))
        sheet.y = top + _PANEL + axis_height(format) + _LINE * 0.6
        for curve in curves:
            about = {"panel": number, "series": curve.name, "colour": curve.colour}
            points = zip(changes, curve.powers, strict=True)
            rows += [about | {"change": x, "power": y} for x, y in points]
    breaks = linear_breaks((0.0, max(changes)), 6)
    places = p9.aes("change", "power", color="colour", group="series")
    aim: dict[str, Any] = {"linetype": "dashed", "color": page.SOFT, "size": 0.4}
    layers = [
        p9.geom_hline(yintercept=POWER, **aim),
        p9.geom_line(places, pl.DataFrame(rows), size=0.7),
        p9.scale_x_continuous(breaks=breaks, labels=[f"{x:g}%" for x in breaks]),
        p9.scale_y_continuous(breaks=_SHARES, labels=[f"{y:.0%}" for y in _SHARES]),
    ]
    sheet.plot = plot_of(layers, format, axes="free_x")
    return sheet.svg("power")
