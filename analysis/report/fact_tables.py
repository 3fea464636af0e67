"""Tables made from facts: a study at a glance, its appendix, the runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analysis.edition import Study
from analysis.fact import Fact, Facts, RunCount
from analysis.metrics import Metric
from analysis.report.bound import interval, span
from analysis.report.lookup import workload_order
from analysis.report.tables import Column, Notes, escape, table
from analysis.units import format_unit

GLYPHS = {"improved": "▲", "regressed": "▼", "comparable": "≈", "inconclusive": "?"}
NONE = "–"


@dataclass(frozen=True)
class StudyTables:
    """The tables of one study, from its facts."""

    id: str
    study: Study
    facts: Facts
    metrics: Mapping[str, Metric]

    def glance(self) -> str:
        """The changes of the metrics that the study draws, one row each."""
        notes, drawn = Notes(), {m for f in self.study.figures for m in f.metrics}
        several = len(self.study.tests) > 1
        columns = [Column("Metric", 30), Column("Workload", 17)]
        columns += [Column("Test", 8)] if several else []
        columns += [
            Column("Change", 11, number=True),
            Column("95% interval", 18, number=True),
            Column("Verdict", 16),
        ]
        rows = [
            [
                self._label(fact),
                fact.workload,
                *([fact.configuration] if several else []),
                span(fact.printed, fact) + notes.mark(short_notes(fact.warnings)),
                _interval(fact),
                verdict_cell(fact),
            ]
            for fact in self.deltas()
            if fact.metric in drawn
        ]
        tests = " and ".join(self.study.tests)
        caption = f"{tests} against {self.study.baseline}: the changes at a glance."
        return table(columns, rows, caption, f"{self.id}-glance", notes)

    def values(self) -> str:
        """Every value of the study, each row the anchor of its fact."""
        notes = Notes()
        columns = [
            Column("Metric", 34),
            Column("Workload", 16),
            Column("Configuration", 13),
            Column("Median", 14, number=True),
            Column("95% interval", 20, number=True),
            Column("n", 4, number=True),
            Column("Origin", 10),
        ]
        rows = [
            [
                f"{anchor(fact)}{self._label(fact)}, {escape(format_unit(fact.unit))}",
                fact.workload,
                fact.configuration,
                _bare(fact.printed, fact) + notes.mark(short_notes(fact.warnings)),
                _bare(_interval(fact), fact),
                str(fact.n),
                fact.origin,
            ]
            for fact in self._sorted("value")
        ]
        caption = f"{escape(self.study.title)}. Every value."
        return table(columns, rows, caption, f"{self.id}-values", notes)

    def changes(self) -> str:
        """Every change of the study, each row the anchor of its fact."""
        notes = Notes()
        columns = [
            Column("Metric", 31),
            Column("Workload", 15),
            Column("Test", 5),
            Column("Change", 11, number=True),
            Column("95% interval", 19, number=True),
            Column("n", 3, number=True),
            Column("p", 7, number=True),
            Column("Limit", 6, number=True),
            Column("Verdict", 16),
            Column("Origin", 9),
        ]
        rows = [
            [
                anchor(fact) + self._label(fact),
                fact.workload,
                fact.configuration,
                fact.printed + notes.mark(short_notes(fact.warnings)),
                _interval(fact),
                str(fact.n),
                _p_value(fact),
                NONE if fact.threshold is None else f"{fact.threshold:,.0f}%",
                verdict_cell(fact),
                fact.origin,
            ]
            for fact in self._sorted("delta")
        ]
        caption = (
            f"{escape(self.study.title)}. Every change against {self.study.baseline}."
        )
        return table(columns, rows, caption, f"{self.id}-changes", notes)

    def deltas(self) -> list[Fact]:
        """The changes that can be better or worse, in the order of tables."""
        found = self._sorted("delta")
        return [f for f in found if f.verdict is not None and f.better != "none"]

    def workloads(self) -> list[str]:
        """The workloads of the study that have facts, in the order of tables."""
        return sorted({f.workload for f in self.facts.facts}, key=workload_order)

    def _sorted(self, kind: str) -> list[Fact]:
        order = list(self.metrics)
        configurations = [self.study.baseline, *self.study.tests]
        return sorted(
            (f for f in self.facts.facts if f.kind == kind),
            key=lambda f: (
                order.index(f.metric),
                f.role or "",
                workload_order(f.workload),
                configurations.index(f.configuration),
            ),
        )

    def _label(self, fact: Fact) -> str:
        label = self.metrics[fact.metric].label
        return escape(f"{label}, {fact.role}" if fact.role else label)


NOTES = {
    "bimodal": "The runs fall into two groups.",
    "noisy": "The runs scatter widely.",
    "outlier": "A run lies far from the others.",
    "excluded": "Runs that failed are not in.",
    "missing": "Some runs lack this value.",
    "degraded": "Some runs had errors and were still of use.",
    "idle before": "The machine was not idle before every run.",
    "Little's law": "Rate and latency do not fit together in every run.",
    "utilisation law": "CPU time and clock ticks disagree in some runs.",
    "tick coverage": "The clock ticks do not cover all of the time.",
    "overlap": "CPU intervals overlap the runs and do not lie inside them.",
    "types": "CPU time of another type is not in the value.",
    "idle": "An idle load is taken off.",
}


def runs_table(runs: Iterable[RunCount]) -> str:
    """How many runs each workload has on each configuration, and what failed."""
    columns = [
        Column("Configuration", 14),
        Column("Workload", 17),
        Column("Used", 7, number=True),
        Column("Excluded", 10, number=True),
    ]
    rows = [
        [
            run.configuration,
            run.workload,
            str(run.used),
            str(run.excluded),
        ]
        for run in runs
    ]
    return table(columns, rows, "Runs used and runs excluded.", "runs")


def excluded_table(runs: Iterable[RunCount]) -> str:
    """Every run that was excluded, and why; a sentence where there is none."""
    reasons = [reason.partition(": ") for run in runs for reason in run.reasons]
    if not reasons:
        return "No run was excluded."
    columns = [Column("Excluded run", 26), Column("Reason", 60)]
    rows = [[escape(run), escape(reason)] for run, _, reason in reasons]
    return table(columns, rows, "Excluded runs, and what their logs say.", "excluded")


def short_notes(warnings: Iterable[str]) -> list[str]:
    """Warnings in plain words, without their numbers, each once."""
    kinds = (warning.partition(":")[0] for warning in warnings)
    return list(dict.fromkeys(NOTES.get(kind, kind) for kind in kinds))


def anchor(fact: Fact) -> str:
    """The target of every number that is bound to the fact."""
    return f"[]{{#fact-{fact.key.replace('.', '-')}}}"


def verdict_cell(fact: Fact) -> str:
    """The verdict with its glyph, so that it does not hang on colour."""
    if fact.verdict is None or fact.better == "none":
        return NONE
    return f"[{GLYPHS[fact.verdict]} {fact.verdict}]{{.verdict .{fact.verdict}}}"


def _interval(fact: Fact) -> str:
    return NONE if fact.low is None else interval(fact)


def _bare(text: str, fact: Fact) -> str:
    return text.removesuffix(format_unit(fact.unit)).rstrip()


def _p_value(fact: Fact) -> str:
    if fact.p_adjusted is None:
        return NONE
    return "<0.001" if fact.p_adjusted < 0.001 else f"{fact.p_adjusted:.3f}"
