"""The table of predicted values: what has no run, with range, model and error."""

from __future__ import annotations

from dataclasses import replace

from analysis.report.material import Sources
from analysis.report.tables.cells import error_text
from analysis.report.tables.facts import StudyTables
from analysis.report.tables.predictions import predicted_values
from tests.report.tables.test_tables import ESTIMATE, tables


def predicted(made: StudyTables, configuration: str) -> StudyTables:
    facts = tuple(
        replace(f, estimate=ESTIMATE, verdict=None, n=0)
        if f.metric == "latency" and f.configuration == configuration
        else f
        for f in made.facts.facts
    )
    return replace(made, facts=replace(made.facts, facts=facts))


def test_each_predicted_value_that_a_figure_draws_has_a_row(project: Sources) -> None:
    made = predicted(tables(project), "new")
    text = predicted_values(made)
    rows = [line for line in text.splitlines() if line.startswith("| RR")]
    values = [f for f in made.values() if f.estimate]
    assert rows and len(rows) == len(values)
    assert "◊" in rows[0] and "6.2% (n = 9)" in rows[0]
    assert "^a^ From the z17." in text


def test_what_was_measured_has_no_such_table(project: Sources) -> None:
    assert predicted_values(tables(project)) == ""


def test_an_error_that_is_nearly_none_is_not_printed_as_a_power() -> None:
    assert error_text(replace(ESTIMATE, backtest_error=1e-6)) == "under 0.1% (n = 9)"
    assert error_text(replace(ESTIMATE, backtest_error=None)) == ""
