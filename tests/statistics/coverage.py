"""What intervals cover and how often equal things are told apart, by simulation.

``python -m tests.statistics.coverage [--tables 200]``. Two equal configurations are
measured over and over; a table has five comparisons, with p-values adjusted by Holm.
Printed are the share of intervals that hold the true change, which is none, and the
share of tables with at least one change called improved or regressed: by the program,
and by interval and rank test alone, without a look at the order of the runs. No limit
is set there, so that statistics alone decide. The last column is of changes of 3%,
where 3% are declared to matter: the share that is called comparable, which none of them
is. Runs are shuffled or, where the shape says so, those of one configuration come
before those of the other.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from analysis.derive.family import adjust, judge
from analysis.derive.samples import Sample
from analysis.derive.study import Pair, honour_order
from analysis.statistics.median_change import Change, measure_change
from analysis.statistics.neighbours import likeness
from analysis.statistics.statistic import Values

COMPARISONS = 5
_LIMIT = 3.0
_BLOCKS = "in blocks"
RUNS = (3, 4, 5, 6, 8, 10, 15, 20)
Draw = Callable[[np.random.Generator, int], tuple[Values, Values]]


@dataclass
class Seen:
    """Of one shape and number of runs: intervals that hold zero, and false tables."""

    intervals: int = 0
    covering: int = 0
    false: int = 0
    plain: int = 0
    equal: int = 0


def main() -> int:
    """Print a line for each shape and number of runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    tables = parser.parse_args().tables
    head = "coverage   false tables   without a look at the order   told equal"
    print(f"{'shape':35} {'n':>3}   {head}   ({tables} tables)")
    for name, draw in SHAPES.items():
        for runs in RUNS:
            seen = simulate(draw, runs, tables, _BLOCKS in name)
            print(f"{name:35} {runs:3}   {_told(seen, tables)}")
    return 0


def simulate(draw: Draw, runs: int, tables: int, blocks: bool) -> Seen:
    """What so many tables of equal configurations show; always the same."""
    seen, rng = Seen(), np.random.default_rng(runs)
    for table in range(tables):
        pairs = [draw(rng, runs) for _ in range(COMPARISONS)]
        count = sum(map(len, pairs[0]))
        starts = np.arange(count) if blocks else rng.permutation(count)
        plain, honoured = _changes(pairs, starts.astype(float), f"{table}")
        for low, high in filter(None, (change.interval for change in honoured)):
            seen.intervals += 1
            seen.covering += low <= 0 <= high
            seen.equal += _moved(high) <= _LIMIT and _moved(low) >= -_LIMIT
        seen.false += _has_verdict(honoured)
        seen.plain += _has_verdict(plain)
    return seen


def _changes(
    pairs: list[tuple[Values, Values]], starts: Values, key: str
) -> tuple[list[Change], list[Change]]:
    made = [
        Pair(_sample(a, starts[: len(a)]), _sample(b, starts[len(a) :]), ("A", "B"))
        for a, b in pairs
    ]
    alike = likeness([side.in_order for pair in made for side in pair[:2]])
    plain, honoured = [], []
    for nth, pair in enumerate(made):
        sides = pair.baseline.values, pair.test.values
        change = measure_change(*sides, f"{key}.{nth}")
        if change is None:
            raise ValueError("a simulated run is not above zero")
        plain.append(change)
        honoured.append(honour_order(change, pair, alike)[0])
    return plain, honoured


def _sample(values: Values, starts: Values) -> Sample:
    return Sample(values, (), (), ("measured",), (), started=tuple(starts.tolist()))


def _has_verdict(changes: list[Change]) -> bool:
    tested = [change for change in changes if change.p_value is not None]
    p_values = adjust([c.p_value for c in tested if c.p_value is not None], "holm")
    verdicts = (
        judge(change, p, "lower", 0.0, 0.0)
        for change, p in zip(tested, p_values, strict=True)
    )
    return any(verdict in ("improved", "regressed") for verdict in verdicts)


def _moved(end: float) -> float:
    """The end of the interval where the test is more by the limit, in percent."""
    return ((1 + end / 100) * (1 + _LIMIT / 100) - 1) * 100


def _told(seen: Seen, tables: int) -> str:
    covers, equal = "none", "none"
    if seen.intervals:
        covers = f"{seen.covering / seen.intervals:.1%}"
        equal = f"{seen.equal / seen.intervals:.1%}"
    shares = f"{seen.false / tables:12.1%}   {seen.plain / tables:27.1%}"
    return f"{covers:>8}   {shares}   {equal:>10}"


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


def _drifting(deviations: float) -> Draw:
    def draw(rng: np.random.Generator, runs: int) -> tuple[Values, Values]:
        drift = deviations * np.linspace(0, 1, 2 * runs)
        first, second = np.split(100 + 3 * (rng.normal(size=2 * runs) + drift), 2)
        return first, second

    return draw


def _both(one: Callable[[np.random.Generator, int], Values]) -> Draw:
    return lambda rng, runs: (one(rng, runs), one(rng, runs))


def _outliers(rng: np.random.Generator, runs: int) -> Values:
    return rng.normal(100, 3, runs) + 50 * (rng.random(runs) < 0.1)


def _normal(rng: np.random.Generator, runs: int) -> Values:
    return rng.normal(100, 3, runs)


def _modes(rng: np.random.Generator, runs: int) -> Values:
    return rng.normal(100, 2, runs) + 20 * (rng.random(runs) < 0.4)


SHAPES: dict[str, Draw] = {
    "normal": _both(_normal),
    "lognormal": _both(lambda rng, runs: 100 * rng.lognormal(0, 0.3, runs)),
    "Student's t, 3 degrees": _both(
        lambda rng, runs: np.maximum(100 + 3 * rng.standard_t(3, runs), 1)
    ),
    "one outlier in ten": _both(_outliers),
    "unequal spread, 1 to 4": lambda rng, runs: (
        rng.normal(100, 2, runs),
        rng.normal(100, 8, runs),
    ),
    "two modes": _both(_modes),
    "n against 4 n runs, 4 to 1": lambda rng, runs: (
        rng.normal(100, 8, runs),
        rng.normal(100, 2, 4 * runs),
    ),
    f"normal, {_BLOCKS}": _both(_normal),
    f"alike runs, 0.5, {_BLOCKS}": _alike(0.5),
    f"alike runs, 0.8, {_BLOCKS}": _alike(0.8),
    f"a drift of 2 deviations, {_BLOCKS}": _drifting(2),
    f"a drift of 4 deviations, {_BLOCKS}": _drifting(4),
}


if __name__ == "__main__":
    sys.exit(main())
