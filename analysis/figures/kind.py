"""A kind of figure: all that is its own, declared in one file.

The kinds are the modules of ``analysis.figures.kinds``; ``study.yaml`` calls them by
their names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.figures import page
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.programs.registry import Registry, declared_as


@dataclass(frozen=True)
class GridCell:
    """What a table prints in one place, and the key of its fact; sums have none."""

    text: str
    key: str = ""


@dataclass(frozen=True)
class Grid:
    """A table: what its rows are, the heads of its columns, its rows by their names.

    ``unit`` is that of all cells, which then do not repeat it.
    """

    corner: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[GridCell, ...]], ...]
    unit: str = ""


Form = Literal["bars", "stacked", "lines"]


@dataclass(frozen=True)
class Series:
    """Numbers by category, with their intervals where there are any.

    ``colours`` are hexes, one for each number where they differ. ``looks`` are origins.
    """

    name: str
    values: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    colours: tuple[str, ...]
    looks: tuple[str, ...]


@dataclass(frozen=True)
class Chart:
    """One panel of a figure: ``unit`` is as readers see it; that of ``changes`` is %.

    Axes of charts with equal ``axis`` reach equally far, over ``breaks`` where these
    are known; a ``log`` one shows ratios.
    """

    form: Form
    title: str
    unit: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    axis: str
    log: bool = False
    changes: bool = False
    breaks: tuple[float, ...] = ()


def check_metrics(setting: Setting) -> list[Issue]:
    """An issue where a figure of facts names no metric."""
    if setting.figure.metrics:
        return []
    what = f"figure {setting.figure.id}: it names no metric"
    return [Issue(what, setting.place, "list what it draws in metrics")]


@dataclass(frozen=True)
class FigureKind:
    """How one kind of figure chooses its data, words itself and draws itself.

    ``draws`` and ``answers`` tell authors what it draws and which question it answers.
    ``caption`` says what is drawn: ``{all}`` stands for its configurations, ``{pairs}``
    for what it compares and ``{x}`` for the number in which its workloads differ.
    ``better`` is the sentence that says which way is better, where that is not as for
    its metrics.
    ``reads`` is a line on how to read it, ``key`` its marks by the names that
    :mod:`analysis.figures.keys` has, and what each means.
    One that ``compares`` draws changes, which a study of values has not. A
    ``setup`` draws no facts: it stands where the set-up is described. ``check`` are
    the demands of the kind on a declaration, ``check_data`` those on what it chose.
    One with a ``table`` stands on pages as that, and is drawn for slides alone. One
    that office programs can draw has its ``chart``.
    ``overlays`` are the kinds of published numbers that it draws over its own, and
    ``columns`` those of its data where they are not those of facts.
    """

    id: str
    data: Callable[[Facts, Setting], pl.DataFrame]
    words: Callable[[pl.DataFrame, Setting], page.Words]
    plot: Callable[[pl.DataFrame, Setting, Sheet], None]
    draws: str
    answers: str
    caption: str
    reads: str
    key: tuple[tuple[str, str], ...] = ()
    compares: bool = False
    better: str | None = None
    setup: bool = False
    check: Callable[[Setting], list[Issue]] = check_metrics
    check_data: Callable[[pl.DataFrame, Setting], list[Issue]] = lambda *_: []
    table: Callable[[pl.DataFrame, Setting], Grid] | None = None
    chart: Callable[[pl.DataFrame, Setting], list[Chart]] | None = None
    overlays: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


KINDS: Registry[FigureKind] = Registry(
    "analysis.figures.kinds", "KIND", declared_as("KIND")
)
