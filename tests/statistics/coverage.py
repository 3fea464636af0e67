"""What intervals cover, how often equal things are told apart, and what is seen.

``python -m tests.statistics.coverage [--tables 20] [--runs 5 10] [--shape normal]``.
Two equal configurations are measured over and over, 60 comparisons a table, and judged
as families of 1, 20 and 60 by Holm. Printed are the share of intervals that hold the
true change, which is none; the share of families with at least one change called
improved or regressed; the share of changes of 10% that are called one, each among as
many others that are none; and where 5% are declared to matter, the share of equal
things that are called comparable, and of changes of 5%, which none of them is. Beside
it are two rules without a family: benchstat's, which is the rank test alone, and an
interval of 95% by Welch's test of the values. No limit is set for changes, so that
statistics alone decide. Runs are shuffled or, where the shape says so, those of one
configuration come before those of the other.

Below stand runs in sessions, each of which moves its runs as far as these scatter: of
both sides the same ones or others, and told by the campaign or not. Printed are the
share of intervals that hold none, and that of families of five with a false change.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import mannwhitneyu, ttest_ind

from analysis.derive.family import judge
from analysis.derive.samples import Sample
from analysis.derive.study import Pair, change_in_order
from analysis.statistics.median_change import Change
from analysis.statistics.neighbours import Likeness, likeness
from analysis.statistics.ranks import SIGNIFICANT
from analysis.statistics.statistic import Values

FAMILIES = (1, 20, 60)
RUNS = (5, 6, 8, 10, 15, 20)
_MORE = 1.1  # the change that is to be seen
_LIMIT = 5.0
_BLOCKS = "in blocks"
Sides = tuple[Values, Values]
Draw = Callable[[np.random.Generator, int], Sides]
_FIVE = 5  # comparisons of runs in sessions


class Sessions(NamedTuple):
    """How many sessions a side has, of how many runs, whether both sides had the same
    ones, and whether the campaign tells them."""

    count: int
    runs: int
    same: bool = False
    told: bool = True

    def __str__(self) -> str:
        of = f"{self.count} of {self.runs} runs, {'the same' * self.same or 'others'}"
        return of if self.told else f"{of}, not told"


SESSIONS = (
    *(Sessions(1, 10, same, told=False) for same in (False, True)),
    Sessions(5, 4, told=False),
    *(Sessions(count, 4, same) for count in (2, 3, 5, 8) for same in (False, True)),
)


def main() -> int:
    """Print a line for each shape and number of runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--runs", type=int, nargs="+", default=RUNS)
    parser.add_argument("--shape", nargs="+", choices=SHAPES, default=list(SHAPES))
    args = parser.parse_args()
    families = " ".join(f"{size:>5}" for size in FAMILIES)
    heads = "false among", "10% seen among", "comparable", "benchstat", "plain"
    groups = "{:<22}{:<22}{:<16}{:<22}{}".format(*heads)
    print(f"{'':48}{groups}")
    print(f"{'shape':35} runs covers {families}    ", end="")
    print(f"{families}      at 0 at 5%     {families}     {families}")
    for name in args.shape:
        for runs in args.runs:
            shares = simulate(SHAPES[name], runs, args.tables, _BLOCKS in name)
            groups = (1, 3, 3, 2, 3, 3)
            cells = iter(shares)
            told = ["".join(f"{next(cells):6.1%}" for _ in range(n)) for n in groups]
            print(f"{name:35} {runs:4} {'    '.join(told)}", flush=True)
    print(f"\n{'sessions of a side':35}      covers  false")
    for sessions in SESSIONS:
        covers, false = simulate_sessions(sessions, 12 * args.tables)
        print(f"{sessions!s:35}      {covers:6.1%} {false:6.1%}", flush=True)
    return 0


def simulate_sessions(sessions: Sessions, tables: int) -> tuple[float, float]:
    """The share of intervals that hold none, and of tables with a false change."""
    rng = np.random.default_rng(sessions.count)
    ids = [f"s{n}" for n in range(sessions.count)]
    names = (ids, ids) if sessions.same else (ids, [f"t{n}" for n in ids])
    recorded = [np.repeat(side, sessions.runs * sessions.told) for side in names]
    made, wrong = list[Change](), list[bool]()
    for _ in range(tables):
        family = list[Change]()
        for _ in range(_FIVE):
            luck = rng.normal(0, 3, (2, sessions.count, 1))
            luck[1] = luck[0] if sessions.same else luck[1]
            runs = 100 + luck + rng.normal(0, 3, (2, sessions.count, sessions.runs))
            before, after = (
                Sample(values.ravel(), (), (), ("measured",), (), sessions=tuple(side))
                for values, side in zip(runs, recorded, strict=True)
            )
            change, _ = change_in_order(Pair(before, after, ("A", "B")), Likeness())
            family += [change] if change else []
        wrong.append(any(_is_change(change, _FIVE) for change in family))
        made += family
    covers = np.mean([c.low <= 0 <= c.high for c in made])  # type: ignore[operator]
    return float(covers), float(np.mean(wrong))


