"""How often the intervals of the parts of a cost hold the truth, in simulation.

``python -m tests.statistics.parts`` prints the table of docs/decisions/0009. The runs
of a cell scatter on logarithms: instructions by 1%, cycles per instruction and
frequency by 3%, these two together where a machine that waits for memory also clocks
lower. Their product is the cost. Parts and intervals are those that a waterfall draws.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence

import numpy as np

from analysis.statistics.median_change import measure_change
from analysis.statistics.product import Factor, log_parts

NAMES = ("cost", "instructions", "cycles per instruction", "frequency, inverted")
TRUTH = (0.18, -0.06, -0.10)  # changes of the logarithms of the factors
SCATTER = (0.01, 0.03, 0.03)


def simulate(
    runs: int, together: float, tables: int, seed: int = 1, few: int = 0
) -> tuple[dict[str, float], float]:
    """The share of tables in which the interval of each part holds the truth, and how
    far the parts are from the whole at most; ``few`` runs at the baseline."""
    rng = np.random.default_rng(seed)
    held, apart = np.zeros(4), 0.0
    truth = (TRUTH[0] + TRUTH[1] - TRUTH[2], TRUTH[0], TRUTH[1], -TRUTH[2])
    for _ in range(tables):
        sides = [
            _factors(rng, n, together, at) for n, at in ((few or runs, 0), (runs, 1))
        ]
        factors = [
            Factor(_by_run(before), _by_run(after), nth == 3)
            for nth, (before, after) in enumerate(zip(*sides, strict=True))
        ]
        parts = log_parts(factors) or []
        apart = max(apart, abs(parts[0] - sum(parts[1:])))
        for nth, (factor, part) in enumerate(zip(factors, parts, strict=True)):
            low, high = _interval(factor, part)
            held[nth] += low <= truth[nth] <= high
    return dict(zip(NAMES, held / tables, strict=True)), apart


def _factors(
    rng: np.random.Generator, runs: int, together: float, at: int
) -> Sequence[np.ndarray]:
    """Cost, instructions, cycles per instruction and frequency of the runs."""
    noise = rng.normal(size=(3, runs))
    noise[2] = together * noise[1] + math.sqrt(1 - together**2) * noise[2]
    logs = [at * TRUTH[i] + SCATTER[i] * noise[i] for i in range(3)]
    each = [np.exp(log) for log in logs]
    return (each[0] * each[1] / each[2], *each)


def _by_run(values: np.ndarray) -> dict[str, float]:
    return {str(nth): float(value) for nth, value in enumerate(values)}


def _interval(factor: Factor, part: float) -> tuple[float, float]:
    """The interval of the report on logarithms, about the step of the waterfall."""
    sides = [np.array([*side.values()]) for side in factor[:2]]
    change = measure_change(*sides)
    assert change and change.interval
    ends = sorted(
        math.log1p(end / 100) * (-1 if factor.divides else 1) for end in change.interval
    )
    return min(ends[0], part), max(ends[1], part)


def rows(tables: int) -> Iterator[str]:
    """The table, line by line."""
    yield f"| runs | {' | '.join(NAMES)} | parts less the whole, at most |"
    yield "|---|--:|--:|--:|--:|--:|"
    cases = [
        ("6 a side", 6, 0.0, 0), ("10 a side", 10, 0.0, 0), ("20 a side", 20, 0.0, 0),
        ("10 a side, cycles and clock alike by 0.8", 10, 0.8, 0),
        ("10 against 40", 40, 0.0, 10),
    ]  # fmt: skip
    for name, runs, together, few in cases:
        shares, apart = simulate(runs, together, tables, few=few)
        cells = " | ".join(f"{share:.1%}" for share in shares.values())
        yield f"| {name} | {cells} | {apart:.0e} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    for line in rows(parser.parse_args().tables):
        print(line, flush=True)
