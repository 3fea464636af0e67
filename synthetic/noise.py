"""Run-to-run noise that looks real and moves neither mean nor median of an arm.

The logs of an arm's noise are pairs of equal size and opposite sign around one zero.
So mean and median are exact, and the scatter is that of the declared CV.
"""

from __future__ import annotations

import math
import random
from statistics import NormalDist

SEED = 20260305
REPETITIONS = 5
SESSION = 0.005  # of all runs of a study, log deviation
RATE_CV = {"RR": 0.008, "CRR": 0.015, "STR": 0.015}
CPU_CV = {"RR": 0.007, "CRR": 0.010, "STR": 0.010}


def source(*key: object) -> random.Random:
    """Random numbers that depend on the seed and the key alone."""
    return random.Random("/".join(map(str, (SEED, *key))))  # noqa: S311 - no secret


def balanced(cv: float, *key: object) -> list[float]:
    """A factor for each repetition; their logs have mean and median zero and the
    sample deviation ``cv``."""
    draw = source(*key)
    sizes = [abs(_normal(draw)) for _ in range(REPETITIONS // 2)]
    scale = cv * math.sqrt((REPETITIONS - 1) / 2 / sum(x * x for x in sizes))
    logs = [0.0, *(sign * x * scale for x in sizes for sign in (-1, 1))]
    draw.shuffle(logs)
    return [math.exp(x) for x in logs]


def session(*key: object) -> float:
    """The factor that all runs of a study share."""
    return math.exp(SESSION * _normal(source(*key)))


def _normal(draw: random.Random) -> float:
    return NormalDist().inv_cdf(max(draw.random(), 1e-9))
