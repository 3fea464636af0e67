"""Tables of a study at a glance: its changes, or its values where it compares nothing,
and figures that are tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.declared.workload import matches, parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import listed
from analysis.report.expressions.bound import span
from analysis.report.pictures import Picture
from analysis.report.pipe_table import BREAK, NONE, Column, Notes, escape, table
from analysis.report.tables.cells import change_cell, fact_notes, glyph_cell, legend
from analysis.report.tables.facts import StudyTables

_Found = Mapping[tuple[str, str, str], Fact]  # by workload, test and column
_MANY = 5  # columns of figures, from which on names and values would wrap
_NAMES, _NUMBERS = 26, 12  # shares of the width
LISTED = "table"  # the kind of figure that prints each value where it stands
_BESIDE = 6  # more columns than these become rows


def changes_glance(tables: StudyTables) -> str:
    """The changes that no figure draws, empty where figures draw all.

    One row a workload, and a test where there are several; one column a metric and
    role, or a test where one metric has one baseline. Below each change are the values
    that it is between. Where the columns would be many, workloads that share none of
    them have tables of their own.
    """
    changes = tables.comparisons()
    heads = {tables.label(fact) for fact in changes if not _drawn(fact, tables)}
    shown = [fact for fact in changes if tables.label(fact) in heads]
    if len(shown) < 2:
        return _said(shown[0], tables) if shown else ""
    parts = _apart(shown, tables) if len(heads) > _MANY else [shown]
    if len(parts) == 1:
        return _glance(shown, (), tables)
    return "\n".join(_glance(part, _shapes(part), tables) for part in parts)


def _glance(shown: list[Fact], shapes: tuple[str, ...], tables: StudyTables) -> str:
    """One table of these changes: all, or those of loads of these shapes."""
    notes, heads = Notes(), list(dict.fromkeys(map(tables.label, shown)))
    found = {(f.workload, f.configuration, tables.label(f)): f for f in shown}
    own = {fact.configuration for fact in shown}
    tests = [test for test in tables.study.tests if test in own]
    few = 1 < len(tests) < _MANY and not tables.study.several_baselines
    across = len(heads) == 1 and few
    columns, rows = (_tests_across if across else _metrics_across)(
        found, tests, heads, notes, tables
    )
    told, of = legend(shown), f" of {listed(shapes)}" if shapes else ""
    of += f", {heads[0]}" if across else ""
    caption = f"Other changes{of}: {tables.pairs()}."
    caption += f" {told}." if told else ""
    name = "-".join([tables.id, "glance", *map(str.lower, shapes)])
    return table(columns, rows, caption, name, notes, "matrix")


def _tests_across(
    found: _Found, tests: list[str], heads: list[str], notes: Notes, tables: StudyTables
) -> tuple[list[Column], list[list[str]]]:
    """One metric of several tests: a column each."""
    columns = [Column("Workload", 18)]
    columns += [Column(_test(test, tables), 20, number=True) for test in tests]
    rows = [
        [name, *(_both(found.get((name, t, heads[0])), notes, tables) for t in tests)]
        for name in tables.workloads()
        if any((name, test, heads[0]) in found for test in tests)
    ]
    return columns, rows


def _metrics_across(
    found: _Found, tests: list[str], heads: list[str], notes: Notes, tables: StudyTables
) -> tuple[list[Column], list[list[str]]]:
    """A column each metric and role; several tests one after the other."""
    study = tables.study
    several = len(study.tests) > 1
    columns = [Column("Workload", 18)]
    columns += [Column("Test", 34 if study.several_baselines else 20)] * several
    columns += [Column(head, 20, number=True) for head in heads]
    rows = [
        [
            workload,
            *([_test(test, tables)] if several else []),
            *(_both(found.get((workload, test, h)), notes, tables) for h in heads),
        ]
        for test in tests
        for workload in tables.workloads()
        if any((workload, test, head) in found for head in heads)
    ]
    return columns, rows


def _said(fact: Fact, tables: StudyTables) -> str:
    """A change in a sentence: one number is no table."""
    notes, pair = Notes(), escape(tables.pair(fact))
    told = f"{change_cell(fact, notes)}{f' ({pair})' if pair else ''}"
    verdict = f", {legend([fact])}" if fact.verdict or fact.estimate else ""
    name = f"{tables.label(fact)} of {fact.workload}"
    return f"{name}: {told}{verdict}.{notes.markdown()}"


def _drawn(fact: Fact, tables: StudyTables) -> bool:
    """Whether a figure shows the change."""
    study, place = tables.study, (fact.metric, fact.workload, fact.configuration)
    return any(
        figure.draws_role(fact.role) and study.draws(figure, *place)
        for figure in study.figures
    )


def _apart(facts: list[Fact], tables: StudyTables) -> list[list[Fact]]:
    """Facts whose workloads have no column in common, part by part."""
    columns: dict[str, set[str]] = {}
    for fact in facts:
        columns.setdefault(fact.workload, set()).add(tables.label(fact))
    parts: list[set[str]] = []
    for own in columns.values():
        joined = [part for part in parts if part & own]
        parts = [part for part in parts if part not in joined]
        parts.append(own.union(*joined))
    return [[f for f in facts if tables.label(f) in part] for part in parts]


def _shapes(facts: list[Fact]) -> tuple[str, ...]:
    """The shapes of their loads, in the order of the facts."""
    return tuple(dict.fromkeys(parse_workload(fact.workload).shape for fact in facts))


def _both(fact: Fact | None, notes: Notes, tables: StudyTables) -> str:
    """A change with its verdict, and the values that it is between."""
    if fact is None:
        return NONE
    change = f"{change_cell(fact, notes)} {glyph_cell(fact)}".rstrip()
    return f" {BREAK} ".join(filter(None, [change, escape(tables.pair(fact))]))


def _test(test: str, tables: StudyTables) -> str:
    name = escape(tables.name(test))
    if not tables.study.several_baselines:
        return name
    return f"{name}, relative to {escape(tables.name(tables.study.baseline_of(test)))}"


def numbered_table(picture: Picture, tables: StudyTables) -> str:
    """The table of a picture, or nothing where that is drawn.

    Its caption is what it shows, and in which unit.
    """
    made = picture.table
    if made is None:
        return ""
    facts, notes = {fact.key: fact for fact in tables.facts.facts}, Notes()
    columns = [Column(escape(made["corner"]), _NAMES)]
    columns += [Column(escape(h), _NUMBERS, number=True) for h in made["heads"]]
    rows = [
        [escape(name), *(_cell(cell, facts, notes) for cell in cells)]
        for name, cells in made["rows"]
    ]
    keys = [cell["key"] for _, cells in made["rows"] for cell in cells if cell["key"]]
    told = _verdicts(facts[key] for key in keys if key in facts)
    caption = f"{picture.caption} {picture.subtitle}".rstrip() + told
    return table(columns, rows, caption, picture.id, notes, "matrix")


def _cell(cell: Mapping[str, Any], facts: Mapping[str, Fact], notes: Notes) -> str:
    fact = facts.get(cell["key"])
    if fact is None:
        return f"**{escape(cell['text'])}**" if cell["text"] != "–" else "–"
    bound = span(cell["text"], fact) + notes.mark(fact_notes(fact))
    return f"{bound} {glyph_cell(fact)}".rstrip()


def _verdicts(facts: Iterable[Fact]) -> str:
    told = legend(facts)
    return f" {told}." if told else ""


def values_glance(tables: StudyTables) -> str:
    """All values but those that a numbered table of the study has.

    Workloads are rows, metrics with their roles columns; what there is more of are the
    rows. One value is a sentence.
    """
    every = tables.values()
    shown = [fact for fact in every if not _is_listed(fact, tables)]
    if len(shown) < 2:
        return _values_said(shown[0], tables) if shown else ""
    heads = list(dict.fromkeys(map(tables.label, shown)))
    found = {(f.workload, tables.label(f)): f for f in shown}
    workloads = [w for w in tables.workloads() if any((w, h) in found for h in heads)]
    notes, rows_of = Notes(), len(heads) > _BESIDE and len(heads) > len(workloads)
    cells = {key: change_cell(fact, notes) for key, fact in found.items()}
    if rows_of:
        columns = [
            Column("Metric", 24),
            *(Column(w, 14, number=True) for w in workloads),
        ]
        rows = [[h, *(cells.get((w, h), NONE) for w in workloads)] for h in heads]
    else:
        columns = [Column("Workload", 18), *(Column(h, 18, number=True) for h in heads)]
        rows = [[w, *(cells.get((w, h), NONE) for h in heads)] for w in workloads]
    name = escape(tables.name(tables.study.baseline))
    caption = f"{'All' if len(shown) == len(every) else 'Other'} values of {name}"
    caption += ": medians over runs." if any(not f.estimate for f in shown) else "."
    return table(columns, rows, caption, f"{tables.id}-glance", notes, "matrix")


def _values_said(fact: Fact, tables: StudyTables) -> str:
    notes = Notes()
    told = change_cell(fact, notes)
    return f"{tables.label(fact)} of {fact.workload}: {told}.{notes.markdown()}"


def _is_listed(fact: Fact, tables: StudyTables) -> bool:
    """Whether a numbered table prints the value."""
    study = tables.study
    return any(
        figure.kind == LISTED
        and fact.metric in figure.metrics
        and figure.draws_role(fact.role)
        and matches(fact.workload, figure.workloads)
        for figure in study.figures
    )
