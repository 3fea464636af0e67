"""The executive summary: every comparison of the edition in one table."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.fact import Fact, without_parts
from analysis.report.expressions.bound import span, without_unit
from analysis.report.material import Material
from analysis.report.pipe_table import BREAK, NONE, Column, escape, table
from analysis.report.tables.cells import glyph_cell, legend
from analysis.report.tables.facts import StudyTables

_METRICS = 4


def summary_table(material: Material) -> str:
    """One row a comparison: question, configurations, best and worst change a metric.

    The metrics are those that most studies show at a glance; each study that has
    changes of them shows them here. A study of values has a row with the ends of its
    values, those of other metrics behind its question.
    """
    studies = {id: study for id, study in material.studies.items() if study.summary}
    changes = {id: _results(material.tables(id)) for id in studies}
    metrics = _common(material, changes)
    columns = [Column("Study and question", 50), Column("Compared", 22)]
    columns += [Column(material.metrics[m].label, 17, number=True) for m in metrics]

    def cells(facts: list[Fact]) -> list[str]:
        return [_cell([f for f in facts if f.metric == m]) for m in metrics]

    rows = []
    for id, study in studies.items():
        names = material.names(id)
        about = f"[{escape(study.title)}](#sec-{id}). {escape(study.question)}"
        if study.of_values:
            told = [f for f in changes[id] if f.metric not in metrics]
            about += "".join(_told(material, told, m) for m in _metrics(told))
            rows.append([about, escape(names[study.baseline]), *cells(changes[id])])
        for test in study.tests:
            own = [f for f in changes[id] if f.configuration == test]
            rows.append(
                [
                    about,
                    f"{escape(names[study.baseline_of(test)])} → {escape(names[test])}",
                    *cells(own),
                ]
            )
            about = ""
    shown = [f for own in changes.values() for f in own if f.metric in metrics]
    caption = _caption(material, legend(shown))
    return table(columns, rows, caption, "summary", style="summary")


def _results(tables: StudyTables) -> list[Fact]:
    """What the table shows of a study: of values those of wholes, where there are
    some beside those of their parts."""
    found = tables.results()
    return without_parts(found) if tables.study.of_values else found


def _caption(material: Material, told: str) -> str:
    """What the two numbers of a cell are, for changes and for values."""
    kinds = {study.of_values for study in material.studies.values()}
    ends = {
        False: "best (upper) and worst (lower) change",
        True: "lowest (upper) and highest (lower) value",
    }
    text = ", or ".join(ends[kind] for kind in sorted(kinds))
    return f"{text[0].upper()}{text[1:]} of each study.{f' {told}.' if told else ''}"


def _metrics(facts: list[Fact]) -> list[str]:
    return list(dict.fromkeys(fact.metric for fact in facts))


def _told(material: Material, facts: list[Fact], metric: str) -> str:
    """The ends of a metric without a column: `` Storage: 36.6 to 60.0 KB.``"""
    low, *_, high = _ends([fact for fact in facts if fact.metric == metric] * 2)
    last = span(high.printed, high)
    first = f"{span(without_unit(low.printed, high.printed), low)} to "
    alike = low.printed == high.printed
    return f" {material.metrics[metric].label}: {'' if alike else first}{last}."


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
    """The best and the worst change, or the only one; of values the ends."""
    if not facts:
        return NONE
    # The filter ends the line here: a cell of Markdown holds one line.
    return BREAK.join(_change(fact) for fact in _ends(facts))


def _ends(facts: list[Fact]) -> list[Fact]:
    """The best and the worst change, or the lowest and the highest value."""
    change = facts[0].kind == "delta"
    sign = -1 if facts[0].better == "lower" or not change else 1
    ordered = sorted(facts, key=lambda fact: sign * fact.value, reverse=True)
    return [ordered[0], ordered[-1]] if len(ordered) > 1 else ordered


def _change(fact: Fact) -> str:
    """The change after the glyph of its verdict, where it has one."""
    return "\u00a0".join(filter(None, (glyph_cell(fact), span(fact.printed, fact))))
