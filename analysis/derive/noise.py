"""What a sample says about its own quality, and how large a change must be to count."""

from __future__ import annotations

import math

import numpy as np

from analysis.derive.interval import MINIMUM, Values
from analysis.remark import Remark

NOISY = 0.20  # coefficient of variation
OUTLIER = 5.0  # distances from the median, in scaled median absolute deviations
_TO_SIGMA = 1.4826  # a normal distribution's standard deviation over its MAD

# A gap marks two modes where it is wide against the range of the larger mode and
# against the median: of ten values from one normal mode, 2 samples in 100 have one at
# most, and of modes with less than 5% spread next to none.
_GAP_SAMPLES, _GAP_SHARE, _GAP_WIDTH, _GAP_OF_MEDIAN = 8, 0.2, 1.5, 0.1


def sample_warnings(values: Values, runs: tuple[str, ...]) -> tuple[Remark, ...]:
    """What a reader must know of a sample: few runs, two modes, spread, outliers."""
    found = [_few(values), _modes(values), _spread(values), _outliers(values, runs)]
    return tuple(remark for remark in found if remark)


def split_modes(values: Values) -> tuple[Values, Values] | None:
    """The lower and the upper mode of a bimodal sample; None for a single mode.

    Gap test: every cut that leaves a fifth of the runs on either side;
    the gap there is measured against the range of the larger side and the median.
    """
    n = len(values)
    if n < _GAP_SAMPLES:
        return None
    ordered = np.sort(values)
    least = math.ceil(_GAP_SHARE * n)
    material = _GAP_OF_MEDIAN * abs(float(np.median(ordered)))
    cuts = [(ordered[:i], ordered[i:]) for i in range(least, n - least + 1)]
    score, best = max(
        (
            (_separation(lower, upper, material), i)
            for i, (lower, upper) in enumerate(cuts)
        )
    )
    return cuts[best] if score > 1 else None


def variation(values: Values) -> float:
    """Coefficient of variation: standard deviation over mean; 0 for one value."""
    if len(values) < 2 or values.mean() == 0:
        return 0.0
    return float(values.std(ddof=1) / abs(values.mean()))


def outliers(values: Values) -> list[tuple[int, float]]:
    """Index and distance, in scaled MADs, of every value beyond five of them."""
    centre = np.median(values)
    mad = _TO_SIGMA * np.median(np.abs(values - centre))
    if mad == 0 or len(values) < MINIMUM:
        return []
    distance = np.abs(values - centre) / mad
    return [(int(i), float(distance[i])) for i in np.flatnonzero(distance > OUTLIER)]


def change_threshold(floor: float, control: tuple[float, float] | None) -> float:
    """The least change, in percent, that can count as one.

    ``floor`` is declared; ``control`` is the interval of the change between two equal
    configurations, which shows what this site's noise alone can do.
    """
    return floor if control is None else max(floor, abs(control[0]), abs(control[1]))


def _separation(lower: Values, upper: Values, material: float) -> float:
    """The gap between two sides over the gap that would make them two modes."""
    larger = lower if len(lower) >= len(upper) else upper
    needed = max(_GAP_WIDTH * float(np.ptp(larger)), material)
    return float(upper[0] - lower[-1]) / needed if needed else 0.0


def _few(values: Values) -> Remark | None:
    n = len(values)
    if n >= MINIMUM:
        return None
    return Remark("few", values={"n": n, "least": MINIMUM})


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
