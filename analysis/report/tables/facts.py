"""The facts of a study in the order of its tables, and the table of its gaps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.declared.metrics import Metric
from analysis.declared.study import Study
from analysis.declared.vocabulary import PARTS, part_words
from analysis.facts.fact import Fact, Facts, Gap
from analysis.facts.remark import Refusal
from analysis.facts.sentences import inside, name_list, named
from analysis.report.expressions.lookup import workload_order
from analysis.report.pipe_table import NONE, Column, escape, table
from analysis.report.tables.sides import sides

_WORD = re.compile(r"\w+")
# The rungs of the ladder, for who has not read of it.
_WAYS = {
    "interpolation": "between its own runs",
    "generation": "from another CPC",
}


@dataclass(frozen=True)
class StudyTables:
    """The tables of one study; ``names`` are what people call its configurations."""

    id: str
    study: Study
    facts: Facts
    metrics: Mapping[str, Metric]
    names: Mapping[str, str]

    def gaps(self) -> str:
        """What has neither runs nor an estimate, and why; empty where all has.

        Reasons that all rows share stand in the caption.
        """
        common = _common(self.facts.gaps)
        cells: dict[tuple[str, str, str], list[str]] = {}
        for gap in self.facts.gaps:
            key = (
                self._named(gap.metric, gap.role),
                self._of(gap),
                self._why(gap, common),
            )
            cells.setdefault(key, []).append(gap.workload)
        groups: dict[tuple[str, str, str], list[str]] = {}
        for (name, pair, reason), workloads in cells.items():
            groups.setdefault((_listed(workloads), pair, reason), []).append(name)
        columns = [
            Column("Metrics", 24),
            Column("Workloads", 18),
            Column("Configuration", 14),
            Column("Reason", 54),
        ]
        rows = [
            ["; ".join(names), workloads, pair, reason]
            for (workloads, pair, reason), names in groups.items()
        ]
        if len(rows) == 1:
            ((what, of, pair, reason),) = rows
            return f"Not measured or predicted: {what} of {of}, {pair} ({reason})."
        caption = "Results that are neither measured nor predicted."
        if common.remarks:
            caption += f" In all rows: {escape(self._spoken(common))}."
        name = f"{self.id}-gaps"
        return table(columns, rows, caption, name, style="table-wide") if rows else ""

    def comparisons(self) -> list[Fact]:
        """The changes with a verdict, and those that are predicted instead."""
        found = self._sorted("delta")
        return [f for f in found if f.better != "none" and (f.verdict or f.estimate)]

    def values(self) -> list[Fact]:
        """The values of all configurations, in the order of tables."""
        return self._sorted("value")

    def results(self) -> list[Fact]:
        """What the study is for: its changes, or values where it compares nothing."""
        return self.values() if self.study.of_values else self.comparisons()

    def every_result(self) -> list[Fact]:
        """The same with changes of metrics that are neither better nor worse."""
        return self.values() if self.study.of_values else self._sorted("delta")

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

    def pair(self, change: Fact) -> str:
        """The values that a change is between, ``105 → 44 µs``; empty without them."""
        both = sides(change, {fact.key: fact for fact in self.facts.facts})
        return both.printed if both else ""

    def name(self, configuration: str) -> str:
        """What people call a configuration."""
        return self.names.get(configuration, configuration)

    def claimed(self, words: str) -> str:
        """Words of a claim, or of the data on it, as readers call what it names."""
        plain = _WORD.sub(lambda one: self._metric(one[0]), words)
        return named(plain, self.names)

    def pairs(self) -> str:
        """``Shared OSH and Shared OSD relative to HiperSockets``."""
        if self.study.several_baselines:
            return "each test relative to its baseline"
        names = name_list(map(self.name, self.study.tests))
        return escape(f"{names} relative to {self.name(self.study.baseline)}")

    def _of(self, gap: Gap) -> str:
        name = self.name(gap.configuration)
        base = f" relative to {self.name(gap.baseline)}" if gap.baseline else ""
        return escape(f"{name}{base}")

    def _why(self, gap: Gap, common: Refusal) -> str:
        own = gap.why.without(common)
        return escape(self._spoken(own)) if own.remarks else NONE

    def _spoken(self, why: Refusal) -> str:
        """The reasons, each after the way that it closes, in words of readers."""
        ways = (
            replace(
                r,
                subject=_WAYS.get(r.subject, r.subject),
                values={k: self._named_in(k, v) for k, v in r.values.items()},
            )
            for r in why.remarks
        )
        return str(Refusal(tuple(ways)))

    def _named_in(self, name: str, value: Any) -> Any:
        """A value of a remark; configurations have their names for readers."""
        if name == "configuration":
            return self.name(value)
        return tuple(map(self.name, value)) if name == "arms" else value

    def _sorted(self, kind: str) -> list[Fact]:
        """Facts by metric, role and workload; in each pair, where pairs differ."""
        order = self.study.configurations
        apart = self.study.several_baselines
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

    def _place(self, fact: Fact) -> tuple[int, int, tuple[int, ...]]:
        metric = list(self.metrics).index(fact.metric)
        role = PARTS.index(fact.role) if fact.role else -1
        return metric, role, workload_order(fact.workload)

    def _metric(self, word: str) -> str:
        return inside(self.metrics[word].label) if word in self.metrics else word

    def _named(self, metric: str, role: str | None) -> str:
        label = self.metrics[metric].label
        return escape(f"{label}, {part_words(role)}" if role else label)


def _common(gaps: Sequence[Gap]) -> Refusal:
    """The reasons of all of several gaps; none where there is but one row to say."""
    first = gaps[0].why.remarks if len({gap.why for gap in gaps}) > 1 else ()
    return Refusal(tuple(r for r in first if all(g.why.says(r) for g in gaps)))


def _listed(workloads: list[str]) -> str:
    return ", ".join(sorted(set(workloads), key=workload_order))
