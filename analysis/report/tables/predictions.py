"""The table of a study's predicted values: each with its range, model and error."""

from __future__ import annotations

from analysis.declared.study import Figure, Study
from analysis.declared.workload import matches
from analysis.facts.estimate import Estimate
from analysis.facts.fact import Fact
from analysis.report.expressions.bound import interval, span
from analysis.report.pipe_table import NONE, Column, Notes, escape, table
from analysis.report.tables.cells import PREDICTED, error_text
from analysis.report.tables.facts import StudyTables


def predicted_values(tables: StudyTables) -> str:
    """The values that figures draw and that have no runs; empty where all have."""
    study = tables.study
    facts = [f for f in tables.values() if f.estimate and _drawn(f, study)]
    columns = [
        Column("Workload", 14),
        Column("Configuration", 24),
        Column("What", 26),
        Column("Predicted", 20, number=True),
        Column("5% to 95%", 28, number=True),
        Column("Model", 26),
        Column("Mean error", 20),
    ]
    notes = Notes()
    rows = [
        [
            fact.workload,
            escape(tables.name(fact.configuration)),
            tables.label(fact),
            f"{span(fact.printed, fact)} {PREDICTED}",
            escape(interval(fact)),
            escape(fact.estimate.model) + notes.mark(_told(fact.estimate)),
            escape(error_text(fact.estimate)) or NONE,
        ]
        for fact in facts
        if fact.estimate
    ]
    caption = (
        f"{escape(study.title)}. Predicted values that figures draw, with the range "
        "that holds 90% of what may be. The error is that of the same model where the "
        "answer is known."
    )
    name = f"{tables.id}-predictions"
    return table(columns, rows, caption, name, notes, "table-wide") if rows else ""


def _told(estimate: Estimate) -> list[str]:
    """How it was predicted, without what has a column of its own."""
    beyond = [f"outside of its range: {what}" for what in estimate.outside]
    parts = [estimate.reason.rstrip("."), *beyond, *estimate.notes]
    text = "; ".join(part.rstrip(".") for part in parts)
    return [text[:1].upper() + text[1:]]


def _drawn(fact: Fact, study: Study) -> bool:
    return any(_draws(figure, fact, study) for figure in study.figures)


def _draws(figure: Figure, fact: Fact, study: Study) -> bool:
    return (
        fact.metric in figure.metrics
        and figure.draws_role(fact.role)
        and matches(fact.workload, figure.workloads)
        and fact.configuration in study.configurations_of(figure)
    )
