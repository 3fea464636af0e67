"""The executive summary: every comparison of the edition in one table."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.fact import Fact
from analysis.report.expressions.bound import span
from analysis.report.material import Material
from analysis.report.pipe_table import BREAK, NONE, Column, escape, table
from analysis.report.tables.cells import glyph_cell, legend
from analysis.report.tables.facts import StudyTables

# What is left out: such an estimate rests on nothing that was measured or published.
ASSUMED = "assumed parameters"
_METRICS = 4


def summary_table(material: Material) -> str:
    """One row a comparison: question, configurations, best and worst change a metric.

    The metrics are those that most studies show at a glance; each study that has
    changes of them shows them here. Estimates from assumed parameters are left out.
    """
    changes = {id: _changes(material.tables(id)) for id in material.studies}
    metrics = _common(material, changes)
    columns = [Column("Study and question", 50), Column("Compared", 22)]
    columns += [Column(material.metrics[m].label, 17, number=True) for m in metrics]
    rows = []
    for id, study in material.studies.items():
        names = material.names(id)
        about = f"[{escape(study.title)}](#sec-{id}). {escape(study.question)}"
        for test in study.tests:
            own = [f for f in changes[id] if f.configuration == test]
            rows.append(
                [
                    about,
                    f"{escape(names[study.baseline_of(test)])} → {escape(names[test])}",
                    *(_cell([f for f in own if f.metric == m]) for m in metrics),
                ]
            )
            about = ""
    ends = "the upper number is the best, the lower the worst"
    told = legend(f for own in changes.values() for f in own if f.metric in metrics)
    caption = f"The studies and their changes: {ends}. {told}."
    return table(columns, rows, caption, "summary", style="summary")


def left_out(material: Material) -> int:
    """How many changes the table leaves out, as they rest on assumptions alone."""
    return sum(
        _assumed(fact)
        for id in material.studies
        for fact in material.tables(id).comparisons()
    )


def _changes(tables: StudyTables) -> list[Fact]:
    return [fact for fact in tables.comparisons() if not _assumed(fact)]


def _assumed(fact: Fact) -> bool:
    return fact.estimate is not None and fact.estimate.rung == ASSUMED


def _common(material: Material, changes: Mapping[str, list[Fact]]) -> list[str]:
    """The metrics that most studies show, in the order of tables."""
    shown = [
        {fact.metric for fact in own} & material.studies[id].glance
        for id, own in changes.items()
    ]
    counts = {m: sum(m in own for own in shown) for m in material.metrics}
    most = sorted((m for m in counts if counts[m]), key=lambda m: -counts[m])
    return [m for m in material.metrics if m in most[:_METRICS]]


def _cell(facts: list[Fact]) -> str:
    """The best and the worst change, or the only one."""
    if not facts:
        return NONE
    sign = -1 if facts[0].better == "lower" else 1
    ordered = sorted(facts, key=lambda fact: sign * fact.value, reverse=True)
    ends = [ordered[0], ordered[-1]] if len(ordered) > 1 else ordered
    # The filter ends the line here: a cell of Markdown holds one line.
    return BREAK.join(_change(fact) for fact in ends)


def _change(fact: Fact) -> str:
    """The change after the glyph of its verdict, where it has one."""
    return "\u00a0".join(filter(None, (glyph_cell(fact), span(fact.printed, fact))))
