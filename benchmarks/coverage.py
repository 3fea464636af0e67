"""What intervals cover and how often equal things are told apart, by simulation.

``python -m benchmarks.coverage [--tables 200]``. Two equal configurations are measured
over and over; a table has five comparisons, with p-values adjusted by Holm. Printed are
the share of intervals that hold the true change, which is none, and the share of tables
with at least one change called improved or regressed: by the program, and by interval
and rank test alone, without a look at the order of the runs. No limit is set, so that
statistics alone decide. All runs of one configuration come before those of the other.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from analysis.derive.delta import holm, judge
from analysis.derive.order import Pair, honour_order
from analysis.derive.samples import Sample
from analysis.statistics.median_change import Change, measure_change
from analysis.statistics.neighbours import likeness
from analysis.statistics.statistic import Values

COMPARISONS = 5
RUNS = (3, 4, 5, 6, 8, 10, 15, 20)
Draw = Callable[[np.random.Generator, int], tuple[Values, Values]]


@dataclass
class Seen:
    """Of one shape and number of runs: intervals that hold zero, and false tables."""

    intervals: int = 0
    covering: int = 0
    false: int = 0
    plain: int = 0


def main() -> int:
    """Print a line for each shape and number of runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    tables = parser.parse_args().tables
    head = "coverage   false tables   without a look at the order"
    print(f"{'shape':22} {'n':>3}   {head}   ({tables} tables)")
    for name, draw in SHAPES.items():
        for runs in RUNS:
            print(f"{name:22} {runs:3}   {_told(simulate(draw, runs, tables), tables)}")
    return 0


def simulate(draw: Draw, runs: int, tables: int) -> Seen:
    """What so many tables of equal configurations show; always the same."""
    seen, rng = Seen(), np.random.default_rng(runs)
    for table in range(tables):
        pairs = [draw(rng, runs) for _ in range(COMPARISONS)]
        plain, honoured = _changes(pairs, f"{table}")
        for low, high in filter(None, (change.interval for change in honoured)):
            seen.intervals += 1
            seen.covering += low <= 0 <= high
        seen.false += _has_verdict(honoured)
        seen.plain += _has_verdict(plain)
    return seen


def _changes(
    pairs: list[tuple[Values, Values]], key: str
) -> tuple[list[Change], list[Change]]:
    alike = likeness([side for pair in pairs for side in pair])
    plain, honoured = [], []
    for nth, (first, second) in enumerate(pairs):
        change = measure_change(first, second, f"{key}.{nth}")
        if change is None:
            raise ValueError("a simulated run is not above zero")
        pair = Pair(_sample(first, 0), _sample(second, len(first)), ("A", "B"))
        plain.append(change)
        honoured.append(honour_order(change, pair, alike)[0])
    return plain, honoured


def _sample(values: Values, start: int) -> Sample:
    starts = tuple(float(start + n) for n in range(len(values)))
    return Sample(values, (), (), ("measured",), (), started=starts)


def _has_verdict(changes: list[Change]) -> bool:
    tested = [change for change in changes if change.p_value is not None]
    p_values = holm([c.p_value for c in tested if c.p_value is not None])
    verdicts = (
        judge(change, p, "lower", 0.0, 0.0)
        for change, p in zip(tested, p_values, strict=True)
    )
    return any(verdict in ("improved", "regressed") for verdict in verdicts)


def _told(seen: Seen, tables: int) -> str:
    covers = f"{seen.covering / seen.intervals:.1%}" if seen.intervals else "none"
    return f"{covers:>8}   {seen.false / tables:12.1%}   {seen.plain / tables:12.1%}"


def _alike(correlation: float) -> Draw:
    def draw(rng: np.random.Generator, runs: int) -> tuple[Values, Values]:
        states = np.fromiter(_states(rng, correlation, 2 * runs), float)
        first, second = np.split(100 + 3 * states, 2)
        return first, second

    return draw


def _states(
    rng: np.random.Generator, correlation: float, count: int
) -> Iterator[float]:
    state = rng.normal()
    for _ in range(count):
        state = correlation * state + math.sqrt(1 - correlation**2) * rng.normal()
        yield state


def _both(one: Callable[[np.random.Generator, int], Values]) -> Draw:
    return lambda rng, runs: (one(rng, runs), one(rng, runs))


def _outliers(rng: np.random.Generator, runs: int) -> Values:
    return rng.normal(100, 3, runs) + 50 * (rng.random(runs) < 0.1)


SHAPES: dict[str, Draw] = {
    "normal": _both(lambda rng, runs: rng.normal(100, 3, runs)),
    "lognormal": _both(lambda rng, runs: 100 * rng.lognormal(0, 0.3, runs)),
    "Student's t, 3 degrees": _both(
        lambda rng, runs: np.maximum(100 + 3 * rng.standard_t(3, runs), 1)
    ),
    "one outlier in ten": _both(_outliers),
    "unequal spread, 1 to 4": lambda rng, runs: (
        rng.normal(100, 2, runs),
        rng.normal(100, 8, runs),
    ),
    "alike runs, 0.5": _alike(0.5),
    "alike runs, 0.8": _alike(0.8),
}


if __name__ == "__main__":
    sys.exit(main())
