"""Whether the runs of a sample fall into two groups: two modes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from analysis.facts.remark import Remark
from analysis.statistics.statistic import SampleRuns, Statistic, Values

# A gap marks two modes where it is wide against the range of the larger mode and
# against the median: of ten values from one normal mode, 2 samples in 100 have one at
# most, and of modes with less than 5% spread next to none.
_SHARE, _WIDTH, _OF_MEDIAN = 0.2, 1.5, 0.1


def split_modes(values: Values) -> tuple[Values, Values] | None:
    """The lower and the upper mode of a bimodal sample; None for a single mode.

    Gap test: every cut that leaves a fifth of the runs on either side;
    the gap there is measured against the range of the larger side and the median.
    """
    n = len(values)
    if not STATISTIC.enough(values):
        return None
    ordered = np.sort(values)
    least = math.ceil(_SHARE * n)
    material = _OF_MEDIAN * abs(float(np.median(ordered)))
    cuts = [(ordered[:i], ordered[i:]) for i in range(least, n - least + 1)]
    score, best = max(
        (
            (_separation(lower, upper, material), i)
            for i, (lower, upper) in enumerate(cuts)
        )
    )
    return cuts[best] if score > 1 else None


def _separation(lower: Values, upper: Values, material: float) -> float:
    """The gap between two sides over the gap that would make them two modes."""
    larger = lower if len(lower) >= len(upper) else upper
    needed = max(_WIDTH * float(np.ptp(larger)), material)
    return float(upper[0] - lower[-1]) / needed if needed else 0.0


def mixed_modes(baseline: Values, test: Values) -> dict[str, Any] | None:
    """Two sides that are mixtures of the same modes in other shares: the medians of
    both modes, and how many runs of each side are in the upper one; else None.

    One side falls into two modes. The runs of the other are in both or in one of them,
    with medians within a tenth of theirs, and the shares are a fifth apart or more.
    """
    sides = (baseline, test)
    modes = next(filter(None, map(split_modes, sides)), None)
    if modes is None:
        return None
    middles = [float(np.median(mode)) for mode in modes]
    upper = [side > (modes[0][-1] + modes[1][0]) / 2 for side in sides]
    for side, is_upper in zip(sides, upper, strict=True):
        for part, middle in zip(
            (side[~is_upper], side[is_upper]), middles, strict=True
        ):
            if len(part) and abs(np.median(part) - middle) > _OF_MEDIAN * abs(middle):
                return None
    if abs(float(upper[0].mean() - upper[1].mean())) < _SHARE:
        return None
    seen = {"counts": tuple(int(s.sum()) for s in upper), "of": tuple(map(len, sides))}
    return {"lower": middles[0], "upper": middles[1]} | seen


def _warn(sample: SampleRuns) -> Remark | None:
    modes = split_modes(sample.values)
    if modes is None:
        return None
    lower, upper = modes
    seen = {"lower_runs": len(lower), "lower": float(np.median(lower))}
    seen |= {"upper_runs": len(upper), "upper": float(np.median(upper))}
    return Remark("bimodal", values=seen)


STATISTIC = Statistic(
    id="modes",
    smallest=8,
    measure=split_modes,
    warn=_warn,
    words={
        "value": "the runs fall into two groups with a gap between them",
        "mixture": "the runs of both sides fall into the same two groups, in other "
        "shares",
    },
)
