"""Tables of a study at a glance: what no figure draws, what figures are tables of, and
what is predicted.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from analysis.declared.study import Figure
from analysis.declared.workload import matches, parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import listed
from analysis.report.bound import Bound, bound, joined, number
from analysis.report.language.printed import interval
from analysis.report.pictures import Picture
from analysis.report.study_facts import StudyFacts
from analysis.report.table import (
    BREAK,
    NONE,
    WIDE_STYLE,
    Cell,
    Column,
    Notes,
    escape,
    table,
)
from analysis.report.tables.cells import (
    PREDICTED,
    fact_cell,
    fact_columns,
    fact_notes,
    glyph_cell,
    legend,
    legend_sentence,
    pair,
    range_note,
)

_MANY = 5  # columns of figures, from which on names and values would wrap
LISTED = "table"  # the kind of figure that prints each value where it stands
_BESIDE = 6  # more columns than these become rows
_MATRIX = "matrix"
_Place = tuple[str, str]


def changes_glance(results: StudyFacts) -> Bound:
    """The changes that no figure draws, empty where figures draw all.

    One row a workload, and a test where there are several; one column a metric and
    role, or a test where one metric has one baseline. Below each change are the values
    that it is between. Where the columns would be many, workloads that share none of
    them have tables of their own.
    """
    changes = results.comparisons()
    heads = {results.label(fact) for fact in changes if not _drawn(fact, results)}
    shown = [fact for fact in changes if results.label(fact) in heads]
    if len(shown) < 2:
        return _sentence(shown[0], results) if shown else Bound()
    parts = _apart(shown, results) if len(heads) > _MANY else [shown]
    if len(parts) == 1:
        return _changes(shown, (), results)
    return joined("\n", (_changes(part, _shapes(part), results) for part in parts))


def _changes(shown: list[Fact], shapes: tuple[str, ...], results: StudyFacts) -> Bound:
    """One table of these changes: all, or those of loads of these shapes."""
    study, notes = results.study, Notes()
    labels = list(dict.fromkeys(map(results.label, shown)))
    changed = {fact.configuration for fact in shown}
    tests = [test for test in study.tests if test in changed]
    several = study.several_baselines
    across = len(labels) == 1 and 1 < len(tests) < _MANY and not several
    heads = {t: _test(t, results) for t in tests} if across else {h: h for h in labels}
    facts: dict[tuple[_Place, str], Fact] = {}  # by test with workload, and column
    for fact in shown:
        test, label = fact.configuration, results.label(fact)
        place = (("" if across else test, fact.workload), test if across else label)
        facts[place] = fact
    rows = [
        (test, workload)
        for test in ([""] if across else tests)
        for workload in results.workloads()
        if any(((test, workload), head) in facts for head in heads)
    ]
    columns: list[Column[_Place]] = [Column("Workload", 18, lambda row: row[1])]
    if len(study.tests) > 1 and not across:
        width = 34 if several else 20
        columns.append(Column("Test", width, lambda row: _test(row[0], results)))
    columns += fact_columns(heads, facts, lambda f: _both(f, notes, results), 20)
    of = f" of {listed(shapes)}" if shapes else ""
    of += f", {labels[0]}" if across else ""
    caption = f"Other changes{of}: {results.pairs()}.{legend_sentence(shown)}"
    name = "-".join([results.id, "glance", *map(str.lower, shapes)])
    return table(columns, rows, caption, name, notes, _MATRIX)


def _sentence(fact: Fact, results: StudyFacts) -> Bound:
    """A fact in a sentence: one number is no table."""
    notes, values = Notes(), escape(pair(fact, results))
    value, both = fact_cell(fact, notes), f" ({values})" if values else ""
    change = fact.kind == "delta" and (fact.verdict or fact.estimate)
    verdict = f", {legend([fact])}" if change else ""
    name = f"{results.label(fact)} of {fact.workload}"
    return bound(f"{name}: ", value, f"{both}{verdict}.{notes.markdown()}")


def _drawn(fact: Fact, results: StudyFacts) -> bool:
    """Whether a figure shows the change."""
    study, place = results.study, (fact.metric, fact.workload, fact.configuration)
    return any(
        figure.draws_role(fact.role) and study.draws(figure, *place)
        for figure in study.figures
    )


def _apart(facts: list[Fact], results: StudyFacts) -> list[list[Fact]]:
    """Facts whose workloads have no column in common, part by part."""
    columns: dict[str, set[str]] = {}
    for fact in facts:
        columns.setdefault(fact.workload, set()).add(results.label(fact))
    parts: list[set[str]] = []
    for own in columns.values():
        near = [part for part in parts if part & own]
        parts = [part for part in parts if part not in near]
        parts.append(own.union(*near))
    return [[f for f in facts if results.label(f) in part] for part in parts]


def _shapes(facts: list[Fact]) -> tuple[str, ...]:
    """The shapes of their loads, in the order of the facts."""
    return tuple(dict.fromkeys(parse_workload(fact.workload).shape for fact in facts))


def _both(fact: Fact, notes: Notes, results: StudyFacts) -> Bound:
    """A change with its verdict, and the values that it is between."""
    change = joined(" ", filter(None, (fact_cell(fact, notes), glyph_cell(fact))))
    return joined(f" {BREAK} ", filter(None, (change, escape(pair(fact, results)))))


def _test(test: str, results: StudyFacts) -> str:
    name = escape(results.name(test))
    if not results.study.several_baselines:
        return name
    baseline = results.name(results.study.baseline_of(test))
    return f"{name}, relative to {escape(baseline)}"


def numbered_table(picture: Picture, results: StudyFacts) -> Bound:
    """The table of a picture, or nothing where that is drawn.

    Its caption is what it shows, and in which unit.
    """
    made = picture.table
    if made is None:
        return Bound()
    facts, notes = {fact.key: fact for fact in results.facts.facts}, Notes()

    def cell(at: int, row: Any) -> Cell:
        key, text = row[1][at]["key"], row[1][at]["text"]
        if key not in facts:
            return NONE if text == NONE else f"**{escape(text)}**"
        fact = facts[key]
        value = bound(number(fact, text), notes.mark(fact_notes(fact)))
        return joined(" ", filter(None, (value, glyph_cell(fact))))

    columns: list[Column[Any]]
    columns = [Column(escape(made["corner"]), 26, lambda row: escape(row[0]))]
    columns += [
        Column(escape(head), 12, partial(cell, at), number=True)
        for at, head in enumerate(made["heads"])
    ]
    keys = (cell["key"] for _, cells in made["rows"] for cell in cells)
    legends = legend_sentence(facts[key] for key in keys if key in facts)
    caption = f"{picture.caption} {picture.subtitle}".rstrip() + legends
    return table(columns, made["rows"], caption, picture.id, notes, _MATRIX)


def values_glance(results: StudyFacts) -> Bound:
    """All values but those that a numbered table of the study has.

    Workloads are rows, metrics with their roles columns; what there is more of are the
    rows. One value is a sentence.
    """
    every = results.values()
    shown = [fact for fact in every if not _is_listed(fact, results)]
    if len(shown) < 2:
        return _sentence(shown[0], results) if shown else Bound()
    labels = list(dict.fromkeys(map(results.label, shown)))
    known, notes = {fact.workload for fact in shown}, Notes()
    workloads = [workload for workload in results.workloads() if workload in known]
    cells = {fact.key: fact_cell(fact, notes) for fact in shown}
    corner: Column[str]
    if len(labels) > max(_BESIDE, len(workloads)):
        corner, rows, heads, width = Column("Metric", 24, str), labels, workloads, 14
        facts = {(results.label(fact), fact.workload): fact for fact in shown}
    else:
        corner, rows, heads, width = Column("Workload", 18, str), workloads, labels, 18
        facts = {(fact.workload, results.label(fact)): fact for fact in shown}
    names = {head: head for head in heads}
    columns = fact_columns(names, facts, lambda fact: cells[fact.key], width)
    caption = "All" if len(shown) == len(every) else "Other"
    caption += f" values of {escape(results.name(results.study.baseline))}"
    caption += ": medians over runs." if any(not f.estimate for f in shown) else "."
    name = f"{results.id}-glance"
    return table([corner, *columns], rows, caption, name, notes, _MATRIX)


def _is_listed(fact: Fact, results: StudyFacts) -> bool:
    """Whether a numbered table prints the value."""
    return any(
        figure.kind == LISTED and _shows(figure, fact)
        for figure in results.study.figures
    )


def _shows(figure: Figure, fact: Fact) -> bool:
    named = fact.metric in figure.metrics and figure.draws_role(fact.role)
    return named and matches(fact.workload, figure.workloads)


def predicted_values(results: StudyFacts) -> Bound:
    """Values without runs that figures draw, or of loads that no figure has.

    One row a metric, role and workload, one column a configuration. Empty where all
    have runs.
    """
    study, notes = results.study, Notes()
    facts = {
        ((results.label(fact), fact.workload), fact.configuration): fact
        for fact in results.values()
        if fact.estimate and _is_needed(fact, results)
    }
    shown = {configuration for _, configuration in facts}
    heads = {id: escape(results.name(id)) for id in study.configurations if id in shown}

    def cell(fact: Fact) -> Cell:
        mark = notes.mark([range_note(fact.estimate)] if fact.estimate else [])
        return bound(number(fact), f" {PREDICTED}{mark} ({escape(interval(fact))})")

    columns: list[Column[_Place]] = [
        Column("What", 30, lambda row: row[0]),
        Column("Workload", 14, lambda row: row[1]),
        *fact_columns(heads, facts, cell, 34),
    ]
    rows = list(dict.fromkeys(place for place, _ in facts))
    caption = (
        "Predicted values, each with its 90% range. The notes give the error of the "
        "model where the answer is known."
    )
    name = f"{results.id}-predictions"
    if not rows:
        return Bound()
    return table(columns, rows, caption, name, notes, WIDE_STYLE)


def _is_needed(fact: Fact, results: StudyFacts) -> bool:
    """Whether a figure draws a value, or its load is asked and in no figure, so that
    readers find it here alone."""
    study = results.study
    drawn = any(
        _shows(figure, fact) and fact.configuration in study.configurations_of(figure)
        for figure in study.figures
    )
    asked = fact.workload in study.estimate.workloads
    known = (matches(fact.workload, figure.workloads) for figure in study.figures)
    return drawn or (asked and not any(known))
