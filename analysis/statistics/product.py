"""The change of a product, and what each of its factors has of it.

On logarithms the change of a product is the sum of those of its factors. That is exact
for means over the same runs, and not for medians, nor for means that leave outliers
out: so these are means of all runs, whose ratio is that of geometric means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Runs = dict[str, float]  # values by run


class Factor(NamedTuple):
    """A factor's values of both sides by run; one that ``divides`` counts inverted."""

    baseline: Runs
    test: Runs
    divides: bool = False


def log_parts(factors: Sequence[Factor]) -> list[float] | None:
    """The change of the logarithm that each factor brings, over the runs that have all
    of them; None where a side has none, or a value that is not above zero."""
    before = _mean_logs([factor.baseline for factor in factors])
    after = _mean_logs([factor.test for factor in factors])
    if before is None or after is None:
        return None
    return [
        (then - now) * (1 if factor.divides else -1)
        for now, then, factor in zip(after, before, factors, strict=True)
    ]


def _mean_logs(factors: Sequence[Runs]) -> list[float] | None:
    """Of each factor the mean of the logarithms over the runs that all have."""
    shared = sorted(set.intersection(*({*runs} for runs in factors)))
    values = np.array([[runs[run] for run in shared] for runs in factors])
    if not shared or values.min() <= 0:
        return None
    return [float(each) for each in np.log(values).mean(axis=1)]
