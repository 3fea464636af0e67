"""The facts of one study in the order of its tables, and the names of their parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from analysis.declared.metrics import Metric
from analysis.declared.study import Study
from analysis.declared.vocabulary import PARTS, part_words
from analysis.declared.workload import workload_order
from analysis.facts.fact import Fact, Facts, Gap
from analysis.facts.sentences import inside, name_list, named
from analysis.report.table import escape

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class StudyFacts:
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
