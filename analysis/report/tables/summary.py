"""Tables of an edition: its executive summary, and sums that it declares."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from analysis.declared.edition import SummaryColumn, SummaryRow
from analysis.declared.workload import matches
from analysis.facts.fact import Fact, without_parts
from analysis.report.bound import Bound, Number, between, bound, joined, number
from analysis.report.language.printed import average_change, average_text
from analysis.report.language.scope import UnknownError, one_of
from analysis.report.material import Material
from analysis.report.study_facts import StudyFacts
from analysis.report.table import BREAK, NONE, Cell, Column, escape, table
from analysis.report.tables.cells import (
    ARROW,
    glyph_cell,
    legend_sentence,
)

_METRICS = 4
LATENCY = "latency"
_STYLE = "summary"


@dataclass(frozen=True)
class Comparison:
    """A row of the summary: what it is about, what is compared, and the results."""

    about: Cell
    compared: str
    results: list[Fact]

    @property
    def leading(self) -> str:
        """The metric that a narrow page shows: what got better or worse, if anything
        did; of these latency, or else the first."""
        moved = [f for f in self.results if f.verdict in ("improved", "regressed")]
        metrics = [fact.metric for fact in moved or self.results]
        return LATENCY if LATENCY in metrics else metrics[0] if metrics else ""


def summary_table(material: Material) -> Bound:
    """One row a comparison: question, configurations, best and worst change a metric.

    The metrics are those that most studies show at a glance; each study that has
    changes of them shows them here. A study of values has a row with the ends of its
    values, those of other metrics behind its question.
    """
    studies = {id: study for id, study in material.studies.items() if study.summary}
    results = {id: _results(material.of_study(id)) for id in studies}
    metrics, rows = _common(material, results), list[Comparison]()
    for id, study in studies.items():
        names, facts = material.names(id), results[id]
        shown = [fact for fact in facts if fact.metric in metrics]
        asked = f"[. {escape(study.question)}]{{.asked}}"
        about = bound(f"[{escape(study.title)}](#sec-{id}){asked}")
        if study.of_values:
            others = [fact for fact in facts if fact.metric not in metrics]
            about = bound(about, _in_words(material, others))
            rows.append(Comparison(about, escape(names[study.baseline]), shown))
        for test in study.tests:
            base = escape(names[study.baseline_of(test)])
            compared = f"{base} {ARROW} {escape(names[test])}"
            own = [fact for fact in shown if fact.configuration == test]
            rows.append(Comparison(about, compared, own))
            about = Bound()
    columns: list[Column[Comparison]] = [
        Column("Study and question", 50, lambda row: row.about),
        Column("Compared", 22, lambda row: row.compared),
    ]
    for metric in metrics:
        label, cell = material.metrics[metric].label, partial(_cell, metric)
        columns.append(Column(label, 17, cell, number=True))
    every = (f for facts in results.values() for f in facts if f.metric in metrics)
    caption = _caption(material) + legend_sentence(every)
    return table(columns, rows, caption, "summary", style=_STYLE)


def _results(study: StudyFacts) -> list[Fact]:
    """What the table shows of a study: of values those of wholes, where there are
    some beside those of their parts."""
    results = study.results()
    return without_parts(results) if study.study.of_values else results


def _caption(material: Material) -> str:
    """What the two numbers of a cell are, for changes and for values."""
    kinds = {study.of_values for study in material.studies.values()}
    ends = {
        False: "best (upper) and worst (lower) change",
        True: "lowest (upper) and highest (lower) value",
    }
    text = ", or ".join(ends[kind] for kind in sorted(kinds))
    return f"{text[0].upper()}{text[1:]} of each study."


def _in_words(material: Material, facts: list[Fact]) -> Bound:
    """The ends of metrics without a column: `` Storage: 36.6 to 60.0 KB.``"""
    metrics: dict[str, list[Fact]] = {}
    for fact in facts:
        metrics.setdefault(fact.metric, []).append(fact)
    words = Bound()
    for metric, own in metrics.items():
        ends, label = _ends(own), material.metrics[metric].label
        words = bound(words, f" {label}: ", between(ends[0], ends[-1]), ".")
    return words


def _common(material: Material, results: Mapping[str, list[Fact]]) -> list[str]:
    """The metrics that most studies show, in the order of tables."""
    shown = [
        {fact.metric for fact in facts} & material.studies[id].glance
        for id, facts in results.items()
    ]
    counts = {m: sum(m in own for own in shown) for m in material.metrics}
    most = sorted((m for m in counts if counts[m]), key=lambda m: -counts[m])
    return [m for m in material.metrics if m in most[:_METRICS]]


def _cell(metric: str, row: Comparison) -> Cell:
    """The best and the worst change, or the only one; of values the ends."""
    facts = [fact for fact in row.results if fact.metric == metric]
    if not facts:
        return NONE
    # The filter ends the line here: a cell of Markdown holds one line.
    ends = {(fact.printed, fact.verdict): fact for fact in reversed(_ends(facts))}
    cell = joined(BREAK, map(_judged, reversed(ends.values())))
    return bound("[", cell, "]{.leading}") if metric == row.leading else cell


def _ends(facts: list[Fact]) -> list[Fact]:
    """The best and the worst change, or the lowest and the highest value."""
    change = facts[0].kind == "delta"
    sign = -1 if facts[0].better == "lower" or not change else 1
    ordered = sorted(facts, key=lambda fact: sign * fact.value, reverse=True)
    return [ordered[0], ordered[-1]] if len(ordered) > 1 else ordered


def _judged(fact: Fact) -> Bound:
    """The change after the glyph of its verdict, where it has one."""
    return joined("\u00a0", filter(None, (glyph_cell(fact), number(fact))))


def sum_table(material: Material, id: str) -> Bound:
    """A declared table: a row is one result, or the ends of several and their average.

    An :class:`UnknownError` where nothing declares it, or a row has no result.
    """
    known = {table.id: table for table in material.edition.tables}
    declared = known[one_of("table", id, known)]
    facts = {
        (row, at): _facts(material, row, column)
        for row in declared.rows
        for at, column in enumerate(declared.columns)
    }
    for row in declared.rows:
        if not any(facts[row, at] for at in range(len(declared.columns))):
            studies, what = ", ".join(row.studies), f"{row.words!r} of table {id}"
            raise UnknownError(
                f"{what} has no result of {studies} for workloads {row.workloads!r}",
                "change the studies, workloads or test of the row in edition.yaml",
            )

    def cell(at: int, row: SummaryRow) -> Cell:
        return _sum(facts[row, at], row)

    columns: list[Column[SummaryRow]] = [
        Column(escape(declared.names), 30, lambda row: escape(row.words)),
        *(
            Column(escape(column.head), 18, partial(cell, at), number=True)
            for at, column in enumerate(declared.columns)
        ),
    ]
    averaged = any(len(f) > 1 and f[0].kind == "delta" for f in facts.values())
    means = " Averages are geometric means of the ratios." if averaged else ""
    legends = legend_sentence(own[0] for own in facts.values() if len(own) == 1)
    caption = f"{escape(declared.caption)}.{means}{legends}"
    return table(columns, declared.rows, caption, id, style=_STYLE)


def _facts(material: Material, row: SummaryRow, column: SummaryColumn) -> list[Fact]:
    """The results of a row: of each workload the first metric of the column it has."""
    order = [one_of("metric", id, material.metrics) for id in column.metrics]
    fitting = [
        fact
        for study in row.studies
        for fact in material.of_study(study).every_result()
        if fact.metric in order
        and (column.role is None or fact.role == column.role)
        and (row.test is None or fact.configuration == row.test)
        and matches(fact.workload, row.workloads)
    ]
    first: dict[tuple[str, str], int] = {}
    for fact in fitting:
        place, rank = (fact.study, fact.workload), order.index(fact.metric)
        first[place] = min(first.get(place, rank), rank)
    return [f for f in fitting if order.index(f.metric) == first[f.study, f.workload]]


def _sum(facts: list[Fact], row: SummaryRow) -> Cell:
    """``+3.2% to +12%``, below it the average, or that alone where all print alike;
    one result with its verdict."""
    if not facts:
        return NONE
    if len(facts) == 1:
        return joined(" ", filter(None, (number(facts[0]), glyph_cell(facts[0]))))
    ordered = sorted(facts, key=lambda fact: fact.value)
    low, high = ordered[0], ordered[-1]
    if low.kind == "value":
        return between(low, high)
    text = average_text(facts, _average(facts, row))
    average = Number(text, tuple(facts), is_average=True)
    if low.printed == high.printed:
        return bound(average)
    return bound(between(low, high), f" {BREAK} average ", average)


def _average(facts: list[Fact], row: SummaryRow) -> float:
    """The average change; of several patterns, that of their averages."""
    groups = [[f for f in facts if matches(f.workload, p)] for p in row.patterns]
    logs = [math.log1p(average_change(group) / 100) for group in groups if group]
    return math.expm1(math.fsum(logs) / len(logs)) * 100
