"""The table of a study's predicted values: each with its range, model and error."""

from __future__ import annotations

from analysis.declared.study import Figure, Study
from analysis.declared.workload import matches
from analysis.facts.fact import Estimate, Fact
from analysis.report.expressions.bound import interval, span
from analysis.report.pipe_table import NONE, Column, Notes, escape, table
from analysis.report.tables.cells import PREDICTED, backtest_text
from analysis.report.tables.facts import StudyTables


def predicted_values(tables: StudyTables) -> str:
    """Values without runs that figures draw, or of loads that no figure has.

    One row a metric, role and workload, one column a configuration. Empty where all
    have runs.
    """
    study = tables.study
    found = {
        (tables.label(fact), fact.workload, fact.configuration): fact
        for fact in tables.values()
        if fact.estimate and (_drawn(fact, study) or _absent(fact, study))
    }
    ids = [id for id in study.configurations if any(key[2] == id for key in found)]
    columns = [Column("What", 30), Column("Workload", 14)]
    columns += [Column(escape(tables.name(id)), 34, number=True) for id in ids]
    notes = Notes()
    rows = [
        [*place, *(_cell(found.get((*place, id)), notes) for id in ids)]
        for place in dict.fromkeys(key[:2] for key in found)
    ]
    caption = (
        "Predicted values, each with its 90% range. The notes give the error of the "
        "model where the answer is known."
    )
    name = f"{tables.id}-predictions"
    return table(columns, rows, caption, name, notes, "table-wide") if rows else ""


def _cell(fact: Fact | None, notes: Notes) -> str:
    if fact is None or fact.estimate is None:
        return NONE
    value = f"{span(fact.printed, fact)} {PREDICTED}{notes.mark(_told(fact.estimate))}"
    return f"{value} ({escape(interval(fact))})"


def _told(estimate: Estimate) -> list[str]:
    """How it was predicted, by which model, and how wrong that is elsewhere."""
    beyond = [f"outside of its range: {what}" for what in estimate.outside]
    parts = [
        f"{estimate.model}, {estimate.reason.rstrip('.')}",
        backtest_text(estimate),
        *beyond,
        *estimate.notes,
    ]
    text = "; ".join(part.rstrip(".") for part in parts)
    return [text[:1].upper() + text[1:]]


def _drawn(fact: Fact, study: Study) -> bool:
    return any(_draws(figure, fact, study) for figure in study.figures)


def _draws(figure: Figure, fact: Fact, study: Study) -> bool:
    return (
        fact.metric in figure.metrics
        and figure.draws_role(fact.role)
        and _has(figure, fact.workload)
        and fact.configuration in study.configurations_of(figure)
    )


def _absent(fact: Fact, study: Study) -> bool:
    """Whether an asked load is in no figure, so that readers find it here alone."""
    asked = fact.workload in study.estimate.workloads
    return asked and not any(_has(figure, fact.workload) for figure in study.figures)


def _has(figure: Figure, workload: str) -> bool:
    return matches(workload, figure.workloads)
