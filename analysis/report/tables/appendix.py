"""The appendix of a study: every value and every change, and what has neither."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.facts.fact import Fact, Gap
from analysis.facts.units import format_unit
from analysis.report.expressions.lookup import workload_order
from analysis.report.pipe_table import (
    NONE,
    WIDE_STYLE,
    Column,
    Notes,
    beside,
    escape,
    table,
    told_once,
)
from analysis.report.tables.cells import (
    anchor,
    bare,
    fact_notes,
    interval_cell,
    origin_cell,
    p_cell,
    shared_notes,
    verdict_cell,
)
from analysis.report.tables.facts import StudyTables

# Columns that many tables need not have, as their cells are alike.
_ONCE = ("Interval", "n", "p", "Limit", "Origin")


class AppendixTables(StudyTables):
    """The tables of one study, from its facts, with those of its appendix."""

    def values(self) -> str:
        """Every value of the study, each the anchor of its fact.

        One table; where tests have baselines of their own, one for each baseline. Where
        there is nothing to say of values but their medians, the configurations stand
        beside each other.
        """
        facts, title = self._sorted("value"), escape(self.study.title)
        if not self._own_baselines():
            return self._values(facts, f"{title}. Every value.", "values")
        parts = [
            self._values(
                [fact for fact in facts if fact.configuration in group],
                f"{title}. Every value of {' and '.join(group)}.",
                f"values-{group[-1]}",
            )
            for group in self._groups()
        ]
        return "\n\n".join(parts)

    def _groups(self) -> Iterator[list[str]]:
        """Each baseline with its tests; every configuration is in one group."""
        seen = set[str]()
        baselines = map(self.study.baseline_of, self.study.tests)
        for baseline in dict.fromkeys([self.study.baseline, *baselines]):
            of = [t for t in self.study.tests if self.study.baseline_of(t) == baseline]
            if group := [id for id in (baseline, *of) if id not in seen]:
                yield group
            seen.update(group)

    def _values(self, facts: list[Fact], caption: str, id: str) -> str:
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
        columns, rows, told = told_once(columns, rows, _ONCE, notes)
        if columns[-1].head == "Median":
            columns, rows = beside(columns, rows, self.study.configurations)
        caption = f"{caption} {told}".rstrip()
        return table(columns, rows, caption, f"{self.id}-{id}", notes, WIDE_STYLE)

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
            Column("Metric", 34),
            Column("Workload", 15),
            *[Column("Test", max(map(len, tests), default=0) + 4)] * several,
            Column("Change", 9, number=True),
            Column("Interval", 16, number=True),
            Column("n", 4, number=True),
            Column("p", 7, number=True),
            Column("Limit", 6, number=True),
            Column("Verdict", 14),
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
        columns, rows, told = told_once(columns, rows, _ONCE, notes)
        caption = f"{caption} {told}".rstrip()
        return table(columns, rows, caption, f"{self.id}-{id}", notes, WIDE_STYLE)

    def gaps(self) -> str:
        """What has neither runs nor an estimate, and why; empty where all has."""
        groups: dict[tuple[str, str, str], list[str]] = {}
        for gap in self.facts.gaps:
            key = (self._named(gap.metric, gap.role), _pair(gap), str(gap.why))
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

    def _origin_width(self) -> int:
        """More where the word for a prediction stands beside the origin."""
        return 16 if any(fact.estimate for fact in self.facts.facts) else 10


def _pair(gap: Gap) -> str:
    if gap.baseline is None:
        return gap.configuration
    return f"{gap.configuration} against {gap.baseline}"


def _listed(workloads: list[str]) -> str:
    return ", ".join(sorted(set(workloads), key=workload_order))