def simulate(draw: Draw, runs: int, tables: int, blocks: bool) -> list[float]:
    """The shares of a line, from so many tables; always the same."""
    rng = np.random.default_rng(runs)
    most = FAMILIES[-1]
    drawn = [[draw(rng, runs) for _ in range(most)] for _ in range(tables)]
    count = sum(map(len, drawn[0][0]))
    orders = [np.arange(count) if blocks else rng.permutation(count) for _ in drawn]
    false, seen = list[float](), list[float]()
    equal = list[Change]()
    for size in FAMILIES:
        wrong, right = list[bool](), list[bool]()
        for pairs, order in zip(drawn, orders, strict=True):
            for first in range(0, most, size):
                family = pairs[first : first + size]
                changes = _changes(family, order.astype(float))
                wrong.append(any(_is_change(change, size) for change in changes))
                more = [(a, b * _MORE) for a, b in family[:1]] + family[1:]
                right.append(_is_change(_changes(more, order.astype(float))[0], size))
                equal += changes if size == most else []
        false.append(np.mean(wrong))
        seen.append(np.mean(right))
    pairs = [pair for table in drawn for pair in table]
    others = [
        [1 - (1 - share) ** size for size in FAMILIES]
        for share in (_share(_ranks, pairs), _share(_plain, pairs))
    ]
    covers = np.mean([c.low <= 0 <= c.high for c in equal])  # type: ignore[operator]
    comparable = [
        np.mean([_comparable(c, move) for c in equal]) for move in (0, _LIMIT)
    ]
    return [covers, *false, *seen, *comparable, *others[0], *others[1]]


def _changes(pairs: Sequence[Sides], starts: Values) -> list[Change]:
    made = [
        Pair(_sample(a, starts[: len(a)]), _sample(b, starts[len(a) :]), ("A", "B"))
        for a, b in pairs
    ]
    alike = likeness([side.in_order for pair in made for side in pair[:2]])
    changes = [change_in_order(pair, alike)[0] for pair in made]
    return [change for change in changes if change is not None]


def _sample(values: Values, starts: Values) -> Sample:
    return Sample(values, (), (), ("measured",), (), started=tuple(starts.tolist()))


def _is_change(change: Change, family: int) -> bool:
    """Whether it is called one beside others that are none, of which it is the
    clearest."""
    adjusted = min(1.0, (change.p_value or 0.0) * family)
    return judge(change, adjusted, "lower", 0.0, 0.0) in ("improved", "regressed")


def _comparable(change: Change, move: float) -> bool:
    """Whether it is called comparable where the test is more by that, in percent."""
    ends = (change.low_90 or 0.0, change.high_90 or 0.0)
    low, high = (((1 + end / 100) * (1 + move / 100) - 1) * 100 for end in ends)
    return -_LIMIT <= low <= high <= _LIMIT


def _share(rule: Callable[[Values, Values], float], pairs: Sequence[Sides]) -> float:
    return float(np.mean([rule(*pair) <= SIGNIFICANT for pair in pairs]))


def _ranks(baseline: Values, test: Values) -> float:
    return float(mannwhitneyu(baseline, test).pvalue)


def _plain(baseline: Values, test: Values) -> float:
    return float(ttest_ind(baseline, test, equal_var=False).pvalue)


def _alike(correlation: float) -> Draw:
    def draw(rng: np.random.Generator, runs: int) -> tuple[Values, Values]:
        states = np.fromiter(_states(rng, correlation, 2 * runs), float)
        first, second = np.split(100 + 5 * states, 2)
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
        first, second = np.split(100 + 5 * (rng.normal(size=2 * runs) + drift), 2)
        return first, second

    return draw


def _both(one: Callable[[np.random.Generator, int], Values]) -> Draw:
    return lambda rng, runs: (one(rng, runs), one(rng, runs))


def _outliers(rng: np.random.Generator, runs: int) -> Values:
    return rng.normal(100, 5, runs) + 50 * (rng.random(runs) < 0.1)


def _normal(rng: np.random.Generator, runs: int) -> Values:
    return rng.normal(100, 5, runs)


def _modes(rng: np.random.Generator, runs: int) -> Values:
    return rng.normal(100, 2, runs) + 20 * (rng.random(runs) < 0.4)


SHAPES: dict[str, Draw] = {
    "normal": _both(_normal),
    "lognormal": _both(lambda rng, runs: 100 * rng.lognormal(0, 0.1, runs)),
    "Student's t, 3 degrees": _both(
        lambda rng, runs: np.maximum(100 + 5 * rng.standard_t(3, runs), 1)
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
