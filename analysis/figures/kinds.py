"""The kinds of figures, by the name that ``study.yaml`` calls them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl
from plotnine import ggplot

from analysis.fact import Facts
from analysis.figures.absolute import data_absolute, draw_absolute, words_absolute
from analysis.figures.compare import data_compare, draw_compare, words_compare
from analysis.figures.delta import data_delta, draw_delta, words_delta
from analysis.figures.distribution import (
    data_distribution,
    draw_distribution,
    words_distribution,
)
from analysis.figures.parts import Words
from analysis.figures.setting import Setting
from analysis.figures.theme import Format
from analysis.figures.topology import COLUMNS, data_topology, words_topology
from analysis.figures.topology_draw import draw_topology
from analysis.figures.trend import data_trend, draw_trend, words_trend
from analysis.figures.value import data_value, draw_value, words_value


@dataclass(frozen=True)
class Kind:
    """How one kind of figure chooses its data, words itself and draws itself.

    ``overlays`` are the kinds of published numbers that it draws over its own, and
    ``columns`` those of its data where it draws no facts.
    """

    data: Callable[[Facts, Setting], pl.DataFrame]
    words: Callable[[pl.DataFrame, Setting], Words]
    draw: Callable[[pl.DataFrame, Setting, Words, Format], ggplot]
    overlays: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


KINDS = {
    "delta": Kind(data_delta, words_delta, draw_delta, ("delta",)),
    "value": Kind(data_value, words_value, draw_value),
    "distribution": Kind(data_distribution, words_distribution, draw_distribution),
    "compare": Kind(data_compare, words_compare, draw_compare, ("value",)),
    "trend": Kind(data_trend, words_trend, draw_trend, ("delta",)),
    "absolute-relative": Kind(
        data_absolute, words_absolute, draw_absolute, ("value", "delta")
    ),
    "topology": Kind(data_topology, words_topology, draw_topology, columns=COLUMNS),
}
