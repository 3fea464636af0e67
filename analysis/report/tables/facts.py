"""Tables made from facts: a study at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.declared.edition import Study
from analysis.declared.metrics import Metric
from analysis.facts.fact import Fact, Facts
from analysis.report.expressions.lookup import workload_order
from analysis.report.pipe_table import NONE, Column, Notes, escape, table
from analysis.report.tables.cells import (
    change_cell,
    glyph_cell,
    interval_cell,
    legend,
    verdict_cell,
)

_MATRIX = 3


@dataclass(frozen=True)
class StudyTables:
    """The tables of one study, from its facts."""

    id: str
    study: Study
    facts: Facts
    metrics: Mapping[str, Metric]

    def glance(self) -> str:
        """The changes of the metrics that the study draws.

        One row each; of three tests and more, one row for all tests.
        """
        if len(self.study.tests) >= _MATRIX:
            return self._matrix()
        notes, several = Notes(), len(self.study.tests) > 1
        columns = [Column("Metric", 30), Column("Workload", 17)]
        columns += [Column("Test", 24 if self._own_baselines() else 12)] * several
        columns += [
            Column("Change", 11, number=True),
            Column("Interval", 18, number=True),
            Column("Verdict", 16),
        ]
        rows = [
            [
                self.label(fact),
                fact.workload,
                *([self._test(fact.configuration)] if several else []),
                change_cell(fact, notes),
                interval_cell(fact),
                verdict_cell(fact),
            ]
            for fact in self.glance_facts()
        ]
        return table(columns, rows, self._caption(), f"{self.id}-glance", notes)

    def glance_facts(self) -> list[Fact]:
        """The changes at a glance: of the metrics drawn, or of all if none is."""
        drawn = {m for f in self.study.figures for m in f.metrics}
        shown = drawn or set(self.study.metrics)
        return [f for f in self.comparisons() if f.metric in shown]

    def comparisons(self) -> list[Fact]:
        """The changes with a verdict, and those that are predicted instead."""
        found = self._sorted("delta")
        return [f for f in found if f.better != "none" and (f.verdict or f.estimate)]

    def deltas(self) -> list[Fact]:
        """The changes that can be better or worse, in the order of tables."""
        found = self._sorted("delta")
        return [f for f in found if f.verdict is not None and f.better != "none"]

    def workloads(self) -> list[str]:
        """The workloads of the study that have facts, in the order of tables."""
        return sorted({f.workload for f in self.facts.facts}, key=workload_order)

    def label(self, fact: Fact) -> str:
        """The metric's label with the role that the fact is of."""
        return self._named(fact.metric, fact.role)

    def _matrix(self) -> str:
        """One row a metric and workload, one column a test."""
        notes, tests = Notes(), self.study.tests
        columns = [Column("Metric", 26), Column("Workload", 15)]
        columns += [Column(self._test(test), 16, number=True) for test in tests]
        found = {
            (self.label(f), f.workload, f.configuration): f for f in self.glance_facts()
        }
        order = {(f.metric, f.role, f.workload): f for f in self.glance_facts()}
        places = sorted(order.values(), key=self._place)
        rows = [
            [
                self.label(place),
                place.workload,
                *(
                    self._both(found.get((self.label(place), place.workload, t)), notes)
                    for t in tests
                ),
            ]
            for place in places
        ]
        caption = f"{self._caption()} {legend()}."
        return table(columns, rows, caption, f"{self.id}-glance", notes)

    def _both(self, fact: Fact | None, notes: Notes) -> str:
        if fact is None:
            return NONE
        return f"{change_cell(fact, notes)} {glyph_cell(fact)}"

    def _caption(self) -> str:
        if self._own_baselines():
            return "The changes at a glance, each test against its own baseline."
        tests = self.study.tests
        words = " and ".join([", ".join(tests[:-1]), tests[-1]] if tests[1:] else tests)
        return f"{words} against {self.study.baseline}: the changes at a glance."

    def _own_baselines(self) -> bool:
        return self.study.several_baselines

    def _test(self, test: str) -> str:
        if not self._own_baselines():
            return test
        return f"{test} against {self.study.baseline_of(test)}"

    def _sorted(self, kind: str) -> list[Fact]:
        """Facts by metric, role and workload; in each pair, where pairs differ."""
        order = self.study.configurations
        apart = self._own_baselines()
        return sorted(
            # facts may be older than the study, and of a configuration that it had
            (
                f
                for f in self.facts.facts
                if f.kind == kind and f.configuration in order
            ),
            key=lambda f: (
                order.index(f.configuration) if apart else 0,
                *self._place(f),
                order.index(f.configuration),
            ),
        )

    def _place(self, fact: Fact) -> tuple[int, str, tuple[int, int, int, int]]:
        metric = list(self.metrics).index(fact.metric)
        return metric, fact.role or "", workload_order(fact.workload)

    def _named(self, metric: str, role: str | None) -> str:
        label = self.metrics[metric].label
        return escape(f"{label}, {role}" if role else label)
