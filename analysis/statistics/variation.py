"""The coefficient of variation of runs, by which a sample is called noisy."""

from __future__ import annotations

from analysis.facts.remark import Remark
from analysis.statistics.statistic import SampleRuns, Statistic, Values

NOISY = 0.20


def variation(values: Values) -> float:
    """Coefficient of variation: standard deviation over mean; 0 for one value."""
    if not STATISTIC.enough(values) or values.mean() == 0:
        return 0.0
    return float(values.std(ddof=1) / abs(values.mean()))


def _warn(sample: SampleRuns) -> Remark | None:
    size = variation(sample.values)
    return Remark("noisy", values={"variation": size}) if size > NOISY else None


STATISTIC = Statistic(
    id="variation",
    smallest=2,
    measure=variation,
    warn=_warn,
    words={
        "value": f"the standard deviation of the runs exceeds {NOISY:.0%} of their mean"
    },
)
