"""Run-to-run scatter as campaigns have it, around a median that is exact.

Runs scatter log-normally, drift with the time of the day where that is declared, and
now and then something else disturbs one. Then all runs of an arm are moved together, so
that their median is the level which the targets ask for.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import NormalDist, median

SEED = 20260305
_DISTURBED = (0.05, 0.12)  # by how much a disturbed run is slower


def source(*key: object) -> random.Random:
    """Random numbers that depend on the seed and the key alone."""
    return random.Random("/".join(map(str, (SEED, *key))))  # noqa: S311 - no secret


def normal(draw: random.Random) -> float:
    """A standard normal number."""
    return NormalDist().inv_cdf(max(draw.random(), 1e-9))


def scatter(
    cv: float, drift: Sequence[float], disturbed: float, *key: object
) -> list[float]:
    """A factor for each run, in the order of the runs; ``drift`` are their logs.

    ``disturbed`` is the share of runs that something else slows down.
    """
    draw = source(*key)
    factors = []
    for moved in drift:
        log = moved + cv * normal(draw)
        if draw.random() < disturbed:
            log -= draw.uniform(*_DISTURBED)
        factors.append(math.exp(log))
    middle = median(factors)
    return [factor / middle for factor in factors]


def session(deviation: float, *key: object) -> float:
    """The factor that all runs of a study share."""
    return math.exp(deviation * normal(source(*key)))
