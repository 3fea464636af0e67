"""What a sample says about its own quality, and how large a change must be to count."""

from __future__ import annotations

import numpy as np

from analysis.facts.remark import Remark
from analysis.statistics import median
from analysis.statistics.drift import drift
from analysis.statistics.modes import split_modes
from analysis.statistics.outliers import outliers
from analysis.statistics.statistic import Values
from analysis.statistics.variation import NOISY, variation


def sample_warnings(
    values: Values,
    runs: tuple[str, ...],
    started: tuple[float, ...] = (),
    resolution: float | None = None,
) -> tuple[Remark, ...]:
    """What a reader must know of a sample: few runs, all equal although no resolution
    tells why, two modes, spread, outliers and, by the starts in seconds, a drift."""
    found = [
        _few(values),
        None if resolution else _equal(values),
        _modes(values),
        _spread(values),
        _outliers(values, runs),
        _drift(started, values),
    ]
    return tuple(remark for remark in found if remark)


def change_threshold(floor: float, control: tuple[float, float] | None) -> float:
    """The least change, in percent, that can count as one.

    ``floor`` is declared; ``control`` is the interval of the change between two equal
    configurations, which shows what this site's noise alone can do.
    """
    return floor if control is None else max(floor, abs(control[0]), abs(control[1]))


def _few(values: Values) -> Remark | None:
    if median.STATISTIC.enough(values):
        return None
    least = median.STATISTIC.smallest
    return Remark("few", values={"n": len(values), "least": least})


def _equal(values: Values) -> Remark | None:
    alike = median.STATISTIC.enough(values) and np.ptp(values) == 0
    return Remark("equal") if alike else None


def _modes(values: Values) -> Remark | None:
    modes = split_modes(values)
    if modes is None:
        return None
    lower, upper = modes
    seen = {"lower_runs": len(lower), "lower": float(np.median(lower))}
    seen |= {"upper_runs": len(upper), "upper": float(np.median(upper))}
    return Remark("bimodal", values=seen)


def _spread(values: Values) -> Remark | None:
    size = variation(values)
    return Remark("noisy", values={"variation": size}) if size > NOISY else None


def _drift(started: tuple[float, ...], values: Values) -> Remark | None:
    found = drift(started, values)
    if found is None or not found.sure:
        return None
    return Remark("drift", values={"percent": found.percent})


def _outliers(values: Values, runs: tuple[str, ...]) -> Remark | None:
    found = outliers(values)
    if not found or split_modes(values):
        return None
    rest = float(np.median(np.delete(values, [i for i, _ in found])))
    seen = {
        "named": tuple(runs[i] for i, _ in found),
        "distances": tuple(distance for _, distance in found),
        "median_without": rest,
    }
    return Remark("outlier", values=seen)
