"""Counts of rare events, such as retransmits: their rate, and its change.

Of ten runs seven may have none, and the median of all would be zero whatever the other
three had. So the events of all runs are added up, and divided by all that they are
counted per (gigabytes, datagrams). Events come in bursts, which makes runs scatter more
than counts of independent events would: the interval is that of Poisson's distribution,
wider by the dispersion of the runs (P. McCullagh and J. Nelder, Generalized Linear
Models, section 6.2). In a ratio each side has half an event more, so that it is finite
where one side has none (F. J. Anscombe, Biometrika 35, 1948).
"""

from __future__ import annotations

import math
from dataclasses import replace

from analysis.facts.remark import Remark
from analysis.statistics.log_ratio import LogRatio
from analysis.statistics.median import Interval
from analysis.statistics.median_change import EQUIVALENCE, Change, percent
from analysis.statistics.ranks import FEWEST, SIGNIFICANT, rank_test
from analysis.statistics.sessions import SEVERAL
from analysis.statistics.statistic import CONFIDENCE, Statistic, Values

_MANY = 1e6  # degrees of freedom of a variance that is that of independent events
_HALF = 0.5  # event, that each side of a ratio has more


def count_rate(events: Values, exposures: Values) -> float:
    """All events by all that they are counted per."""
    return float(events.sum() / exposures.sum())


def dispersion(events: Values, exposures: Values) -> float:
    """How many times the variance of independent events the units have, runs or
    sessions: Pearson's statistic by its degrees of freedom; never less than 1."""
    if len(events) < 2 or not events.sum():
        return 1.0
    expected = exposures * count_rate(events, exposures)
    squares = float(((events - expected) ** 2 / expected).sum())
    return max(1.0, squares / (len(events) - 1))


def count_interval(events: Values, exposures: Values) -> Interval | None:
    """The interval of the rate: the exact one of F. Garwood (Biometrika 28, 1936), of
    the events by their dispersion, and of that as far as so few units tell it. None of
    a single unit, of which nothing tells the dispersion."""
    from scipy.special import chdtri, ndtri, stdtrit

    n = len(events)
    if n < 2:
        return None
    spread, tail = dispersion(events, exposures), (1 - CONFIDENCE) / 2
    if spread > 1:
        spread *= float(stdtrit(n - 1, tail) / ndtri(tail)) ** 2
    total = float(events.sum()) / spread
    low = chdtri(2 * total, 1 - tail) / 2 if total else 0.0
    high = chdtri(2 * total + 2, tail) / 2
    per = spread / float(exposures.sum())
    return Interval(float(low * per), float(high * per), CONFIDENCE)


def count_ratio(
    baseline: tuple[Values, Values], test: tuple[Values, Values]
) -> LogRatio:
    """The ratio of two rates, each of events and exposures by unit, two or more."""
    totals = [float(events.sum()) + _HALF for events, _ in (baseline, test)]
    rates = [
        total / float(exposures.sum())
        for total, (_, exposures) in zip(totals, (baseline, test), strict=True)
    ]
    spreads = [dispersion(*baseline), dispersion(*test)]
    for side in (0, 1):
        if totals[side] == _HALF:  # of no event, nothing tells how they scatter
            spreads[side] = spreads[1 - side]
    parts = [spread / total for spread, total in zip(spreads, totals, strict=True)]
    degrees = [
        len(events) - 1 if spread > 1 else _MANY
        for spread, (events, _) in zip(spreads, (baseline, test), strict=True)
    ]
    variance = sum(parts)
    known = variance**2 / sum(p**2 / d for p, d in zip(parts, degrees, strict=True))
    return LogRatio(math.log(rates[1] / rates[0]), variance**0.5, known)


def count_change(
    baseline: tuple[Values, Values],
    test: tuple[Values, Values],
    in_sessions: bool = False,
) -> Change:
    """The change of a rate from ``baseline`` to ``test``, each of events and exposures
    of runs, or of sessions.

    Its value is what a reader computes from both rates, or that of the ratio with half
    an event more a side where the baseline has none. No interval and no test of sides
    without any event, nor of fewer than four runs or two sessions. The p-value is that
    of the ratio, which the ranks of runs must confirm; where they do not, the interval
    reaches no change.
    """
    before, after = count_rate(*baseline), count_rate(*test)
    if not before and not after:
        return Change(0.0)
    units = min(len(baseline[0]), len(test[0]))
    if units < (SEVERAL if in_sessions else FEWEST):
        return Change(percent(after, before) if before else 0.0)
    ratio = count_ratio(baseline, test)
    low, high = ratio.interval(CONFIDENCE)
    low_90, high_90 = ratio.interval(EQUIVALENCE)
    value = percent(after, before) if before else math.expm1(ratio.estimate) * 100
    p_value = ratio.p_value if ratio.estimate * value > 0 else 1.0
    if not in_sessions:
        sides = [events / exposures for events, exposures in (baseline, test)]
        lower, upper = sides if value > 0 else sides[::-1]
        p_value = max(p_value, rank_test(lower, upper))
        if p_value > SIGNIFICANT:  # of one burst the logarithm has too small an error
            low, high = min(low, 0.0), max(high, 0.0)
    change = Change(value, low, high, p_value, low_90, high_90, ratio)
    return replace(
        change,
        low=min(value, low),
        high=max(value, high),
        low_90=min(value, low_90),
        high_90=max(value, high_90),
    )


def count_warnings(events: Values, smallest: int = 2) -> tuple[Remark, ...]:
    """What readers must know of a sample: that there was no event, or few runs."""
    n = len(events)
    few = (Remark("few", values={"n": n, "least": smallest}),) if n < smallest else ()
    none = (Remark("none_at_all", values={"n": n}),) if not events.sum() else ()
    return few + none


STATISTIC = Statistic(
    id="counts",
    smallest=2,
    measure=count_rate,
    interval=count_interval,
    test=rank_test,
    words={
        "value": "the events of all runs, divided by all that they are counted per, as "
        "a median of counts near zero says nothing",
        "interval": "the exact interval of a count, wider by as much as the runs "
        "scatter more than independent events would",
        "change": "the ratio of two rates on logarithms, with half an event more on "
        "each side",
    },
)
