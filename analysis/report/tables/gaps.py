"""The table of what a study has no facts of, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from analysis.declared.workload import workload_order
from analysis.facts.fact import Gap
from analysis.facts.remark import Refusal
from analysis.report.study_facts import StudyFacts
from analysis.report.table import NONE, WIDE_STYLE, Column, escape, table

# The rungs of the ladder, for who has not read of it.
_WAYS = {
    "interpolation": "between its own runs",
    "generation": "from another CPC",
}


def gaps_table(results: StudyFacts) -> str:
    """What has neither runs nor an estimate, and why; empty where all has.

    Reasons that all rows share stand in the caption; one row is a sentence.
    """
    gaps = results.facts.gaps
    common = _common(gaps)
    metrics = dict[tuple[str, str, str], list[str]]()  # by workloads, pair and reason
    workloads = dict[tuple[str, str, str], list[str]]()
    for gap in gaps:
        pair, reason = escape(results.pair_name(gap)), gap.why.without(common)
        key = results.label(gap), pair, _reason(reason, results)
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
        caption += f" In all rows: {_reason(common, results)}."
    name = f"{results.id}-gaps"
    return str(table(columns, rows, caption, name, style=WIDE_STYLE)) if rows else ""


def _common(gaps: Sequence[Gap]) -> Refusal:
    """The reasons of all of several gaps; none where there is but one row to say."""
    first = gaps[0].why.remarks if len({gap.why for gap in gaps}) > 1 else ()
    return Refusal(tuple(r for r in first if all(g.why.says(r) for g in gaps)))


def _reason(why: Refusal, results: StudyFacts) -> str:
    """The reasons, each after the way that it closes, in words of readers."""

    def readable(name: str, value: Any) -> Any:
        if name == "configuration":
            return results.name(value)
        return tuple(map(results.name, value)) if name == "arms" else value

    remarks = (
        replace(
            remark,
            subject=_WAYS.get(remark.subject, remark.subject),
            values={name: readable(name, v) for name, v in remark.values.items()},
        )
        for remark in why.remarks
    )
    return escape(str(Refusal(tuple(remarks)))) if why.remarks else NONE
