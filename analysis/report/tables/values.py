"""Tables of values: a study that compares nothing, at a glance."""

from __future__ import annotations

from analysis.declared.workload import matches
from analysis.facts.fact import Fact
from analysis.report.pipe_table import NONE, Column, Notes, escape, table
from analysis.report.tables.cells import change_cell
from analysis.report.tables.facts import StudyTables

LISTED = "table"  # the kind of figure that prints each value where it stands
_BESIDE = 6  # more columns than these become rows


def values_glance(tables: StudyTables) -> str:
    """All values but those that a numbered table of the study has.

    Workloads are rows, metrics with their roles columns; what there is more of are the
    rows. One value is a sentence.
    """
    every = tables.values()
    shown = [fact for fact in every if not _is_listed(fact, tables)]
    if len(shown) < 2:
        return _said(shown[0], tables) if shown else ""
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


def _said(fact: Fact, tables: StudyTables) -> str:
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
