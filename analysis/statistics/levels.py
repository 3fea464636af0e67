"""Change points: whether a value that is measured again and again stays at one level.

A series has one sample of runs for each campaign, and few campaigns. Its points are the
medians of logarithms, so that a change is a ratio. The spread s of runs is taken from
all samples together: the median of n runs has the standard error 1.2533 s / √n.
Campaigns may differ by more than their runs show (another day, another boot): errors
grow by the median of neighbouring differences over what they should be, where there
are three such differences or more. One shift is one of these, and hardly moves it.

The levels are those that make Σ ((x − level) / error)² + penalty × changes least,
found exactly by dynamic programming: B. Jackson et al., IEEE Signal Processing Letters
12 (2005), 105; R. Killick, P. Fearnhead and I. A. Eckley, JASA 107 (2012), 1590, prune
the same search, which tens of campaigns do not need. The penalty is the square of the
t that a level without changes exceeds in at most 5% of series, by Bonferroni over the
places where it may change, with the degrees of freedom of s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.statistics.ranks import SIGNIFICANT, rank_test
from analysis.statistics.statistic import CONFIDENCE, Values

LEAST_INTERVALS = 3  # of a run, on either side of a change inside it
MOST_WARM_UP = 3  # the part of a run that it may be; what changes later is none
_FIFTH = 0.2  # of a level: less is no other one
SMALLEST = 3  # campaigns: of two nobody knows how campaigns differ
_MEDIAN = 1.2533  # the standard error of a median over that of a mean, √(π / 2)
_MAD = 0.6745  # the median of absolute normal deviates
_LEAST = 1e-4  # relative; what tools round away is no knowledge


@dataclass(frozen=True)
class Level:
    """Points ``first`` to before ``end`` of a series, which have one level."""

    first: int
    end: int
    value: float


@dataclass(frozen=True)
class LevelChange:
    """A change of level at point ``at``, in percent with an interval of 95%."""

    at: int
    percent: float
    low: float
    high: float


@dataclass(frozen=True)
class Levels:
    """The levels of a series in order, and the changes between them."""

    levels: tuple[Level, ...]
    changes: tuple[LevelChange, ...]


def level_within(values: Values) -> tuple[int, float] | None:
    """Where the level of a run changes inside it, for good, and to how many times of
    what it was; None where it does not.

    ``values`` are those of intervals in order. Both sides have three or more, their
    medians differ by a fifth or more of the larger one, and the exact rank test takes
    them apart at 5%, by Bonferroni over the places where the level may change.
    """
    n = len(values)
    places = range(LEAST_INTERVALS, n - LEAST_INTERVALS + 1)
    best: tuple[float, int, float] | None = None
    for at in places:
        before, after = values[:at], values[at:]
        first, last = float(np.median(before)), float(np.median(after))
        if max(first, last) <= 0 or abs(first - last) < _FIFTH * max(first, last):
            continue
        lower, upper = (before, after) if first < last else (after, before)
        chance = 2 * rank_test(lower, upper) * len(places)
        if chance <= SIGNIFICANT and first > 0 and (best is None or chance < best[0]):
            best = (chance, at, last / first)
    return best and best[1:]


def warm_up_within(values: Values) -> int:
    """How many intervals a run takes to warm up, 0 where it does not show.

    MSER, of the first third of the ``values`` of intervals in order: without so many,
    Σ (x − mean)² / n² of the others is least (K. P. White, Simulation 69 (1997), 323).
    That picks some place in noise, too: the intervals before it must all be lower than
    the median of the others, or all higher, by a fifth of the larger one.
    """
    n = len(values)
    if n < 2 * LEAST_INTERVALS:
        return 0
    places = range(n // MOST_WARM_UP + 1)
    at = int(np.argmin([float(np.var(values[at:])) / (n - at) for at in places]))
    before, level = values[:at], float(np.median(values[at:]))
    lower = bool(np.all(before <= (1 - _FIFTH) * level))
    higher = bool(np.all(before * (1 - _FIFTH) >= level))
    return at if level > 0 and (lower or higher) else 0


def levels(samples: Sequence[Values]) -> Levels | None:
    """The levels of a series of samples, in the order of time.

    None for fewer than three samples, values that are not above zero, or where no
    sample has two runs.
    """
    if len(samples) < SMALLEST or any(len(s) == 0 or s.min() <= 0 for s in samples):
        return None
    logs = [np.log(sample) for sample in samples]
    degrees = sum(len(z) - 1 for z in logs)
    if not degrees:
        return None
    from scipy.special import stdtrit

    points = np.array([np.median(z) for z in logs])
    errors = _errors(points, logs, degrees)
    tail = (1 - CONFIDENCE) / 2
    penalty = float(stdtrit(degrees, tail / (len(points) - 1))) ** 2
    ends = _ends(points, 1 / errors**2, penalty)
    level_list = _levels(points, 1 / errors**2, ends)
    changes = _changes(level_list, 1 / errors**2, float(-stdtrit(degrees, tail)))
    return Levels(
        tuple(Level(a, b, math.exp(value)) for a, b, value in level_list), changes
    )


def _errors(points: Values, logs: Sequence[Values], degrees: int) -> Values:
    """The standard error of each point, widened by what campaigns differ besides."""
    spread = sum(float(np.square(z - z.mean()).sum()) for z in logs) / degrees
    runs = np.array([len(z) for z in logs])
    errors: Values = _MEDIAN * max(math.sqrt(spread), _LEAST) / np.sqrt(runs)
    apart = np.abs(np.diff(points)) / np.hypot(errors[1:], errors[:-1])
    wider = float(np.median(apart)) / _MAD if len(apart) >= SMALLEST else 1.0
    return errors * max(wider, 1.0)


def _ends(points: Values, weights: Values, penalty: float) -> list[int]:
    """Where the levels of least cost end: places after their last points."""
    w, wx, wxx = (
        np.concatenate([[0.0], np.cumsum(weights * points**k)]) for k in (0, 1, 2)
    )
    n = len(points)
    best, before = np.zeros(n + 1), np.zeros(n + 1, dtype=int)
    best[0] = -penalty
    for end in range(1, n + 1):
        first = np.arange(end)
        mass = w[end] - w[first]
        cost = wxx[end] - wxx[first] - (wx[end] - wx[first]) ** 2 / mass
        total = best[:end] + cost + penalty
        before[end] = int(np.argmin(total))
        best[end] = total[before[end]]
    ends = [n]
    while before[ends[-1]]:
        ends.append(int(before[ends[-1]]))
    return ends[::-1]


def _levels(
    points: Values, weights: Values, ends: Sequence[int]
) -> list[tuple[int, int, float]]:
    firsts = [0, *ends[:-1]]
    return [
        (a, b, float(np.average(points[a:b], weights=weights[a:b])))
        for a, b in zip(firsts, ends, strict=True)
    ]


def _changes(
    spans: Sequence[tuple[int, int, float]], weights: Values, reach: float
) -> tuple[LevelChange, ...]:
    changes = []
    for (a, b, before), (_, c, after) in pairwise(spans):
        error = math.sqrt(1 / weights[a:b].sum() + 1 / weights[b:c].sum())
        ends = (after - before + side * reach * error for side in (0, -1, 1))
        changes.append(LevelChange(b, *(math.expm1(end) * 100 for end in ends)))
    return tuple(changes)
