"""Tables made from facts: a study at a glance, and its appendix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.edition import Study
from analysis.fact import Fact, Facts, Gap
from analysis.metrics import Metric
from analysis.report.cells import (
    anchor,
    bare,
    change_cell,
    fact_notes,
    glyph_cell,
    interval_cell,
    legend,
    origin_cell,
    p_cell,
    shared_notes,
    verdict_cell,
)
from analysis.report.lookup import workload_order
from analysis.report.tables import (
    NONE,
    WIDE_STYLE,
    Column,
    Notes,
    beside,
    escape,
    table,
    told_once,
)
from analysis.units import format_unit

_MATRIX = 3
# Columns that many tables need not have, as their cells are alike.
_ONCE = ("Interval", "n", "p", "Limit", "Origin")


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

    def values(self) -> str:
        """Every value of the study, each the anchor of its fact.

        Where there is nothing to say of a value but its median, the configurations
        stand beside each other.
        """
        facts = self._sorted("value")
        notes = Notes(shared_notes(facts))
        columns = [
            Column("Metric", 40),
            Column("Workload", 15),
            Column("Configuration", 14),
            Column("Median", 14, number=True),
            Column("Interval", 20, number=True),
            Column("n", 4, number=True),
            Column("Origin", self._origin_width()),
        ]
        rows = [
            [
                f"{self.label(fact)}, {escape(format_unit(fact.unit))}",
                fact.workload,
                fact.configuration,
                anchor(fact) + bare(fact.printed, fact) + notes.mark(fact_notes(fact)),
                bare(interval_cell(fact), fact),
                str(fact.n),
                origin_cell(fact),
            ]
            for fact in facts
        ]
        columns, rows, told = told_once(columns, rows, _ONCE)
        if columns[-1].head == "Median":
            columns, rows = beside(columns, rows, self.study.configurations)
        caption = f"{escape(self.study.title)}. Every value. {told}".rstrip()
        return table(columns, rows, caption, f"{self.id}-values", notes, WIDE_STYLE)

    def changes(self) -> str:
        """Every change of the study, each row the anchor of its fact.

        One table; where tests have baselines of their own, one for each test.
        """
        facts, title = self._sorted("delta"), escape(self.study.title)
        if not self._own_baselines():
            of = f"of {self.study.tests[0]} " if len(self.study.tests) == 1 else ""
            caption = f"{title}. Every change {of}against {self.study.baseline}."
            return self._changes(facts, caption, "changes")
        parts = [
            self._changes(
                [fact for fact in facts if fact.configuration == test],
                f"{title}. Every change of {self._test(test)}.",
                f"changes-{test}",
            )
            for test in self.study.tests
        ]
        return "\n\n".join(parts)

    def _changes(self, facts: list[Fact], caption: str, id: str) -> str:
        notes, tests = Notes(shared_notes(facts)), {f.configuration for f in facts}
        several = len(tests) > 1
        columns = [
            Column("Metric", 33),
            Column("Workload", 15),
            *[Column("Test", max(map(len, tests), default=0) + 2)] * several,
            Column("Change", 11, number=True),
            Column("Interval", 17, number=True),
            Column("n", 3, number=True),
            Column("p", 7, number=True),
            Column("Limit", 6, number=True),
            Column("Verdict", 15),
            Column("Origin", self._origin_width()),
        ]
        rows = [
            [
                anchor(fact) + self.label(fact),
                fact.workload,
                *[fact.configuration] * several,
                fact.printed + notes.mark(fact_notes(fact)),
                interval_cell(fact),
                str(fact.n),
                p_cell(fact),
                NONE if fact.threshold is None else f"{fact.threshold:,.0f}%",
                verdict_cell(fact),
                origin_cell(fact),
            ]
            for fact in facts
        ]
        columns, rows, told = told_once(columns, rows, _ONCE)
        caption = f"{caption} {told}".rstrip()
        return table(columns, rows, caption, f"{self.id}-{id}", notes, WIDE_STYLE)

    def gaps(self) -> str:
        """What has neither runs nor an estimate, and why; empty where all has."""
        groups: dict[tuple[str, str, str], list[str]] = {}
        for gap in self.facts.gaps:
            key = (self._named(gap.metric, gap.role), _pair(gap), gap.reason)
            groups.setdefault(key, []).append(gap.workload)
        columns = [
            Column("Metric", 20),
            Column("Workloads", 18),
            Column("Configuration", 14),
            Column("Why there is no value", 58),
        ]
        rows = [
            [name, _listed(workloads), pair, escape(reason)]
            for (name, pair, reason), workloads in groups.items()
        ]
        caption = f"{escape(self.study.title)}. Neither derived nor predicted."
        return table(columns, rows, caption, f"{self.id}-gaps") if rows else ""

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

    def _origin_width(self) -> int:
        """More where the word for a prediction stands beside the origin."""
        return 14 if any(fact.estimate for fact in self.facts.facts) else 10

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
            (f for f in self.facts.facts if f.kind == kind),
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


def _pair(gap: Gap) -> str:
    if gap.baseline is None:
        return gap.configuration
    return f"{gap.configuration} against {gap.baseline}"


def _listed(workloads: list[str]) -> str:
    return ", ".join(sorted(set(workloads), key=workload_order))
