"""What the order of the runs does to a comparison.

Shuffled runs spread whatever happens to the machine over both sides. Runs in blocks do
not: there, runs that resemble their neighbours count for fewer, in interval and test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis.derive.samples import Cell, Sample
from analysis.facts.remark import Remark
from analysis.statistics.median_change import Change
from analysis.statistics.neighbours import (
    Likeness,
    in_blocks,
    likeness,
    thin_test,
    widen,
)

Alike = Mapping[tuple[str, str | None], Likeness]


def measure_order(samples: Mapping[Cell, Sample]) -> Alike:
    """How alike neighbouring runs are, by metric and role, over all their samples."""
    found: dict[tuple[str, str | None], list[Sample]] = {}
    for cell, sample in samples.items():
        found.setdefault((cell.metric, cell.role), []).append(sample)
    return {
        key: likeness([sample.in_order for sample in alike])
        for key, alike in found.items()
    }


def honour_order(
    change: Change, baseline: Sample, test: Sample, alike: Likeness
) -> tuple[Change, tuple[Remark, ...]]:
    """The change with the interval and p-value that runs in blocks leave it, and what
    is to be said of the order."""
    if change.p_value is None or change.low is None or change.high is None:
        return change, ()
    if not in_blocks(baseline.started, test.started):
        return change, ()
    as_one = alike.runs_as_one
    seen = {"correlation": max(alike.correlation, 0.0), "runs_as_one": as_one}
    if as_one <= 1:
        return change, (Remark("in_blocks", values=seen),)
    held = thin_test(baseline.values, test.values, as_one)
    wider = replace(
        change,
        low=widen(change.value, change.low, as_one),
        high=widen(change.value, change.high, as_one),
        p_value=max(change.p_value, held),
    )
    return wider, (Remark("alike", values=seen),)
