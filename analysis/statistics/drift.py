"""Whether runs drift with time, and what a drift leaves of a comparison in blocks.

Runs that rise or fall from the first to the last cannot be told from a change where
one configuration was measured after the other. Within a configuration they can: there
nothing was changed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.facts.remark import Remark
from analysis.statistics.log_ratio import LogRatio
from analysis.statistics.ranks import doubled_ranks
from analysis.statistics.statistic import SampleRuns, Statistic, Values

SURE = 2.4  # standard errors that one shuffled sample in a hundred reaches


@dataclass(frozen=True)
class Drift:
    """A trend over the time of a sample: in percent of its median, and in standard
    errors of what shuffled runs show."""

    percent: float
    deviations: float

    @property
    def sure(self) -> bool:
        """Whether shuffled runs would hardly ever show as much."""
        return abs(self.deviations) >= SURE


def drift(started: Sequence[float], values: Values) -> Drift | None:
    """The trend of runs over their starts, in seconds; None where it cannot be told.

    Its size is the median of all slopes (H. Theil 1950, P. K. Sen 1968), its weight the
    rank correlation, whose variance over shuffled runs is 1 / (n − 1).
    """
    if not STATISTIC.enough(values) or len(set(started)) < len(values):
        return None
    times, middle = np.asarray(started), float(np.median(values))
    ranks = doubled_ranks(values)
    if middle == 0 or np.ptp(ranks) == 0:
        return None
    correlation = np.corrcoef(ranks, doubled_ranks(times))[0, 1]
    first, second = np.triu_indices(len(values), 1)
    slopes = (values[second] - values[first]) / (times[second] - times[first])
    percent = float(np.median(slopes)) * float(np.ptp(times)) / middle * 100
    return Drift(percent, float(correlation) * math.sqrt(len(values) - 1))


def without_drift(
    baseline: Values, test: Values, places: tuple[Values, Values]
) -> LogRatio | None:
    """The ratio of ``test`` to ``baseline`` beside a straight drift of both.

    Least squares on logarithms, by side and by the ``places`` of the runs in the order
    of all. Places and not times, as a machine that rests overnight does not go on
    drifting. None where values are not above zero, and have no ratio.
    """
    if min(baseline.min(), test.min()) <= 0:
        return None
    side = np.repeat([0.0, 1.0], [len(baseline), len(test)])
    place = np.concatenate(places)
    factors = np.column_stack([np.ones_like(side), side, place - place.mean()])
    logs = np.log(np.concatenate([baseline, test]))
    fitted, *_ = np.linalg.lstsq(factors, logs, rcond=None)
    degrees = len(logs) - 3
    left = float(np.square(logs - factors @ fitted).sum()) / degrees
    error = math.sqrt(left * float(np.linalg.inv(factors.T @ factors)[1, 1]))
    return LogRatio(float(fitted[1]), error, degrees)


def _warn(sample: SampleRuns) -> Remark | None:
    trend = drift(sample.started, sample.values)
    if trend is None or not trend.sure:
        return None
    return Remark("drift", values={"percent": trend.percent})


STATISTIC = Statistic(
    id="drift",
    smallest=7,  # of six runs none that rise in a row are rare enough
    measure=drift,
    warn=_warn,
    words={
        "value": "the runs rise or fall with time, as one shuffled sample in a hundred "
        "does"
    },
)
