"""The kinds of figures, by the name that ``study.yaml`` calls them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl
from plotnine import ggplot

from analysis.edition import Figure, Study
from analysis.fact import Facts
from analysis.figures.delta import data_delta, draw_delta, words_delta
from analysis.figures.distribution import (
    data_distribution,
    draw_distribution,
    words_distribution,
)
from analysis.figures.parts import Words
from analysis.figures.setting import Setting
from analysis.figures.theme import Format
from analysis.figures.value import data_value, draw_value, words_value


@dataclass(frozen=True)
class Kind:
    """How one kind of figure chooses its data, words itself and draws itself."""

    data: Callable[[Facts, Figure, Study], pl.DataFrame]
    words: Callable[[pl.DataFrame, Setting], Words]
    draw: Callable[[pl.DataFrame, Setting, Words, Format], ggplot]


KINDS = {
    "delta": Kind(data_delta, words_delta, draw_delta),
    "value": Kind(data_value, words_value, draw_value),
    "distribution": Kind(data_distribution, words_distribution, draw_distribution),
}
