"""A kind of figure: all that is its own, declared in one file.

The kinds are the modules of this package with a ``KIND``; ``study.yaml`` calls them by
their ids.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl
from plotnine import ggplot

from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.figures.parts import Words
from analysis.figures.setting import Setting
from analysis.figures.theme import PageFormat
from analysis.programs.registry import Registry, declared_as


def check_metrics(setting: Setting) -> list[Issue]:
    """An issue where a figure of facts names no metric."""
    if setting.figure.metrics:
        return []
    what = f"figure {setting.figure.id}: it names no metric"
    return [Issue(what, setting.place, "list what it draws in metrics")]


@dataclass(frozen=True)
class FigureKind:
    """How one kind of figure chooses its data, words itself and draws itself.

    ``caption`` says what is drawn and ``shows`` ends the sentence before the figure;
    ``{all}`` stands for its configurations and ``{pairs}`` for what it compares. A
    ``setup`` draws no facts: it stands where the set-up is described. ``check`` are
    the demands of the kind on a declaration, ``overlays`` the kinds of published
    numbers that it draws over its own, and ``columns`` those of its data where it
    draws no facts.
    """

    id: str
    data: Callable[[Facts, Setting], pl.DataFrame]
    words: Callable[[pl.DataFrame, Setting], Words]
    draw: Callable[[pl.DataFrame, Setting, Words, PageFormat], ggplot]
    caption: str
    shows: str
    setup: bool = False
    check: Callable[[Setting], list[Issue]] = check_metrics
    overlays: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


KINDS: Registry[FigureKind] = Registry("analysis.figures", "KIND", declared_as("KIND"))
