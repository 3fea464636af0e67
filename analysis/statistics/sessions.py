"""Sessions: runs made after one start of the systems share its luck.

Ten runs of one session say nothing of what another start would do. So where both sides
of a comparison have runs of two sessions or more, a session counts once, by the median
of its runs: T. Kalibera and R. Jones, Rigorous Benchmarking in Reasonable Time (ISMM
2013), have the levels of repetition. Sides of the same sessions are compared within
these, as what a session does to both is no difference between them; others are
compared by Welch's ratio of their medians.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.statistics.log_ratio import LogRatio, welch
from analysis.statistics.median_change import EQUIVALENCE, Change, percent
from analysis.statistics.statistic import CONFIDENCE, Statistic, Values

SEVERAL = 2  # of one session nothing tells how far another would be from it
Medians = Mapping[str, float]  # by session


def session_medians(values: Values, sessions: Sequence[str]) -> Medians:
    """The median of the runs of each session, in the order of their first runs."""
    names = np.array(sessions)
    return {
        name: float(np.median(values[names == name]))
        for name in dict.fromkeys(sessions)
    }


def session_ratio(baseline: Medians, test: Medians) -> LogRatio | None:
    """The ratio of two sides by the medians of their sessions, two or more a side; None
    where one is not above zero."""
    before, after = (np.array([*side.values()]) for side in (baseline, test))
    if min(before.min(), after.min()) <= 0:
        return None
    if are_paired(baseline, test):
        return _mean(np.log([test[name] / baseline[name] for name in baseline]))
    return welch(before, after)


def session_change(
    baseline: Values,
    test: Values,
    medians: Medians,
    others: Medians,
    beside: Sequence[LogRatio] = (),
) -> Change | None:
    """The change from ``baseline`` to ``test``, by the medians of the sessions of both;
    None where a ratio has no meaning.

    Its value is what a reader computes from the two medians of runs. Interval and
    p-value are those of :func:`session_ratio` and of each ratio ``beside``.
    """
    if baseline.min() <= 0:
        return None
    value = percent(float(np.median(test)), float(np.median(baseline)))
    if (ratio := session_ratio(medians, others)) is None:
        return Change(value)
    ratios = [ratio, *beside]
    ends = list[float]()
    for confidence in (CONFIDENCE, EQUIVALENCE):
        lows, highs = zip(*(one.interval(confidence) for one in ratios), strict=True)
        ends += [min(value, *lows), max(value, *highs)]
    low, high, low_90, high_90 = ends
    # no significance where sessions deny the direction that readers see
    p_value = max(one.p_value if one.estimate * value > 0 else 1.0 for one in ratios)
    widest = max(ratios, key=LogRatio.reach)
    return Change(value, low, high, p_value, low_90, high_90, widest)


def are_paired(baseline: Medians, test: Medians) -> bool:
    """Whether two sides are of the same sessions, and so compared within them."""
    return baseline.keys() == test.keys()


def session_interval(medians: Medians, value: float) -> tuple[float, float] | None:
    """The interval of a value over sessions, two or more: that of the geometric mean of
    their medians, which is widened to enclose the value. None where one is not above
    zero."""
    if min(value, *medians.values()) <= 0:
        return None
    ends = _mean(np.log(np.array([*medians.values()]) / value)).interval()
    low, high = (value * (1 + end / 100) for end in ends)
    return min(value, low), max(value, high)


def _mean(logs: Values) -> LogRatio:
    """Their mean with Student's degrees of freedom."""
    count = len(logs)
    error = float(logs.std(ddof=1)) / count**0.5
    return LogRatio(float(logs.mean()), error, count - 1)


STATISTIC = Statistic(
    id="sessions",
    smallest=SEVERAL,
    measure=session_medians,
    interval=session_interval,
    words={
        "value": "runs of one session share what the start of the systems brought, so "
        "a session counts once, by the median of its runs",
        "interval": "Student's interval of the medians of sessions, on logarithms",
        "pairs": "Where both sides were measured in the same sessions, they are "
        "compared within each, as what a session does to both is no difference",
    },
)
