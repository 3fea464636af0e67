"""Runs that lie far from the median of their sample."""

from __future__ import annotations

import numpy as np

from analysis.facts.remark import Remark
from analysis.facts.sentences import number_word
from analysis.statistics.modes import split_modes
from analysis.statistics.statistic import SampleRuns, Statistic, Values

OUTLIER = 5  # distances from the median, in scaled median absolute deviations
_TO_SIGMA = 1.4826  # a normal distribution's standard deviation over its MAD


def outliers(values: Values) -> list[tuple[int, float]]:
    """Index and distance, in scaled MADs, of every value beyond five of them."""
    centre = np.median(values)
    mad = _TO_SIGMA * np.median(np.abs(values - centre))
    if mad == 0 or not STATISTIC.enough(values):
        return []
    distance = np.abs(values - centre) / mad
    return [(int(i), float(distance[i])) for i in np.flatnonzero(distance > OUTLIER)]


def _warn(sample: SampleRuns) -> Remark | None:
    far = outliers(sample.values)
    if not far or split_modes(sample.values):
        return None
    rest = float(np.median(np.delete(sample.values, [i for i, _ in far])))
    seen = {
        "named": tuple(sample.runs[i] for i, _ in far),
        "distances": tuple(distance for _, distance in far),
        "median_without": rest,
    }
    return Remark("outlier", values=seen)


STATISTIC = Statistic(
    id="outliers",
    smallest=6,
    measure=outliers,
    warn=_warn,
    words={
        "value": f"a run lies more than {number_word(OUTLIER)} scaled median absolute "
        "deviations from the median"
    },
)
