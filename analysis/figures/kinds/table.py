"""The table: facts in rows and columns, on a page as a table, on a slide as drawn."""

from __future__ import annotations

import polars as pl

from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.facts.sentences import inside, listed
from analysis.figures.diagrams.grid_sheet import draw_grid
from analysis.figures.diagrams.sheet import Sheet
from analysis.figures.findings import finding_of
from analysis.figures.grid import grid_of
from analysis.figures.kind import FigureKind, check_metrics
from analysis.figures.page import PageFormat, Words
from analysis.figures.select import fact_frame, groups, number_text
from analysis.figures.setting import Setting
from analysis.figures.words import foot_line


def data_table(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The facts to print, a row each: values, or changes where the figure says so."""
    changes = setting.figure.shows == "changes"
    return fact_frame(facts, setting, "delta" if changes else "value")


def words_table(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a table."""
    grid, changes = grid_of(frame, setting), setting.figure.shows == "changes"
    finding = finding_of(frame, setting) if changes else _ends(frame, setting)
    unit = f"In {grid.unit}." if grid.unit and not changes else ""
    rows = ". ".join(
        f"{name}: " + ", ".join(cell.text for cell in cells)
        for name, cells in grid.rows
    )
    return Words(
        finding,
        unit,
        foot_line([], frame),
        f"Table. {finding}. Columns: {', '.join(grid.heads)}. {rows}.",
    )


def plot_table(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Sheet:
    """The table as drawn for slides; pages have it as a table."""
    return draw_grid(grid_of(frame, setting), words, format)


def _ends(frame: pl.DataFrame, setting: Setting) -> str:
    """``Rate 197 to 1,222 trans/s``, metric by metric."""
    told = []
    for (metric,), part in groups(frame, "metric"):
        rows = part.sort("value").to_dicts()
        low, high = number_text(rows[0]), rows[-1]["printed"]
        ends = high if part["value"].n_unique() == 1 else f"{low} to {high}"
        told.append(f"{inside(setting.metrics[metric].label)} {ends}")
    text = listed(told)
    return text[0].upper() + text[1:]


def check_table(setting: Setting) -> list[Issue]:
    """Sums of changes, and changes where nothing is compared, are refused."""
    figure = setting.figure
    issues = check_metrics(setting)
    if figure.shows == "changes" and figure.totals:
        what = f"figure {figure.id}: changes in percent have no totals"
        issues.append(Issue(what, setting.place, "leave totals out, or show values"))
    if figure.shows == "changes" and setting.study.of_values:
        what = f"figure {figure.id}: there are no changes without tests"
        issues.append(Issue(what, setting.place, "write shows: values, or name a test"))
    return issues


KIND = FigureKind(
    id="table",
    data=data_table,
    words=words_table,
    plot=plot_table,
    table=grid_of,
    draws="chosen facts in rows and columns, a real table on the page",
    answers="what is each value?",
    caption="{all}",
    check=check_table,
)
