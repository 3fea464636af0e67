"""The facts of a study in the order of its tables, what they are called, and what it
has no facts of."""

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
from analysis.report.tables.cells import sides
from analysis.report.tables.table import NONE, WIDE_STYLE, Column, escape, table

_WORD = re.compile(r"\w+")
# The rungs of the ladder, for who has not read of it.
_WAYS = {
    "interpolation": "between its own runs",
    "generation": "from another CPC",
}


@dataclass(frozen=True)
class StudyTables:
    """The facts of one study; ``names`` are what people call its configurations."""

    id: str
    study: Study
    facts: Facts
    metrics: Mapping[str, Metric]
    names: Mapping[str, str]

    def comparisons(self) -> list[Fact]:
        """The changes with a verdict, and those that are predicted instead."""
        changes = self._sorted("delta")
        return [f for f in changes if f.better != "none" and (f.verdict or f.estimate)]

    def deltas(self) -> list[Fact]:
        """The changes that can be better or worse, in the order of tables."""
        changes = self._sorted("delta")
        return [f for f in changes if f.verdict is not None and f.better != "none"]

    def values(self) -> list[Fact]:
        """The values of all configurations, in the order of tables."""
        return self._sorted("value")

    def results(self) -> list[Fact]:
        """What the study is for: its changes, or values where it compares nothing."""
        return self.values() if self.study.of_values else self.comparisons()

    def every_result(self) -> list[Fact]:
        """The same with changes of metrics that are neither better nor worse."""
        return self.values() if self.study.of_values else self._sorted("delta")

    def workloads(self) -> list[str]:
        """The workloads of the study that have facts, in the order of tables."""
        return sorted({f.workload for f in self.facts.facts}, key=workload_order)

    def metric_name(self, fact: Fact | Gap) -> str:
        """``CPU cost per transaction, client``."""
        label = self.metrics[fact.metric].label
        return f"{label}, {part_words(fact.role)}" if fact.role else label

    def label(self, fact: Fact | Gap) -> str:
        """The same as Markdown."""
        return escape(self.metric_name(fact))

    def name(self, configuration: str) -> str:
        """What people call a configuration."""
        return self.names.get(configuration, configuration)

    def pair_name(self, fact: Fact | Gap) -> str:
        """The configuration of a fact; of a change, what it is relative to as well."""
        name = self.name(fact.configuration)
        base = f" relative to {self.name(fact.baseline)}" if fact.baseline else ""
        return f"{name}{base}"

    def pair(self, change: Fact) -> str:
        """The values that a change is between, ``105 → 44 µs``; empty without them."""
        both = sides(change, {fact.key: fact for fact in self.facts.facts})
        return both.printed if both else ""

    def pairs(self) -> str:
        """``Shared OSH and Shared OSD relative to HiperSockets``."""
        if self.study.several_baselines:
            return "each test relative to its baseline"
        names = name_list(map(self.name, self.study.tests))
        return escape(f"{names} relative to {self.name(self.study.baseline)}")

    def claimed(self, words: str) -> str:
        """Words of a claim, or of the data on it, as readers call what it names."""

        def name(word: re.Match[str]) -> str:
            metric = self.metrics.get(word[0])
            return inside(metric.label) if metric else word[0]

        return named(_WORD.sub(name, words), self.names)

    def _sorted(self, kind: str) -> list[Fact]:
        """Facts by metric, role and workload; in each pair, where pairs differ."""
        order, metrics = self.study.configurations, list(self.metrics)

        def place(fact: Fact) -> tuple[int | tuple[int, ...], ...]:
            configuration = order.index(fact.configuration)
            return (
                configuration if self.study.several_baselines else 0,
                metrics.index(fact.metric),
                PARTS.index(fact.role) if fact.role else -1,
                workload_order(fact.workload),
                configuration,
            )

        # Facts may be older than the study, and of a configuration that it had.
        own = (f for f in self.facts.facts if f.configuration in order)
        return sorted((f for f in own if f.kind == kind), key=place)


def gaps_table(tables: StudyTables) -> str:
    """What has neither runs nor an estimate, and why; empty where all has.

    Reasons that all rows share stand in the caption; one row is a sentence.
    """
    gaps = tables.facts.gaps
    common = _common(gaps)
    metrics = dict[tuple[str, str, str], list[str]]()  # by workloads, pair and reason
    workloads = dict[tuple[str, str, str], list[str]]()
    for gap in gaps:
        pair, reason = escape(tables.pair_name(gap)), gap.why.without(common)
        key = tables.label(gap), pair, _reason(reason, tables)
        workloads.setdefault(key, []).append(gap.workload)
    for (metric, pair, words), names in workloads.items():
        listed = ", ".join(sorted(set(names), key=workload_order))
        metrics.setdefault((listed, pair, words), []).append(metric)
    rows = [("; ".join(names), *about) for about, names in metrics.items()]
    if len(rows) == 1:
        ((what, listed, pair, words),) = rows
        return f"Not measured or predicted: {what} of {listed}, {pair} ({words})."
    columns: list[Column[tuple[str, str, str, str]]] = [
        Column("Metrics", 24, lambda row: row[0]),
        Column("Workloads", 18, lambda row: row[1]),
        Column("Configuration", 14, lambda row: row[2]),
        Column("Reason", 54, lambda row: row[3]),
    ]
    caption = "Results that are neither measured nor predicted."
    if common.remarks:
        caption += f" In all rows: {_reason(common, tables)}."
    name = f"{tables.id}-gaps"
    return table(columns, rows, caption, name, style=WIDE_STYLE) if rows else ""


def _common(gaps: Sequence[Gap]) -> Refusal:
    """The reasons of all of several gaps; none where there is but one row to say."""
    first = gaps[0].why.remarks if len({gap.why for gap in gaps}) > 1 else ()
    return Refusal(tuple(r for r in first if all(g.why.says(r) for g in gaps)))


def _reason(why: Refusal, tables: StudyTables) -> str:
    """The reasons, each after the way that it closes, in words of readers."""

    def readable(name: str, value: Any) -> Any:
        if name == "configuration":
            return tables.name(value)
        return tuple(map(tables.name, value)) if name == "arms" else value

    remarks = (
        replace(
            remark,
            subject=_WAYS.get(remark.subject, remark.subject),
            values={name: readable(name, v) for name, v in remark.values.items()},
        )
        for remark in why.remarks
    )
    return escape(str(Refusal(tuple(remarks)))) if why.remarks else NONE
