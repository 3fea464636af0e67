"""What the order of the runs does to a value and to a comparison.

Shuffled runs spread whatever happens to the machine over both sides. Runs in blocks do
not: there, runs that resemble their neighbours count for fewer, in interval and test,
and a change must stand beside a straight drift of the machine. Where the order is not
known, nothing shows that the runs were shuffled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from analysis.derive.samples import Cell, Sample
from analysis.facts.fact import Fact
from analysis.facts.remark import Remark
from analysis.statistics.drift import without_drift
from analysis.statistics.median_change import Change, percent
from analysis.statistics.neighbours import (
    Likeness,
    in_blocks,
    likeness,
    stretches,
    thin_test,
    widen,
)

Alike = Mapping[tuple[str, str | None], Likeness]


class Pair(NamedTuple):
    """Two samples that are compared, and the names of their configurations."""

    baseline: Sample
    test: Sample
    names: tuple[str, str]

    @property
    def started(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The starts of both sides in seconds; empty where they are not known."""
        return self.baseline.started, self.test.started

    @property
    def ordered(self) -> bool:
        """Whether the order is known: each run of a side has a start of its own."""
        return all(starts and len({*starts}) == len(starts) for starts in self.started)


def measure_order(samples: Mapping[Cell, Sample]) -> Alike:
    """How alike neighbouring runs are, by metric and role, over all their samples."""
    found: dict[tuple[str, str | None], list[Sample]] = {}
    for cell, sample in samples.items():
        found.setdefault((cell.metric, cell.role), []).append(sample)
    return {
        key: likeness([sample.in_order for sample in alike])
        for key, alike in found.items()
    }


def honour_neighbours(value: Fact, alike: Likeness) -> Fact:
    """The value with the interval that runs leave it which surely resemble their
    neighbours, and what is to be said of them."""
    if not alike.sure or value.low is None or value.high is None or value.low <= 0:
        return value
    low, high = (
        value.value * (1 + widen(0.0, end, alike.runs_as_one) / 100)
        for end in (percent(value.low, value.value), percent(value.high, value.value))
    )
    told = Remark("neighbours", values=_seen(alike))
    return replace(value, low=low, high=high, warnings=(*value.warnings, told))


def honour_order(
    change: Change, pair: Pair, alike: Likeness
) -> tuple[Change, tuple[Remark, ...]]:
    """The change with the interval and p-value that the order of the runs leaves it,
    and what is to be said of the order."""
    if change.interval is None:
        return change, ()
    if not pair.ordered:
        told = Remark("order_unknown", values=_seen(alike))
        return _of_alike_runs(change, pair, alike.runs_as_one), (told,)
    if not in_blocks(*pair.started):
        return change, ()
    held = _beside_drift(_of_alike_runs(change, pair, alike.runs_as_one), pair)
    kind = "alike" if alike.runs_as_one > 1 else "in_blocks"
    return held, (Remark(kind, values=_seen(alike) | _stretches(pair)),)


def _seen(alike: Likeness) -> dict[str, Any]:
    correlation = max(alike.correlation, 0.0)
    return {"correlation": correlation, "runs_as_one": alike.runs_as_one}


def _stretches(pair: Pair) -> dict[str, Any]:
    """Which configuration came first, and how many runs of it, and so on."""
    found = stretches(*pair.started)
    sides = tuple(pair.names[side] for side, _ in found)
    return {"sides": sides, "lengths": tuple(length for _, length in found)}


def _of_alike_runs(change: Change, pair: Pair, as_one: float) -> Change:
    """What is left where so many runs count as one."""
    low, high = change.interval or (0.0, 0.0)
    if as_one <= 1:
        return change
    held = thin_test(pair.baseline.values, pair.test.values, as_one)
    return replace(
        change,
        low=widen(change.value, low, as_one),
        high=widen(change.value, high, as_one),
        p_value=max(change.p_value or 0.0, held),
    )


def _beside_drift(change: Change, pair: Pair) -> Change:
    """What is left beside a drift: the interval reaches to where it might be then."""
    starts = [np.asarray(side) for side in pair.started]
    order = np.argsort(np.argsort(np.concatenate(starts), kind="stable")).astype(float)
    places = (order[: len(starts[0])], order[len(starts[0]) :])
    held = without_drift(pair.baseline.values, pair.test.values, places)
    low, high = change.interval or (0.0, 0.0)
    if held is None:
        return change
    return replace(
        change,
        low=min(low, held.low),
        high=max(high, held.high),
        p_value=max(change.p_value or 0.0, held.p_value),
    )
