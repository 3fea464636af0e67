"""Tables that an edition declares: lowest, highest and average result of each row."""

from __future__ import annotations

import math

from analysis.declared.edition import Edition, SummaryColumn, SummaryRow, SummaryTable
from analysis.declared.workload import matches
from analysis.facts.fact import Fact
from analysis.report.expressions.bound import Average, span, without_unit
from analysis.report.expressions.lookup import UnknownError, one_of
from analysis.report.expressions.values import average_change, average_text
from analysis.report.material import Material
from analysis.report.pipe_table import BREAK, NONE, Column, escape, table
from analysis.report.tables.cells import glyph_cell, legend

_NAMES, _NUMBERS = 30, 18  # shares of the width


def sum_table(material: Material, id: str) -> str:
    """The table; a row is one result, or the ends of several and their average.

    An :class:`UnknownError` where nothing declares it, or a row has no result.
    """
    declared = _declared(material.edition, id)
    columns = [Column(escape(declared.names), _NAMES)]
    columns += [Column(escape(c.head), _NUMBERS, number=True) for c in declared.columns]
    found = [
        [_facts(material, row, c) for c in declared.columns] for row in declared.rows
    ]
    for row, cells in zip(declared.rows, found, strict=True):
        if not any(cells):
            studies, what = ", ".join(row.studies), f"{row.words!r} of table {id}"
            raise UnknownError(
                f"{what} has no result of {studies} for workloads {row.workloads!r}",
                "change the studies, workloads or test of the row in edition.yaml",
            )
    rows = [
        [escape(row.words), *(_cell(facts, row) for facts in cells)]
        for row, cells in zip(declared.rows, found, strict=True)
    ]
    shown = [facts for cells in found for facts in cells if facts]
    return table(columns, rows, _caption(declared, shown), id, style="summary")


def _declared(edition: Edition, id: str) -> SummaryTable:
    known = {table.id: table for table in edition.tables}
    return known[one_of("table", id, known)]


def _facts(material: Material, row: SummaryRow, column: SummaryColumn) -> list[Fact]:
    """The results of a row: of each workload the first metric of the column it has."""
    order = [one_of("metric", id, material.metrics) for id in column.metrics]
    found = [
        fact
        for study in row.studies
        for fact in material.tables(study).every_result()
        if fact.metric in order
        and (column.role is None or fact.role == column.role)
        and (row.test is None or fact.configuration == row.test)
        and matches(fact.workload, row.workloads)
    ]
    first: dict[tuple[str, str], int] = {}
    for fact in found:
        place, rank = (fact.study, fact.workload), order.index(fact.metric)
        first[place] = min(first.get(place, rank), rank)
    return [
        fact
        for fact in found
        if order.index(fact.metric) == first[fact.study, fact.workload]
    ]


def _cell(facts: list[Fact], row: SummaryRow) -> str:
    """``+3.2% to +12%``, below it the average, or that alone where all print alike;
    one result with its verdict."""
    if not facts:
        return NONE
    if len(facts) == 1:
        return f"{span(facts[0].printed, facts[0])} {glyph_cell(facts[0])}".rstrip()
    ordered = sorted(facts, key=lambda fact: fact.value)
    low, high = ordered[0], ordered[-1]
    alike = low.printed == high.printed
    first = span(without_unit(low.printed, high.printed), low)
    ends = f"{first} to {span(high.printed, high)}"
    if low.kind == "value":
        return span(low.printed, low) if alike else ends
    average = Average(tuple(facts), average_text(facts, _average(facts, row)))
    return str(average) if alike else f"{ends} {BREAK} average {average}"


def _average(facts: list[Fact], row: SummaryRow) -> float:
    """The average change; of several patterns, that of their averages."""
    groups = [[f for f in facts if matches(f.workload, p)] for p in row.patterns]
    logs = [math.log1p(average_change(group) / 100) for group in groups if group]
    return math.expm1(math.fsum(logs) / len(logs)) * 100


def _caption(declared: SummaryTable, shown: list[list[Fact]]) -> str:
    averaged = any(len(facts) > 1 and facts[0].kind == "delta" for facts in shown)
    means = " Averages are geometric means of the ratios." if averaged else ""
    told = legend([facts[0] for facts in shown if len(facts) == 1])
    return f"{escape(declared.caption)}.{means}{f' {told}.' if told else ''}"
